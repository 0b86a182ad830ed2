import { hash } from "node:crypto";

/** The stored hash of a token. 256 random bits need no slow hash, because they cannot be guessed. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}
