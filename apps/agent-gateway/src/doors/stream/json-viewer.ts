import type { OutputSubscription } from "@belay/core";
import {
  ClientJsonFrame,
  type ServerJsonFrame,
  type TerminalId,
  type TerminalInfo,
  type TerminalSummary,
} from "@belay/protocol";
import type { WebSocket } from "ws";
import type { Gateway } from "../../gateway.ts";
import type { Caller } from "../../people/caller.ts";
import type { Person } from "../../people/person.ts";
import { canType, canWatch, findWatchable } from "./access.ts";
import { OutputEvents } from "./output-events.ts";
import type { PenAnswer, Pens, PenWindow } from "./pens.ts";
import { closeIfTooSlow } from "./slow-socket.ts";

/** Above this many buffered bytes we wait for the socket to drain. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** One socket that speaks plain JSON (B8): history on attach, then text as it comes. */
export class JsonViewer implements PenWindow {
  readonly #socket: WebSocket;
  readonly #caller: Caller;
  readonly #gateway: Gateway;
  readonly #attached = new Map<TerminalId, OutputSubscription>();
  readonly #unsubscribe: () => void;
  readonly #pens: Pens;
  readonly #outputs: OutputEvents;
  #isClosed = false;

  constructor(socket: WebSocket, caller: Caller, gateway: Gateway, pens: Pens) {
    this.#socket = socket;
    this.#caller = caller;
    this.#gateway = gateway;
    this.#pens = pens;
    this.#outputs = new OutputEvents(gateway, (terminal, output) =>
      this.#sendPaced({ type: "terminal", event: "output", terminal: summaryOf(terminal), output }),
    );
    this.#unsubscribe = gateway.terminals.subscribe((event) => {
      if (event.type !== "created" && event.type !== "promoted" && event.type !== "closed") return;
      if (!canWatch(gateway, caller, event.terminal)) return;
      this.#send({ type: "terminal", event: event.type, terminal: summaryOf(event.terminal) });
      if (event.type === "created") this.#outputs.follow(event.terminal);
    });
    gateway.terminals.list().then(
      (terminals) => {
        for (const terminal of terminals) if (canWatch(gateway, caller, terminal)) this.#outputs.follow(terminal);
      },
      (error: unknown) => gateway.log.warn({ err: error }, "terminals could not be listed for a viewer"),
    );
  }

  async receive(message: Buffer): Promise<void> {
    const frame = ClientJsonFrame.parse(JSON.parse(message.toString()));
    if (frame.type === "auth") return; // already authenticated by the first message
    const terminal = await findWatchable(this.#gateway, this.#caller, frame.id);
    if (!terminal) {
      return this.#send({ type: "pty:error", id: frame.id, error: "Session not found" });
    }
    switch (frame.type) {
      case "pty:attach":
        return this.#attach(terminal);
      case "pty:detach":
        return this.#detach(frame.id);
      case "pty:input":
        if (this.#mayGo("types into", terminal, (person) => this.#pens.types(frame.id, this, person, frame.data)))
          await this.#gateway.terminals.write(frame.id, frame.data);
        return;
      case "pty:resize":
        if (this.#mayGo("resizes", terminal, (person) => this.#pens.resizes(frame.id, this, person)))
          await this.#gateway.terminals.resize(frame.id, { cols: frame.cols, rows: frame.rows });
        return;
    }
  }

  /** The plain form has no message for this. */
  penAsked(): void {}

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#outputs.close();
    this.#pens.drop(this);
    for (const id of [...this.#attached.keys()]) this.#detach(id);
  }

  async #attach(terminal: TerminalInfo): Promise<void> {
    const { id } = terminal;
    this.#detach(id);
    const history = await this.#gateway.terminals.history(id, this.#gateway.policy.settings.limits.historyBytes);
    if (this.#isClosed) return;
    // An attached viewer gets the output as `pty:output`; sending it as an event as well would double the traffic.
    this.#outputs.leave(id);
    this.#send({ type: "pty:attached", id, history: history.text });
    // Output is bytes and JSON is text: an incomplete UTF-8 character is held until its remaining bytes arrive.
    const decoder = new TextDecoder();
    const subscription = this.#gateway.terminals.follow(id, history.endPosition, {
      onOutput: ({ bytes }) => {
        const data = decoder.decode(bytes, { stream: true });
        if (data !== "") return this.#sendPaced({ type: "pty:output", id, data });
      },
      onGap: () => {},
      onEnd: ({ exitCode }) => this.#send({ type: "pty:exit", id, exitCode }),
    });
    this.#attached.set(id, subscription);
  }

  #detach(id: TerminalId): void {
    this.#attached.get(id)?.stop();
    this.#attached.delete(id);
  }

  /** Whether this viewer's input reaches the terminal; if not, the viewer is told why. */
  #mayGo(what: "types into" | "resizes", terminal: TerminalInfo, askPen: (person: Person) => PenAnswer): boolean {
    const { id } = terminal;
    if (this.#caller.type !== "person" || !canType(this.#caller, terminal)) {
      this.#send({ type: "pty:error", id, error: `Only an operator ${what} a terminal, and only a user terminal` });
      return false;
    }
    const answer = askPen(this.#caller.person);
    if (typeof answer === "object") this.#send({ type: "pty:error", id, error: `${answer.heldBy} is typing` });
    return answer === "passes";
  }

  #send(frame: ServerJsonFrame): void {
    if (!closeIfTooSlow(this.#socket)) this.#socket.send(this.#encode(frame));
  }

  #encode(frame: ServerJsonFrame): string {
    const text = JSON.stringify(frame);
    this.#gateway.metrics.sent("json", text.length);
    return text;
  }

  #sendPaced(frame: ServerJsonFrame): Promise<void> | undefined {
    const isBehind = this.#socket.bufferedAmount > MAX_BUFFERED_BYTES;
    if (!isBehind) return void this.#send(frame);
    return new Promise((resolve) => this.#socket.send(this.#encode(frame), () => resolve()));
  }
}

/** A terminal as the JSON protocol describes it. */
export function summaryOf(terminal: TerminalInfo): TerminalSummary {
  const { id, cwd, owner, visible, createdAt, command } = terminal;
  return { id, cwd, owner, visible, createdAt, ...(command ? { command } : {}) };
}
