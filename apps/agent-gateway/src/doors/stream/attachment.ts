import { setTimeout as delay } from "node:timers/promises";
import type { OutputSubscription, ScreenSnapshot } from "@belay/core";
import {
  encodeServerFrame,
  type ServerControlFrame,
  type TerminalId,
  type TerminalInfo,
  VIEWER_WINDOW_BYTES,
} from "@belay/protocol";
import type { Gateway } from "../../gateway.ts";
import { Credit } from "./credit.ts";
import type { OutputFrames } from "./output-frames.ts";

/** When to request an exact screen again, if the viewer has already been shown more. */
const ASK_AGAIN_MS = 200;

interface AttachmentOptions {
  gateway: Pick<Gateway, "terminals" | "snapshot">;
  terminal: TerminalInfo;
  channel: number;
  position: number;
  frames: OutputFrames;
  /** `onSent` is called when the bytes are no longer needed. */
  send: (message: Uint8Array, onSent?: () => void) => void;
  tell: (frame: ServerControlFrame) => void;
  /** Removes this viewer from the list of watchers. */
  leave: () => void;
}

/** One terminal that a viewer watches: its output from a position on, at the pace of the acknowledgements. */
export class Attachment {
  /** The last known state from its host: asking the host for every key would be too slow. */
  terminal: TerminalInfo;
  readonly #options: AttachmentOptions;
  readonly #credit: Credit;
  #subscription: OutputSubscription;
  #isStopped = false;

  constructor(options: AttachmentOptions) {
    this.terminal = options.terminal;
    this.#options = options;
    this.#credit = new Credit(options.position, VIEWER_WINDOW_BYTES);
    this.#subscription = this.#follow(options.position);
  }

  get id(): TerminalId {
    return this.terminal.id;
  }

  /** False for a position that was never sent, or that goes backwards. */
  acknowledge(position: number): boolean {
    return this.#credit.acknowledge(position);
  }

  /** The viewer was shown a sketch: the exact screen replaces it as soon as there is one. */
  async showExactScreen(): Promise<void> {
    const { gateway } = this.#options;
    while (!this.#isStopped) {
      const exact = await gateway.snapshot(this.id, { waitsUntilExact: true });
      if (this.#isStopped || !exact?.isExact) return;
      if (exact.position >= this.#credit.sent) return this.#replaceBy(exact);
      // The viewer has already been shown more than that.
      await delay(ASK_AGAIN_MS);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#subscription.stop();
    this.#credit.release();
    this.#options.leave();
  }

  #replaceBy(exact: ScreenSnapshot): void {
    const { send, channel } = this.#options;
    this.#subscription.stop();
    send(encodeServerFrame({ type: "snapshot", channel, ...exact }));
    this.#credit.moveTo(exact.position);
    this.#subscription = this.#follow(exact.position);
  }

  #follow(fromPosition: number): OutputSubscription {
    const { gateway, channel, frames, send, tell } = this.#options;
    return gateway.terminals.follow(this.id, fromPosition, {
      takes: "views",
      onOutput: ({ position, bytes }) => {
        const frame = frames.take({ channel, position, bytes });
        send(frame.message, frame.release);
        return this.#credit.spend(position + bytes.byteLength);
      },
      onGap: (gap) => send(encodeServerFrame({ type: "gap", channel, ...gap })),
      onEnd: ({ exitCode, position }) => tell({ type: "exit", channel, exitCode, position }),
    });
  }
}
