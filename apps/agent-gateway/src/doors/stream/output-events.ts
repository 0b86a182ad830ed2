import type { OutputSubscription } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { Gateway } from "../../gateway.ts";

/** Sends the output of every terminal that the caller may see, from now on (B10). A slow reader delays only itself. */
export class OutputEvents {
  readonly #gateway: Gateway;
  readonly #tell: (terminal: TerminalInfo, output: string) => Promise<void> | undefined;
  readonly #following = new Map<TerminalId, OutputSubscription>();
  #isClosed = false;

  constructor(gateway: Gateway, tell: (terminal: TerminalInfo, output: string) => Promise<void> | undefined) {
    this.#gateway = gateway;
    this.#tell = tell;
  }

  follow(terminal: TerminalInfo): void {
    if (this.#isClosed || this.#following.has(terminal.id) || terminal.state.status === "closed") return;
    const decoder = new TextDecoder();
    const subscription = this.#gateway.terminals.follow(terminal.id, terminal.position, {
      onOutput: async ({ bytes }) => {
        const output = decoder.decode(bytes, { stream: true });
        if (output !== "") await this.#tell(terminal, output);
      },
      onGap: () => {},
      onEnd: () => this.leave(terminal.id),
    });
    this.#following.set(terminal.id, subscription);
  }

  leave(id: TerminalId): void {
    this.#following.get(id)?.stop();
    this.#following.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#following.keys()]) this.leave(id);
  }
}
