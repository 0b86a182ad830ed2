import {
  CLOSE_CODES,
  ClientControlFrame,
  decodeClientFrame,
  encodeServerFrame,
  type Pen,
  type ServerBinaryFrame,
  type ServerControlFrame,
  type StreamErrorCode,
  type TerminalId,
  type TerminalInfo,
} from "@belay/protocol";
import type { WebSocket } from "ws";
import type { Gateway } from "../../gateway.ts";
import type { Caller } from "../../people/caller.ts";
import { canType, findWatchable, nullIfNotFound } from "./access.ts";
import { Attachment } from "./attachment.ts";
import type { OutputFrames } from "./output-frames.ts";
import type { PenAnswer, PenPerson, Pens, PenWindow } from "./pens.ts";
import { closeIfTooSlow } from "./slow-socket.ts";

/** One socket that speaks `belay.v1`: replay, live bytes, acknowledgements, keys. */
export class BinaryViewer implements PenWindow {
  readonly #socket: WebSocket;
  readonly #caller: Caller;
  readonly #gateway: Gateway;
  readonly #attached = new Map<number, Attachment>();
  readonly #unsubscribe: () => void;
  readonly #stopHearingPens: () => void;
  readonly #pens: Pens;
  readonly #frames: OutputFrames;
  readonly #onFailed: (error: unknown) => void;
  #isClosed = false;

