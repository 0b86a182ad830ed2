import type { TerminalOwner } from "@belay/protocol";
import type { SpawnRequest } from "../pool/requests.ts";

/** Who a terminal belongs to, and for whom it was started. */
export class Ownership {
  #request: SpawnRequest;
  #owner: TerminalOwner;
  #isBorrowed = false;
  #visible: boolean;
  #since: number;

  constructor(request: SpawnRequest, now: number) {
    this.#request = request;
    this.#owner = request.owner;
    this.#visible = request.visible;
    this.#since = now;
  }

  get request(): SpawnRequest {
    return this.#request;
  }

  /** When it was started, or adopted. */
  get since(): number {
    return this.#since;
  }

  get info(): { owner: TerminalOwner; isBorrowed?: true; visible: boolean } {
    return { owner: this.#owner, ...(this.#isBorrowed && { isBorrowed: true as const }), visible: this.#visible };
  }

  /** A warm shell gets its first owner. */
  adopt(request: SpawnRequest, now: number): void {
    this.#request = request;
    this.#owner = request.owner;
    this.#visible = request.visible;
    this.#since = now;
  }

  /** Returns whether its owner changed. */
  giveToPerson({ forAWhile }: { forAWhile: boolean }): boolean {
    const wasAgents = this.#owner !== "user";
    this.#owner = "user";
    this.#isBorrowed = forAWhile;
    this.#visible = true;
    return wasAgents;
  }

  handBack(): void {
    this.#owner = "agent";
    this.#isBorrowed = false;
    this.#visible = this.#request.visible;
  }
}
