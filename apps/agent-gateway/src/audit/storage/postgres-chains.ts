import { type AuditEvent, ROWS_PER_CHAIN } from "@belay/protocol";
import { eq } from "drizzle-orm";
import { keyOfChain } from "../../store/key-of-chain.ts";
import { listGateways, saveGatewayKey } from "../../store/postgres/gateways.ts";
import type { PostgresDb } from "../../store/postgres/open-database.ts";
import { change, rowsOf } from "../../store/queries.ts";
import { toEvent } from "../rows.ts";
import type { Binding } from "../signing/checkpoints.ts";
import type { OtherChain, OtherChains } from "./storage.ts";

const GENESIS = "audit-genesis";
const SEAL = "audit-seal";

/** The chains of the other gateways in the same PostgreSQL database. */
export class PostgresChains implements OtherChains {
  readonly #db: PostgresDb;

  constructor(db: PostgresDb) {
    this.#db = db;
  }

  async heads(): Promise<Binding[]> {
    const { $sql, gateway } = this.#db;
    const rows = await $sql`
      SELECT number, meta.value AS genesis, last.seq, last.hash FROM gateways
      JOIN meta ON meta.key = ${GENESIS} || CASE number WHEN 0 THEN '' ELSE ':' || number END
      JOIN LATERAL (
        SELECT seq, hash FROM audit_events
        WHERE seq > number * ${ROWS_PER_CHAIN}::bigint AND seq <= (number + 1) * ${ROWS_PER_CHAIN}::bigint
        ORDER BY seq DESC LIMIT 1
      ) AS last ON true
      WHERE number <> ${gateway} ORDER BY number`;
    return rows.map((row) => ({
      gateway: Number(row.number),
      genesis: String(row.genesis),
      seq: Number(row.seq),
      hash: String(row.hash),
    }));
  }

  async list(expected: readonly number[]): Promise<OtherChain[]> {
    const registered = await listGateways(this.#db);
    const numbers = new Set([...registered.map(({ number }) => number), ...expected, ...(await this.#withRows())]);
    numbers.delete(this.#db.gateway);
    const chains = [...numbers].sort((a, b) => a - b);
    return Promise.all(
      chains.map(async (gateway) => {
        const known = registered.find(({ number }) => number === gateway);
        return {
          gateway,
          name: known?.name ?? "unknown",
          isRegistered: known !== undefined,
          genesis: (await this.#value(GENESIS, gateway)) ?? "",
          publicKey: known?.publicKey ?? null,
          seal: await this.#value(SEAL, gateway),
          isRetired: known !== undefined && known.retiredAt !== null,
        };
      }),
    );
  }

  async redactions(): Promise<AuditEvent[]> {
    const { orm, auditEvents } = this.#db;
    const rows = await rowsOf(orm.select().from(auditEvents).where(eq(auditEvents.type, "audit.redacted")));
    return rows.map(toEvent);
  }

  async publish(publicKey: string, seal: string | null): Promise<void> {
    await saveGatewayKey(this.#db, publicKey);
    if (seal !== null) await this.publishFor(this.#db.gateway, seal);
  }

  async publishFor(gateway: number, seal: string): Promise<void> {
    const { orm, meta } = this.#db;
    const row = { key: keyOfChain(SEAL, gateway), value: seal };
    await change(
      orm
        .insert(meta)
        .values(row)
        .onConflictDoUpdate({ target: meta.key, set: { value: seal } }),
    );
  }

  async #value(name: string, gateway: number): Promise<string | null> {
    const { orm, meta } = this.#db;
    const row = orm
      .select()
      .from(meta)
      .where(eq(meta.key, keyOfChain(name, gateway)));
    return (await rowsOf(row))[0]?.value ?? null;
  }

  /** The chains that have rows, whether their gateways are known or not: one step in the index for each. */
  async #withRows(): Promise<number[]> {
    const rows = await this.#db.$sql`
      WITH RECURSIVE chains (number) AS (
        (SELECT (seq - 1) / ${ROWS_PER_CHAIN}::bigint FROM audit_events ORDER BY seq LIMIT 1)
        UNION ALL
        SELECT (
          SELECT (seq - 1) / ${ROWS_PER_CHAIN}::bigint FROM audit_events
          WHERE seq > (chains.number + 1) * ${ROWS_PER_CHAIN}::bigint ORDER BY seq LIMIT 1
        ) FROM chains WHERE chains.number IS NOT NULL
      )
      SELECT number FROM chains WHERE number IS NOT NULL`;
    return rows.map(({ number }) => Number(number));
  }
}
