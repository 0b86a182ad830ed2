import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { GatewayError } from "../errors.ts";
import { readOrCreate } from "./durable-file.ts";

/** The id by which a shared database and other gateways know this one. It stays the same as long as the data folder does. */
export function loadGatewayId(dataDir: string): string {
  const file = join(dataDir, "gateway-id");
  const id = readOrCreate(file, () => `gtw-${randomBytes(10).toString("hex")}`).trim();
  if (/^gtw-[0-9a-f]{20}$/.test(id)) return id;
  throw new GatewayError(
    "key-damaged",
    `${file}, which says which gateway this is, is damaged. Restore it from a backup. If you remove it, this gateway begins a new chain of the record beside its old one.`,
  );
}
