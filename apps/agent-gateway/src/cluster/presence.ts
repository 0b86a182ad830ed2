import type { Logger } from "pino";
import type { Bus } from "../bus/bus.ts";
import type { Heartbeat } from "../bus/messages.ts";

/** Another gateway, as it described itself last. */
export interface Peer extends Omit<Heartbeat, "type"> {
  id: string;
  /** How long ago it was heard, by this gateway's monotonic clock. */
  silentMs: number;
}

interface Deps {
  bus: Bus;
  /** What this gateway reports about itself. */
  describe: () => Promise<Omit<Heartbeat, "type">>;
  /** A gateway that is silent for longer is gone. */
  goneAfterMs: number;
  onChanged: () => void;
  log: Logger;
}

/** How many heartbeats fit into the time after which a gateway counts as gone. */
const BEATS = 10;

/** Which gateways there are. Each announces itself every second; a silent one is gone. */
export class Presence {
  readonly #deps: Deps;
  readonly #peers = new Map<string, { beat: Heartbeat; heardAt: number }>();
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#unsubscribe = deps.bus.subscribe((signal, from) => {
      if (from === deps.bus.self) return;
      if (signal.type === "beat") this.#heard(from, signal);
      if (signal.type === "leaving" && this.#peers.delete(from)) deps.onChanged();
    });
  }

  start(): void {
    void this.tell();
    this.#timer = setInterval(() => {
      void this.tell();
      this.#dropGone();
    }, this.#deps.goneAfterMs / BEATS).unref();
  }

  /** Announces the current state, without waiting for the next heartbeat. */
  async tell(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#deps.bus.publish({ type: "beat", ...(await this.#deps.describe()) });
    } catch (error) {
      this.#deps.log.warn({ err: error }, "other gateways could not be told of this one");
    }
  }

  /** The others that were heard lately, by name. */
  list(): Peer[] {
    const now = performance.now();
    return [...this.#peers]
      .map(
        ([
          id,
          {
            beat: { type: _, ...said },
            heardAt,
          },
        ]) => ({ id, ...said, silentMs: Math.round(now - heardAt) }),
      )
      .filter(({ silentMs }) => silentMs <= this.#deps.goneAfterMs)
      .sort((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id));
  }

  find(id: string): Peer | null {
    return this.list().find((peer) => peer.id === id) ?? null;
  }

  close(): void {
    this.#unsubscribe();
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#isClosed = true;
    this.#deps.bus.publish({ type: "leaving" });
  }

  #isClosed = false;

  #heard(from: string, beat: Heartbeat): void {
    const before = this.#peers.get(from)?.beat;
    this.#peers.set(from, { beat, heardAt: performance.now() });
    if (before?.boot !== beat.boot || before.problem !== beat.problem || before.url !== beat.url)
      this.#deps.onChanged();
    // A newcomer would otherwise know this gateway only after its next heartbeat.
    if (before?.boot !== beat.boot) void this.tell();
  }

  #dropGone(): void {
    const now = performance.now();
    for (const [id, { heardAt }] of this.#peers) {
      if (now - heardAt <= this.#deps.goneAfterMs) continue;
      this.#peers.delete(id);
      this.#deps.onChanged();
    }
  }
}
