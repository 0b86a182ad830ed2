import {
  commonVersion,
  type JoinVerdict,
  type MachineFacts,
  type MachineHost,
  newJoinToken,
  type ProvedMachine,
  type SigningKey,
} from "@belay/core";
import type { Actor, MachineLoad, MachineState } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import {
  claimMachine,
  findMachine,
  findMachineByKey,
  findMachineByTokenKey,
  insertMachine,
  listMachines,
  listOwnMachines,
  type MachineRow,
  updateMachine,
} from "../store/tables/machines/machines.ts";
import { VERSION } from "../version.ts";
import { type Fleet, MACHINE_PROTOCOL } from "./fleet.ts";
import { OWN_MACHINE } from "./own-machine.ts";

const HOUR_MS = 3_600_000;

/** A machine as people see it. */
export interface MachineView {
  name: string;
  state: MachineState;
  createdAt: number;
  seenAt: number | null;
  facts: Pick<MachineFacts, "program" | "hostname" | "platform" | "user" | "workspace"> | null;
  /** Set if it runs another version of Belay than this gateway: the version that it should have. */
  skew: string | null;
  /** Null if it is not connected. */
  load: MachineLoad | null;
  openTerminals: number;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  fleet: Fleet;
  key: SigningKey;
  now: () => number;
}

/** The other machines that run terminals for this gateway: who may join, and what is known of them. */
export class Machines {
  readonly #deps: Deps;
  readonly #since = new Map<string, number>();
  readonly #facts = new Map<string, MachineFacts>();
  /** Calls that join one machine wait for each other: a token is used once. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Expects every machine that has joined this gateway, so that its terminals are known while it is away. */
  static async open(deps: Deps): Promise<Machines> {
    const machines = new Machines(deps);
    for (const { name, publicKey, revokedAt, hostId, facts } of await listOwnMachines(deps.db)) {
      if (publicKey === null || revokedAt !== null) continue;
      const known = factsIn({ facts });
      if (known) machines.#facts.set(name, known);
      deps.fleet.expect(name, hostId);
    }
    return machines;
  }

  /** What it last said about itself; null if it never connected. */
  factsOf(name: string): MachineFacts | null {
    return this.#facts.get(name) ?? null;
  }

  /** The names of those that are connected now. */
  connected(): string[] {
    return this.#deps.fleet.connected();
  }

  /** Makes a token with which one machine can join, once. */
  async add(name: string, { hours }: { hours: number }, by: Actor): Promise<{ name: string; token: string }> {
    const { db, audit, key, events, now } = this.#deps;
    if (name === OWN_MACHINE) {
      throw new GatewayError("bad-request", `"${OWN_MACHINE}" is the gateway's own machine. Choose another name.`);
    }
    const before = await findMachine(db, name);
    if (before && before.revokedAt === null && before.publicKey !== null) {
      throw new GatewayError(
        "machine-exists",
        `A machine "${name}" has already joined. Choose another name, or revoke that one first: belay machine revoke ${name}`,
      );
    }
    const { text: token, publicKey: tokenKey } = newJoinToken(key.publicKey);
    const tokenExpiresAt = now() + hours * HOUR_MS;
    await audit.append({ type: "machine.added", actor: by, detail: { name, tokenExpiresAt } });
    const fresh = { publicKey: null, tokenKey, tokenExpiresAt, hostId: null, facts: null, revokedAt: null };
    const times = { createdAt: now(), joinedAt: null, seenAt: null };
    if (before) await claimMachine(db, name, { ...fresh, ...times });
    else await insertMachine(db, { name, ...fresh, ...times });
    events.publish({ type: "machine", name });
    return { name, token };
  }

  /** Ends the connection and its terminals; neither the machine nor an unused token is let in again. */
  async revoke(name: string, by: Actor): Promise<void> {
    const { db, audit, events, fleet, now } = this.#deps;
    const machine = await this.#required(name);
    if (machine.revokedAt !== null) return;
    await audit.append({ type: "machine.revoked", actor: by, detail: { name } });
    await updateMachine(db, name, { revokedAt: now(), tokenKey: null, tokenExpiresAt: null });
    fleet.drop(name);
    this.#since.set(name, now());
    events.publish({ type: "machine", name });
  }

  /** Another gateway may have revoked it: then its connection here ends too. */
  async lookAgain(name: string): Promise<void> {
    const row = await findMachine(this.#deps.db, name);
    if (row && row.revokedAt !== null) this.#deps.fleet.drop(name);
  }

  /** Decides whether a machine that proved its key may connect. */
  admit(machine: ProvedMachine): Promise<JoinVerdict> {
    const mine = this.#turn.then(
      () => this.#admit(machine),
      () => this.#admit(machine),
    );
    this.#turn = mine;
    return mine;
  }

  /** The host of an admitted machine, to which its connection is then handed over. */
  async hostOf(name: string): Promise<MachineHost> {
    const { hostId } = await this.#required(name);
    return this.#deps.fleet.expect(name, hostId);
  }

