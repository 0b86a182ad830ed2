import { randomBytes } from "node:crypto";
import { GatewayError } from "../errors.ts";
import { readOrCreate } from "./durable-file.ts";

/** A shorter one could be guessed; an empty one, or the zeros that a disk may leave, would let anybody sign a session. */
const GOOD_ENOUGH = /^[\x21-\x7e]{32,}$/;

/** A random secret that is made once and kept in a file that only its owner reads. `purpose` says what for, where it cannot be used. */
export function loadSecret(file: string, purpose: string): string {
  const secret = readOrCreate(file, () => randomBytes(32).toString("base64url")).trim();
  if (GOOD_ENOUGH.test(secret)) return secret;
  throw new GatewayError(
    "key-damaged",
    `${file}, ${purpose}, is ${secret === "" ? "empty" : "damaged"}. Restore it from a backup, or remove it to have a new one made when Belay starts.`,
  );
}
