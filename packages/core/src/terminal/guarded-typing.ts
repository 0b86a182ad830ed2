import type { TypeReport, TypeRequest } from "../pool/requests.ts";
import type { Pty } from "../pty/pty.ts";
import { typeInput } from "./type-input.ts";

const LINE_FEED = 0x0a;

interface TypingTarget {
  pty: () => Pty;
  /** `isGuarded` if no part of it can be left for the shell. */
  write: (bytes: Uint8Array, options: { isGuarded: boolean }) => void;
  isOpen: () => boolean;
  assertOpen: () => void;
  promptsSeen: () => number;
}

/** Types input for certain readers only, one request after the other. */
export class GuardedTyping {
  readonly #target: TypingTarget;
  #settled: Promise<void> = Promise.resolve();

  constructor(target: TypingTarget) {
    this.#target = target;
  }

  async type(request: TypeRequest): Promise<TypeReport> {
    const { write, isOpen, assertOpen, promptsSeen } = this.#target;
    const pty = this.#target.pty();
    assertOpen();
    const { pid, device } = pty;
    if (device === null) return { typedCharacters: 0, stopped: "reader-busy" };
    // Earlier input must have arrived, or it would be mistaken for this.
    await this.#settled;
    assertOpen();
    const { report, settled } = await typeInput(
      {
        leaderPid: pid,
        device,
        write: (bytes) => write(bytes, { isGuarded: request.readsLines && bytes.at(-1) === LINE_FEED }),
        hasPendingInput: () => pty.hasPendingInput,
        discardUnread: () => pty.discardInput(),
        isOpen,
        promptsSeen,
      },
      request,
    );
    this.#settled = settled;
    return report;
  }
}
