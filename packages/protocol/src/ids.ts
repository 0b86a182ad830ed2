import { z } from "zod";

/**
 * An id is a prefix that says what it names, and 80 bits in base 32. The bits are random; in a command's id they also
 * include the time. Ids are names, not keys: knowing one grants no access.
 */
const idOf = <Prefix extends string>(prefix: Prefix) =>
  z.templateLiteral([z.literal(prefix), "-", z.string().regex(/[0-9a-z]{1,40}/)]);

export const TerminalId = idOf("pty");
export const CommandId = idOf("cmd");
export const ApprovalId = idOf("apr");
export const AgentId = idOf("agt");

export type TerminalId = z.infer<typeof TerminalId>;
export type CommandId = z.infer<typeof CommandId>;
export type ApprovalId = z.infer<typeof ApprovalId>;
export type AgentId = z.infer<typeof AgentId>;

type IdPrefix = "pty" | "cmd" | "apr" | "agt" | "prp" | "shr" | "whk" | "inv" | "cnv";

// Crockford's alphabet in lower case: without i, l, o and u, which are easily confused.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** How many random bytes `formatId` needs. */
export const ID_RANDOM_BYTES = 16;

/** Turns random bytes into an id. Randomness comes from the caller, so that this package stays pure. */
export function formatId<Prefix extends IdPrefix>(prefix: Prefix, random: Uint8Array): `${Prefix}-${string}` {
  let name = "";
  for (const byte of random.subarray(0, ID_RANDOM_BYTES)) name += ALPHABET[byte & 31];
  return `${prefix}-${name}`;
}
