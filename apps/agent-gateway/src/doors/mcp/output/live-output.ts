import { setTimeout as delay } from "node:timers/promises";
import type { OutputSubscription } from "@belay/core";
import type { AgentId, TerminalId, TerminalInfo } from "@belay/protocol";
import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import type { Gateway } from "../../../gateway.ts";
import { outputUri } from "./output-resources.ts";

/** The shortest interval between notifications: the client reads the output after each. */
const TELL_EVERY_MS = 500;

/**
 * Notifies an agent's open connections that a terminal has printed, or that there is a new one.
 *
 * Output is followed only while there are subscribers, and only of terminals that the agent may read.
 */
export class LiveOutput implements ServerEventBus {
  readonly #agentId: AgentId;
  readonly #gateway: Gateway;
  readonly #bus = new InMemoryServerEventBus();
  readonly #followed = new Map<TerminalId, OutputSubscription>();
  #listeners = 0;
  #stopListening = () => {};

  constructor({ agentId, gateway }: { agentId: AgentId; gateway: Gateway }) {
    this.#agentId = agentId;
    this.#gateway = gateway;
  }

  publish(event: ServerEvent): void {
    this.#bus.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const unsubscribe = this.#bus.subscribe(listener);
    this.#listeners += 1;
    if (this.#listeners === 1) this.#start();
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      unsubscribe();
      this.#listeners -= 1;
      if (this.#listeners === 0) this.#stop();
    };
  }

  #start(): void {
    const { terminals } = this.#gateway;
    this.#stopListening = terminals.subscribe((event) => {
      if (!("terminal" in event) || !this.#mayRead(event.terminal)) return;
      const { terminal } = event;
      // A terminal that was shared meanwhile is picked up at its next event.
      if (event.type !== "closed") this.#follow(terminal, event.type === "created" ? 0 : terminal.position);
      if (event.type !== "changed") this.publish({ kind: "resources_list_changed" });
    });
    // The open ones; a terminal that is created meanwhile is followed once.
    terminals.list().then(
      (open) => {
        for (const terminal of open) if (this.#mayRead(terminal)) this.#follow(terminal, terminal.position);
      },
      () => {}, // the host is gone, and its terminals with it
    );
  }

  #follow(terminal: TerminalInfo, fromPosition: number): void {
    const { id } = terminal;
    if (this.#listeners === 0 || this.#followed.has(id)) return;
    const tell = () => {
      // A person may have stopped sharing it.
      if (this.#mayRead(terminal)) this.publish({ kind: "resource_updated", uri: outputUri(id) });
    };
    const subscription = this.#gateway.terminals.follow(id, fromPosition, {
      onOutput: async () => {
        tell();
        await delay(TELL_EVERY_MS, undefined, { ref: false });
      },
      onGap: tell,
      onEnd: () => {
        this.#followed.delete(id);
        tell();
      },
    });
    this.#followed.set(id, subscription);
  }

  #stop(): void {
    this.#stopListening();
    for (const subscription of this.#followed.values()) subscription.stop();
    this.#followed.clear();
  }

  #mayRead(terminal: TerminalInfo): boolean {
    return this.#gateway.sharedTerminals.canRead({ id: this.#agentId }, terminal);
  }
}