  constructor(
    socket: WebSocket,
    caller: Caller,
    gateway: Gateway,
    { pens, frames, onFailed }: { pens: Pens; frames: OutputFrames; onFailed: (error: unknown) => void },
  ) {
    this.#pens = pens;
    this.#onFailed = onFailed;
    this.#frames = frames;
    this.#socket = socket;
    this.#caller = caller;
    this.#gateway = gateway;
    this.#unsubscribe = gateway.terminals.subscribe((event) => {
      if (!("terminal" in event)) return;
      const attachment = this.#attached.get(gateway.channels.of(event.terminal.id));
      if (attachment) attachment.terminal = event.terminal;
      if (event.type === "changed" || event.type === "promoted") this.#retell(event.terminal);
    });
    this.#stopHearingPens = pens.subscribe((id) => void this.#retellPen(id));
    this.#tell({ type: "ready" });
  }

  async receive(message: Buffer, isBinary: boolean): Promise<void> {
    if (isBinary) await this.#receiveBinary(message);
    else await this.#receiveControl(ClientControlFrame.parse(JSON.parse(message.toString())));
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#stopHearingPens();
    this.#pens.drop(this);
    for (const channel of [...this.#attached.keys()]) this.#detach(channel);
  }

  penAsked(id: TerminalId, { id: personId, name }: PenPerson): void {
    this.#tell({ type: "penAsked", channel: this.#gateway.channels.of(id), personId, name });
  }

  async #receiveBinary(message: Buffer): Promise<void> {
    const frame = decodeClientFrame(message);
    const attachment = this.#attached.get(frame.channel);
    if (!attachment)
      return this.#refuse("not-attached", `Channel ${frame.channel} is not attached.`, { channel: frame.channel });
    if (frame.type === "ack") {
      // An acknowledgement beyond what was sent means a broken client: it would disable the window.
      if (!attachment.acknowledge(frame.position)) this.#socket.close(CLOSE_CODES.badFrame, "bad acknowledgement");
      return;
    }
    const person = this.#typist(attachment);
    if (!person) {
      return this.#refuse("read-only", "Take the terminal over before you type into it.", { channel: frame.channel });
    }
    const answer = this.#pens.types(attachment.id, this, person, frame.bytes);
    // Not awaited: keys are sent in the order of these calls, and acknowledgements must not wait for the host's answer.
    if (answer === "passes") this.#gateway.terminals.write(attachment.id, frame.bytes).catch(this.#onFailed);
    else this.#refuseHeld(answer, frame.channel);
  }

  async #receiveControl(frame: ClientControlFrame): Promise<void> {
    switch (frame.type) {
      case "auth":
        return; // already authenticated by the first message
      case "ping":
        return this.#tell({ type: "pong", nonce: frame.nonce });
      case "attach":
        return this.#attach(frame.id, frame.from);
      case "detach":
        this.#detach(frame.channel);
        return this.#tell({ type: "detached", channel: frame.channel });
      case "resize": {
        const attachment = this.#attached.get(frame.channel);
        if (!attachment)
          return this.#refuse("not-attached", `Channel ${frame.channel} is not attached.`, { channel: frame.channel });
        const person = this.#typist(attachment);
        if (!person) {
          return this.#refuse("read-only", "Only the person who holds the terminal can resize it.", {
            channel: frame.channel,
          });
        }
        const answer = this.#pens.resizes(attachment.id, this, person);
        if (answer !== "passes") return this.#refuseHeld(answer, frame.channel);
        return this.#gateway.terminals.resize(attachment.id, { cols: frame.cols, rows: frame.rows });
      }
      case "pen": {
        const attachment = this.#attached.get(frame.channel);
        const person = attachment && this.#typist(attachment);
        if (!person) {
          return this.#refuse("read-only", "Take the terminal over before you type into it.", {
            channel: frame.channel,
          });
        }
        return this.#movePen(attachment.id, person, frame);
      }
    }
  }

  /** This person, if they may type into that terminal at all. */
  #typist({ terminal }: Attachment): PenPerson | null {
    return this.#caller.type === "person" && canType(this.#caller, terminal) ? this.#caller.person : null;
  }

  async #movePen(
    id: TerminalId,
    person: PenPerson,
    { act, to }: Extract<ClientControlFrame, { type: "pen" }>,
  ): Promise<void> {
    if (act === "ask") return this.#pens.ask(id, this, person);
    if (act === "give") return this.#pens.give(id, this, to ?? null);
    const before = this.#pens.of(id, this);
    if (before && before.personId !== person.id) {
      const actor = { type: "person", id: person.id } as const;
      const detail = { from: before.personId };
      await this.#gateway.audit.append({ type: "terminal.pen-taken", actor, terminalId: id, detail });
    }
    this.#pens.take(id, this, person);
  }

  #refuseHeld(answer: Exclude<PenAnswer, "passes">, channel: number): void {
    if (answer === "dropped") return;
    this.#refuse("pen-held", `${answer.heldBy} is typing. Ask for the pen, or take it.`, { channel });
  }

  async #attach(id: TerminalId, from: number | "screen"): Promise<void> {
    // At once, because each waits for the host. What the caller may not see is dropped here.
    const [terminal, snapshot, kept] = await Promise.all([
      findWatchable(this.#gateway, this.#caller, id),
      from === "screen" ? this.#gateway.snapshot(id).catch(nullIfNotFound) : null,
      this.#gateway.terminals.read(id, { fromPosition: 0, maxBytes: 0 }).catch(nullIfNotFound),
    ]);
    if (!terminal || !kept) {
      return this.#refuse("terminal-not-found", `No terminal "${id}". It may have closed.`, { id });
    }
    if (this.#isClosed) return;
    const channel = this.#gateway.channels.of(id);
    this.#detach(channel);

    const screen = snapshot && snapshot.position >= kept.fromPosition ? snapshot : null;
    const wanted = from === "screen" ? (screen?.position ?? 0) : Math.min(from, kept.endPosition);
    const position = Math.max(wanted, kept.fromPosition);
    const isSketch = screen?.isExact === false;
    this.#tell({ type: "attached", id, channel, position, isSketch, ...this.#penOf(terminal), terminal });
    if (screen) this.#send({ type: "snapshot", channel, ...screen });
    if (from !== "screen" && position > from) this.#send({ type: "gap", channel, from, to: position });

    const attachment = new Attachment({
      gateway: this.#gateway,
      terminal,
      channel,
      position,
      frames: this.#frames,
      send: (message, onSent) => this.#transmit(message, onSent),
      tell: (frame) => this.#tell(frame),
      leave: this.#gateway.presence.join(id, this.#caller),
    });
    this.#attached.set(channel, attachment);
    // The owner may have changed during the attach; from now on events report it.
    attachment.terminal = await this.#gateway.terminals.get(id);
    // Without a host there is no screen to wait for; the current one stays.
    if (isSketch) attachment.showExactScreen().catch(() => {});
  }

  /** A watched terminal changed: its owner, its size, its activity. */
  #retell(terminal: TerminalInfo): void {
    const channel = this.#gateway.channels.of(terminal.id);
    if (!this.#attached.has(channel)) return;
    this.#tell({ type: "terminal", channel, ...this.#penOf(terminal), terminal });
  }

  async #retellPen(id: TerminalId): Promise<void> {
    const terminal = await findWatchable(this.#gateway, this.#caller, id);
    if (terminal && !this.#isClosed) this.#retell(terminal);
  }

  /** Whether keys from here are accepted, and who has the pen. Only people see names. */
  #penOf(terminal: TerminalInfo): { canType: boolean; pen: Pen | null } {
    const pen = this.#caller.type === "person" ? this.#pens.of(terminal.id, this) : null;
    const isFree = pen === null || (this.#caller.type === "person" && pen.personId === this.#caller.person.id);
    return { canType: canType(this.#caller, terminal) && isFree, pen };
  }

  #detach(channel: number): void {
    const attachment = this.#attached.get(channel);
    this.#attached.delete(channel);
    attachment?.stop();
  }

  #refuse(code: StreamErrorCode, message: string, about: { id?: string; channel?: number }): void {
    this.#tell({ type: "error", code, message, ...about });
  }

  #tell(frame: ServerControlFrame): void {
    this.#transmit(JSON.stringify(frame));
  }

  #send(frame: ServerBinaryFrame): void {
    this.#transmit(encodeServerFrame(frame));
  }

  #transmit(message: string | Uint8Array, onSent: () => void = () => {}): void {
    if (closeIfTooSlow(this.#socket)) {
      onSent();
      return;
    }
    this.#gateway.metrics.sent("binary", message.length);
    // An error is a socket that has closed; `close` follows.
    this.#socket.send(message, () => onSent());
  }
}
