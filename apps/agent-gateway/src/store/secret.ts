import { randomBytes } from "node:crypto";
import { GatewayError } from "../errors.ts";
import { readOrCreate } from "./durable-file.ts";

/** A shorter one could be guessed; with an empty one, or zeros from a failing disk, anyone could sign a session. */
const GOOD_ENOUGH = /^[\x21-\x7e]{32,}$/;

/** A random secret that is created once and kept in a file that only its owner can read. `purpose` is used in the error message. */
export function loadSecret(file: string, purpose: string): string {
  const secret = readOrCreate(file, () => randomBytes(32).toString("base64url")).trim();
  if (GOOD_ENOUGH.test(secret)) return secret;
  throw new GatewayError(
    "key-damaged",
    `${file}, ${purpose}, is ${secret === "" ? "empty" : "damaged"}. Restore it from a backup, or remove it to have a new one made when Belay starts.`,
  );
}
