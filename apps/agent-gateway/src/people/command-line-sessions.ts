import type { People } from "./people.ts";
import type { Person, Session } from "./person.ts";

/** Long enough to answer a few approvals, short enough that a forgotten terminal window is harmless. */
export const COMMAND_LINE_LIFE_MS = 10 * 60_000;

export interface SignedIn {
  person: Person;
  session: Session;
}

/**
 * People who signed in on the command line, each for one kernel session (a login, a terminal window) and for
 * a short time. No token is stored that another program could read and use: the key is the kernel session of the
 * calling process. Role and session are checked again at every use.
 */
export class CommandLineSessions {
  readonly #people: People;
  readonly #now: () => number;
  readonly #byKey = new Map<string, { sessionId: string; endsAt: number }>();

  constructor({ people, now }: { people: People; now: () => number }) {
    this.#people = people;
    this.#now = now;
  }

  remember(key: string, { session }: SignedIn): void {
    this.#byKey.set(key, { sessionId: session.id, endsAt: this.#now() + COMMAND_LINE_LIFE_MS });
  }

  async find(key: string): Promise<SignedIn | null> {
    const known = this.#byKey.get(key);
    if (!known) return null;
    const found = known.endsAt > this.#now() ? await this.#people.findSession(known.sessionId) : null;
    if (!found) await this.forget(key);
    return found;
  }

  /** Signs out; true if a person was signed in. */
  async forget(key: string): Promise<boolean> {
    const known = this.#byKey.get(key);
    if (!known) return false;
    this.#byKey.delete(key);
    const found = await this.#people.findSession(known.sessionId);
    if (found) await this.#people.endSession(known.sessionId, { type: "person", id: found.person.id });
    return found !== null;
  }
}
