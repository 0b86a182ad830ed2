import { randomBytes } from "node:crypto";
import { GatewayError } from "../errors.ts";
import { readOrCreate } from "./durable-file.ts";

/** A shorter one could be guessed; an empty one would let anybody sign a session. */
const SHORTEST = 32;

/** A random secret that is made once and kept in a file that only its owner reads. `purpose` says what for, where it cannot be used. */
export function loadSecret(file: string, purpose: string): string {
  const secret = readOrCreate(file, () => randomBytes(32).toString("base64url")).trim();
  if (secret.length >= SHORTEST) return secret;
  throw new GatewayError(
    "key-damaged",
    `${file}, ${purpose}, is ${secret === "" ? "empty" : "too short"}. Restore it from a backup, or remove it to have a new one made when Belay starts.`,
  );
}
