import { join } from "node:path";
import { AuditLog } from "../../audit/audit-log.ts";
import { Checkpoints } from "../../audit/signing/checkpoints.ts";
import { PostgresStorage } from "../../audit/storage/postgres-storage.ts";
import { POSTGRES_MIGRATIONS_DIR } from "../../paths.ts";
import { loadGatewayId } from "../../store/gateway-id.ts";
import { openPostgres } from "../../store/postgres/open-database.ts";

const AT_ONCE = 20;

/** A gateway's record in a process of its own, which writes without end and prints the number of each row that is durable. */
const [url = "", folder = ""] = process.argv.slice(2);
const db = await openPostgres(url, POSTGRES_MIGRATIONS_DIR, { id: loadGatewayId(folder), mode: "shared" });
const checkpoints = new Checkpoints({ file: join(folder, "checkpoints.jsonl"), keyFile: join(folder, "key.pem") });
const now = () => Date.now();
const storage = await PostgresStorage.open(db, { now, signed: checkpoints.latest() });
await storage.others.publish(checkpoints.publicKey, checkpoints.lastSeal());
const log = new AuditLog({ db, storage, now, checkpoints });
for (;;) {
  const written = await Promise.all(
    Array.from({ length: AT_ONCE }, () => log.append({ type: "gateway.started", actor: { type: "system" } })),
  );
  process.stdout.write(written.map(({ seq }) => `${seq}\n`).join(""));
}
