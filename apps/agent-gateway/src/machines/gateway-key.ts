import { join } from "node:path";
import { keyOfPem, newKeyPem, type SigningKey } from "@belay/core";
import { GatewayError } from "../errors.ts";
import { readOrCreate } from "../store/durable-file.ts";

/** The key that identifies this gateway to machines. If it is lost, every machine has to join again. */
export function loadGatewayKey(dataDir: string): SigningKey {
  const file = join(dataDir, "keys", "machines.pem");
  const pem = readOrCreate(file, newKeyPem);
  try {
    return keyOfPem(pem);
  } catch (error) {
    throw new GatewayError(
      "key-damaged",
      `${file}, by which other machines know this gateway, is damaged. Restore it from a backup, or remove it and have every machine join again.`,
      { cause: error },
    );
  }
}
