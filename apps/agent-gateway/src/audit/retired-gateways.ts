import type { Actor } from "@belay/protocol";
import { GatewayError } from "../errors.ts";
import { listGateways, retiringGateway } from "../store/postgres/gateways.ts";
import type { PostgresDb } from "../store/postgres/open-database.ts";
import type { AuditLog } from "./audit-log.ts";
import type { GatewayWatch } from "./watch-gateways.ts";

/** A gateway that has used this database. */
export interface GatewayOnRecord {
  number: number;
  name: string;
  silentMs: number;
  isRetired: boolean;
  /** Whether it is the one that answers. */
  isThis: boolean;
}

interface Deps {
  db: PostgresDb;
  audit: AuditLog;
  watch: Pick<GatewayWatch, "closeFor">;
}

/**
 * Gateways that are gone for good. No other gateway could seal such a gateway's chain, so its rows would stay forever.
 * Once an admin has retired it, it cannot come back, and the others remove its old rows and sign that in its place.
 */
export class RetiredGateways {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** All that have ever used the database, in the order in which they joined. */
  async list(): Promise<GatewayOnRecord[]> {
    const { db } = this.#deps;
    return (await listGateways(db)).map(({ number, name, silentMs, retiredAt }) => ({
      ...{ number, name, silentMs },
      isRetired: retiredAt !== null,
      isThis: number === db.gateway,
    }));
  }

  /** Refused while it uses the database. Closes its open commands first; where its chain ends is signed. */
  async retire(number: number, by: Actor): Promise<GatewayOnRecord> {
    const { db, audit, watch } = this.#deps;
    const known = (await this.list()).find((gateway) => gateway.number === number);
    if (!known)
      throw new GatewayError("gateway-not-found", `No gateway has the number ${number}. List them to see all.`);
    if (known.isThis)
      throw new GatewayError("bad-request", "This gateway answers now. Stop it, and retire it at another one.");
    const { name } = known;
    const done = await db.$locks.inPlaceOf(number, async () => {
      await watch.closeFor(number, name);
      await audit.witness();
      await audit.append({ type: "gateway.retired", actor: by, detail: { gateway: number, name } }, (tx) => [
        retiringGateway(tx, number),
      ]);
      return { ...known, isRetired: true };
    });
    if (done !== null) return done;
    const message = `Gateway "${name}" uses the database now. Stop it first; if it is cut off, wait until the database has noticed, about ten seconds.`;
    throw new GatewayError("bad-request", message);
  }

  /** Runs work for each of them, one gateway at a time. */
  async inPlaceOfEach(work: (gateway: number) => Promise<void>): Promise<void> {
    for (const { number, isRetired } of await this.list())
      if (isRetired) await this.#deps.db.$locks.inPlaceOf(number, () => work(number));
  }
}
