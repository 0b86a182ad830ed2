import type { CommandId } from "@belay/protocol";
import { listGateways, touchGateway } from "../store/postgres/gateways.ts";
import type { PostgresDb } from "../store/postgres/open-database.ts";
import type { AuditLog } from "./audit-log.ts";
import type { CommandRecords } from "./command-records.ts";

const TOUCH_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 60_000;
/** Long enough to restart a gateway, or its machine: it alone knows how its commands ended. */
export const GONE_AFTER_MS = 15 * 60_000;

interface Deps {
  db: PostgresDb;
  audit: Pick<AuditLog, "witness">;
  records: Pick<CommandRecords, "closeAbandoned">;
  /** Withdraws the question about a command that can no longer run. */
  withdraw: (commandId: CommandId, reason: string) => Promise<void>;
  onClosed: (gateway: { number: number; name: string; commands: number }) => void;
  onFailed: (error: unknown) => void;
}

/**
 * What gateways on one database do for each other: they report that they are running, sign where the others' chains end, and
 * close the commands of a gateway that has been gone for a long time. One that comes back sooner closes its own commands.
 */
export class GatewayWatch {
  readonly #deps: Deps;
  readonly #timers: NodeJS.Timeout[];
  #running: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    const every = (ms: number, work: () => Promise<void>) =>
      setInterval(() => {
        this.#running = this.#running.then(work).catch(deps.onFailed);
      }, ms).unref();
    this.#timers = [every(TOUCH_EVERY_MS, () => this.touch()), every(LOOK_EVERY_MS, () => this.look())];
  }

  /** Takes the locks again too, if the connection was lost: otherwise the others could take an idle gateway for gone. */
  async touch(): Promise<void> {
    const { db } = this.#deps;
    if (await db.$locks.take()) await touchGateway(db);
  }

  async look(): Promise<void> {
    const { db, audit } = this.#deps;
    await audit.witness();
    for (const { number, name, silentMs } of await listGateways(db)) {
      if (number === db.gateway || silentMs < GONE_AFTER_MS) continue;
      // Only while its lock is free: its connection to the database has ended, whatever its clock says.
      await db.$locks.inPlaceOf(number, () => this.closeFor(number, name));
    }
  }

  /** Closes what a gateway that is gone left open. */
  async closeFor(number: number, name: string): Promise<void> {
    const { records, withdraw, onClosed } = this.#deps;
    const closed = await records.closeAbandoned(number);
    for (const id of closed) await withdraw(id, "The gateway that asked is gone, so the command can no longer run.");
    if (closed.length > 0) onClosed({ number, name, commands: closed.length });
  }
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#running;
  }
}
