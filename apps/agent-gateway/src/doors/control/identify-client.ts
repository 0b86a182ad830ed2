import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isSameSecret } from "@belay/core";
import type { Caller } from "../../people/caller.ts";
import type { CommandLineSessions, SignedIn } from "../../people/command-line-sessions.ts";
import type { People } from "../../people/people.ts";
import { CONTROL_TOKEN_HEADER } from "./control-token-header.ts";
import { PROCESS_HEADER } from "./process-header.ts";
import { isInside, type ProcessProof, type ProvenProcess } from "./process-proof.ts";

interface Deps {
  people: People;
  sessions: CommandLineSessions;
  proof: ProcessProof;
  controlToken: string;
  /** The gateway's own processes: their descendants count as agents' programs. */
  ownPids: () => readonly number[];
  /** The gateway is stopped, so no agent can connect: the owner of the data folder works on it directly. */
  isStopped: boolean;
}

/**
 * Identifies the client of the control socket. Being able to open it proves nothing, since an agent's programs
 * may run as the same user. A person is a client that gave their password on this connection, or in the same kernel
 * session a short while ago; a script is a client with the control token; any other client has no identity.
 */
export class ClientIdentity {
  readonly #deps: Deps;
  readonly #signedIn = new WeakMap<Socket, string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async callerOf(request: IncomingMessage): Promise<Caller> {
    const found = await this.#personBehind(request);
    if (found) return { type: "person", ...found };
    return this.hasControlToken(request) ? { type: "local", isStopped: this.#deps.isStopped } : { type: "anonymous" };
  }

  hasControlToken({ headers }: IncomingMessage): boolean {
    const shown = headers[CONTROL_TOKEN_HEADER];
    return typeof shown === "string" && isSameSecret(shown, this.#deps.controlToken);
  }

  challenge({ socket }: IncomingMessage): string {
    return this.#deps.proof.challenge(socket);
  }

  /** Null if the address or the password is wrong. */
  async signIn(
    request: IncomingMessage,
    credentials: { email: string; password: string },
  ): Promise<{ signedIn: SignedIn; isRemembered: boolean } | null> {
    const { people, sessions } = this.#deps;
    const signedIn = await people.signInWithPassword(credentials, { client: "belay command line" });
    if (!signedIn) return null;
    this.#signedIn.set(request.socket, signedIn.session.id);
    const process = this.#processBehind(request);
    if (process) sessions.remember(process.session, signedIn);
    return { signedIn, isRemembered: process !== null };
  }

  async signOut(request: IncomingMessage): Promise<boolean> {
    const process = this.#processBehind(request);
    return process !== null && (await this.#deps.sessions.forget(process.session));
  }

  async #personBehind(request: IncomingMessage): Promise<SignedIn | null> {
    const here = this.#signedIn.get(request.socket);
    if (here !== undefined) return this.#deps.people.findSession(here);
    const process = this.#processBehind(request);
    return process && this.#deps.sessions.find(process.session);
  }

  #processBehind({ socket, headers }: IncomingMessage): ProvenProcess | null {
    const proven = this.#deps.proof.verify(socket, headers[PROCESS_HEADER]);
    return proven && !isInside(proven.pid, this.#deps.ownPids()) ? proven : null;
  }
}
