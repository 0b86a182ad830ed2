import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readOrCreate } from "../store/durable-file.ts";

/** By which other gateways know this one. It stays the same as long as the data folder does. */
export function loadGatewayId(dataDir: string): string {
  return readOrCreate(join(dataDir, "gateway-id"), () => `gtw-${randomBytes(10).toString("hex")}`).trim();
}
