import { hash, timingSafeEqual } from "node:crypto";

/** The stored hash of a token. 256 random bits need no slow hash, because they cannot be guessed. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/** Compares in constant time. */
export function isSameSecret(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
