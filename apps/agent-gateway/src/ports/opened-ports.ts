import { randomBytes } from "node:crypto";
import { isSameSecret, type ListeningPort, openSocketPath, type TerminalPool } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { AccessGuard } from "../people/access-guard.ts";
import { actorOf, type Caller } from "../people/caller.ts";
import { hashToken } from "../store/tokens.ts";
import type { PortsAddress } from "./ports-address.ts";

/** How long a link may wait for the browser that follows it. */
const TICKET_MS = 60_000;
const OPEN_MS = 8 * 3_600_000;
const MAX_OPEN_PER_PERSON = 20;

type PersonCaller = Extract<Caller, { type: "person" }>;
type WhyClosed = "terminal-closed" | "access-ended" | "expired" | "gateway-stopped";

/** A port that one person sees in one browser. */
export interface OpenedPort {
  /** Its host name: letters and digits, and not a secret. */
  readonly name: string;
  readonly terminalId: TerminalId;
  readonly port: number;
  readonly caller: PersonCaller;
  readonly endsAt: number;
  /** A path of the socket that leads to the port. */
  readonly socketPath: string;
  /** Aborted when it is closed. */
  readonly closed: AbortSignal;
}

interface Entry extends OpenedPort {
  ticket: { hash: string; endsAt: number } | null;
  cookieHash: string | null;
  close(why: WhyClosed): void;
}

/**
 * The ports that people have opened. One is opened for a person by a link that works once; the browser that follows it
 * gets a cookie for the host name of that port alone. It closes with the terminal, with the person's session or role, and
 * after eight hours. Nothing of this is stored: after a restart, ports are opened again.
 */
export class OpenedPorts {
  readonly #terminals: TerminalPool;
  readonly #audit: AuditLog;
  readonly #access: AccessGuard;
  readonly #address: PortsAddress;
  readonly #now: () => number;
  readonly #onFailed: (error: unknown) => void;
  readonly #open = new Map<string, Entry>();

  constructor(deps: {
    terminals: TerminalPool;
    audit: AuditLog;
    access: AccessGuard;
    address: PortsAddress;
    now: () => number;
    onFailed: (error: unknown) => void;
  }) {
    this.#terminals = deps.terminals;
    this.#audit = deps.audit;
    this.#access = deps.access;
    this.#address = deps.address;
    this.#now = deps.now;
    this.#onFailed = deps.onFailed;
  }

  /** What the programs of a terminal listen on. */
  async list(id: TerminalId): Promise<ListeningPort[]> {
    const ports = await this.#terminals.ports(id);
    return ports.map((found) => ({ ...found, closedBecause: found.closedBecause ?? this.#address.missing }));
  }

  /** A link for this person's browser. The same port of the same session keeps its host name. */
  async open(terminalId: TerminalId, port: number, caller: PersonCaller): Promise<{ url: string }> {
    const { missing } = this.#address;
    if (missing !== null) throw new GatewayError("port-not-offered", missing);
    const { program, ...place } = await this.#terminals.openPort(terminalId, port);
    await this.#audit.append({
      type: "terminal.port-opened",
      actor: actorOf(caller),
      terminalId,
      detail: { port, program },
    });
    const own = [...this.#open.values()].filter((entry) => entry.caller.person.id === caller.person.id);
    const found = own.find(
      (entry) =>
        entry.terminalId === terminalId && entry.port === port && entry.caller.session.id === caller.session.id,
    );
    if (!found && own.length >= MAX_OPEN_PER_PERSON) {
      throw new GatewayError(
        "port-not-offered",
        `You have ${MAX_OPEN_PER_PERSON} ports open, which is the limit. They close with their terminals.`,
      );
    }
    const entry = found ?? this.#create({ terminalId, port, caller, place });
    const ticket = secret();
    entry.ticket = { hash: hashToken(ticket), endsAt: this.#now() + TICKET_MS };
    return { url: `${this.#address.originOf(entry.name)}${ENTER_PATH}?ticket=${ticket}` };
  }

  /** Exchanges a ticket for the value of a cookie; null if it is unknown, used or too old. */
  enter(name: string, ticket: string): { cookie: string; endsAt: number } | null {
    const entry = this.#open.get(name);
    if (!entry?.ticket || entry.ticket.endsAt <= this.#now() || !isSameSecret(entry.ticket.hash, hashToken(ticket)))
      return null;
    entry.ticket = null;
    const cookie = secret();
    entry.cookieHash = hashToken(cookie);
    return { cookie, endsAt: entry.endsAt };
  }

  /** The port behind a host name, for the browser that has its cookie. */
  find(name: string, cookie: string | null): OpenedPort | null {
    const entry = this.#open.get(name);
    if (!entry?.cookieHash || cookie === null || entry.endsAt <= this.#now()) return null;
    return isSameSecret(entry.cookieHash, hashToken(cookie)) ? entry : null;
  }

  terminalClosed(id: TerminalId): void {
    for (const entry of [...this.#open.values()]) if (entry.terminalId === id) entry.close("terminal-closed");
  }

  close(): void {
    for (const entry of [...this.#open.values()]) entry.close("gateway-stopped");
  }

  #create({
    place,
    ...about
  }: Pick<Entry, "terminalId" | "port" | "caller"> & { place: { folder: string; socket: string } }): Entry {
    const { path, release } = openSocketPath(place);
    const ending = new AbortController();
    const name = hostName();
    const timer = setTimeout(() => entry.close("expired"), OPEN_MS).unref();
    const stopWatching = this.#access.watch(about.caller, () => entry.close("access-ended"));
    const entry: Entry = {
      ...about,
      name,
      endsAt: this.#now() + OPEN_MS,
      socketPath: path,
      closed: ending.signal,
      ticket: null,
      cookieHash: null,
      close: (why) => {
        if (!this.#open.delete(name)) return;
        clearTimeout(timer);
        stopWatching();
        ending.abort();
        release();
        const { terminalId, port } = about;
        this.#audit
          .append({
            type: "terminal.port-closed",
            actor: { type: "system" },
            terminalId,
            detail: { port, why, person: about.caller.person.id },
          })
          .catch(this.#onFailed);
      },
    };
    this.#open.set(name, entry);
    return entry;
  }
}

/** Where a ticket is exchanged, on the host name of the port. */
export const ENTER_PATH = "/.belay/enter";

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** Letters and digits only, because host names have no case. */
function hostName(): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(randomBytes(26), (byte) => alphabet[byte % 32]).join("");
}