  /** Called by the fleet. */
  changed(name: string, change: { hostId: string } | "disconnected"): void {
    const { db, audit, events, now } = this.#deps;
    this.#since.set(name, now());
    const isConnected = change !== "disconnected";
    const stored = updateMachine(db, name, { seenAt: now(), ...(isConnected ? { hostId: change.hostId } : {}) });
    const type = isConnected ? "machine.connected" : "machine.away";
    Promise.all([stored, audit.append({ type, actor: { type: "system" }, detail: { name } })]).catch(() => {
      // If the record cannot be written, everything else that needs it reports that.
    });
    events.publish({ type: "machine", name });
  }

  async list(): Promise<MachineView[]> {
    const { db, fleet } = this.#deps;
    const open = await fleet.terminals.list();
    return Promise.all(
      (await listMachines(db)).map(async (row) => {
        const machine = fleet.find(row.name);
        const facts = this.#facts.get(row.name) ?? factsIn(row);
        return {
          name: row.name,
          state: this.#stateOf(row),
          createdAt: row.createdAt,
          seenAt: row.seenAt,
          facts: facts && {
            program: facts.program,
            hostname: facts.hostname,
            platform: facts.platform,
            user: facts.user,
            workspace: facts.workspace,
          },
          skew: facts && facts.program !== `Belay ${VERSION}` ? `Belay ${VERSION}` : null,
          load: machine?.isConnected ? await machine.host.load().catch(() => null) : null,
          openTerminals: open.filter((terminal) => terminal.machine === row.name).length,
        };
      }),
    );
  }

  #stateOf({ name, publicKey, tokenExpiresAt, revokedAt, seenAt }: MachineRow): MachineState {
    if (revokedAt !== null) return { status: "revoked", since: revokedAt };
    if (publicKey === null) return { status: "invited", until: tokenExpiresAt ?? 0 };
    const since = this.#since.get(name) ?? null;
    if (this.#deps.fleet.find(name)?.isConnected) return { status: "connected", since: since ?? this.#deps.now() };
    return { status: "away", since: since ?? seenAt };
  }

  async #admit({ key, tokenKey, facts }: ProvedMachine): Promise<JoinVerdict> {
    const { db, audit, fleet, now } = this.#deps;
    const byToken = tokenKey === null ? undefined : await findMachineByTokenKey(db, tokenKey);
    const row = byToken ?? (await findMachineByKey(db, key));
    if (!row) return tokenKey === null ? refuse("unknown", UNKNOWN) : refuse("token", BAD_TOKEN);
    if (row.revokedAt !== null) return refuse("revoked", `The machine "${row.name}" was revoked.`);
    if (byToken && (byToken.tokenExpiresAt ?? 0) <= now()) return refuse("token", EXPIRED);
    if (commonVersion(MACHINE_PROTOCOL, facts.protocol) === null) return refuse("version", skewOf(facts));
    if (!byToken && fleet.find(row.name)?.isConnected && row.hostId !== facts.hostId)
      return refuse("taken", `A machine "${row.name}" is connected already, by another process.`);
    if (byToken) {
      const { hostname, user, platform } = facts;
      await audit.append({
        type: "machine.joined",
        actor: { type: "system" },
        detail: { name: row.name, hostname, user, platform, key },
      });
      await updateMachine(db, row.name, { publicKey: key, tokenKey: null, tokenExpiresAt: null, joinedAt: now() });
    }
    this.#facts.set(row.name, facts);
    await claimMachine(db, row.name, { facts: JSON.stringify(facts), seenAt: now() });
    return { type: "joined", name: row.name };
  }

  async #required(name: string): Promise<MachineRow> {
    const row = await findMachine(this.#deps.db, name);
    if (row) return row;
    throw new GatewayError("machine-not-found", `No machine "${name}". List the machines to see their names.`);
  }
}

const UNKNOWN =
  "This gateway does not know this machine. Make a token for it (belay machine add NAME) and join with it.";
const BAD_TOKEN =
  "This join token is not valid: each works once, until it is replaced. Make a new one: belay machine add NAME";
const EXPIRED = "This join token has expired. Make a new one: belay machine add NAME";

function factsIn({ facts }: Pick<MachineRow, "facts">): MachineFacts | null {
  return facts === null ? null : (JSON.parse(facts) as MachineFacts);
}

function refuse(reason: Extract<JoinVerdict, { type: "refused" }>["reason"], message: string): JoinVerdict {
  return { type: "refused", reason, message };
}

function skewOf({ program, protocol }: MachineFacts): string {
  return (
    `This machine runs ${program} (protocol ${protocol.min} to ${protocol.max}), and the gateway Belay ${VERSION} ` +
    `(protocol ${MACHINE_PROTOCOL.min} to ${MACHINE_PROTOCOL.max}), which do not understand each other. ` +
    "Install the gateway's version on the machine."
  );
}
