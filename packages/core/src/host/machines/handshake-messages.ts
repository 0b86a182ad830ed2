import { createHash } from "node:crypto";
import { z } from "zod";
import { VersionRange } from "../wire/messages.ts";

/**
 * The messages by which a machine joins a gateway, before the first frame:
 *
 *     machine → gateway   begin     a nonce
 *     gateway → machine   gateway   its key, a nonce and its clock, signed
 *     machine → gateway   machine   its key and what it is, signed; the first time also signed with its token's key
 *     gateway → machine   joined, or refused
 *
 * The gateway proves itself first, so that a machine reveals nothing to any other server. No secret is ever sent: each
 * key is proved by a signature over both nonces, which cannot be replayed.
 */

const Nonce = z.string().regex(/^[\w-]{43}$/);
const Key = z.string().regex(/^[\w-]{43}$/);
const Signature = z.string().regex(/^[\w-]{86}$/);

export const Begin = z.object({ type: z.literal("begin"), nonce: Nonce });

export const GatewayProof = z.object({
  type: z.literal("gateway"),
  key: Key,
  nonce: Nonce,
  /** The gateway's clock, by which deadlines are measured. */
  now: z.int(),
  signature: Signature,
});

/** What a machine says about itself. */
export const MachineFacts = z.object({
  program: z.string().max(100),
  protocol: VersionRange,
  /** Identifies the process that holds the terminals. */
  hostId: z.string().max(64),
  hostname: z.string().max(255),
  platform: z.string().max(64),
  user: z.string().max(255),
  home: z.string().max(4096),
  /** Where shells start unless a folder is chosen. */
  workspace: z.string().max(4096),
  dataDir: z.string().max(4096),
  /** The PATH of its terminals. */
  path: z.string().max(65_536),
});
export type MachineFacts = z.infer<typeof MachineFacts>;

export const MachineProof = z.object({
  type: z.literal("machine"),
  key: Key,
  signature: Signature,
  /** The public half of the token's key, and its signature: only to join for the first time. */
  token: z.object({ key: Key, signature: Signature }).optional(),
  facts: MachineFacts,
});
export type MachineProof = z.infer<typeof MachineProof>;

export const RefusalReason = z.enum(["unknown", "revoked", "token", "version", "taken"]);
export type RefusalReason = z.infer<typeof RefusalReason>;

export const Verdict = z.discriminatedUnion("type", [
  z.object({ type: z.literal("joined"), name: z.string() }),
  z.object({ type: z.literal("refused"), reason: RefusalReason, message: z.string() }),
]);
export type Verdict = z.infer<typeof Verdict>;

/** Signed, because a machine that learns that it was revoked ends its terminals. */
export const SignedVerdict = z.object({ verdict: z.string(), signature: Signature });

export interface Nonces {
  machine: string;
  gateway: string;
}

/** What the gateway signs to prove itself. */
export function gatewayStatement({ machine, gateway }: Nonces, now: number): Buffer {
  return digest("belay-gateway-1", machine, gateway, String(now));
}

/** What a machine signs, with its own key and with that of its token. */
export function machineStatement(
  { machine, gateway }: Nonces,
  keys: { gateway: string; machine: string },
  facts: MachineFacts,
): Buffer {
  // Parsed first, so that both sides have the same fields in the same order.
  const text = JSON.stringify(MachineFacts.parse(facts));
  return digest("belay-machine-1", machine, gateway, keys.gateway, keys.machine, text);
}

/** Names one connection of one machine to one gateway: every signature within it is bound to it. */
export function connectionName(nonces: Nonces, keys: { gateway: string; machine: string }): Buffer {
  return digest("belay-connection-1", nonces.machine, nonces.gateway, keys.gateway, keys.machine);
}

/** What the gateway signs when it accepts or refuses a machine. */
export function verdictStatement(connection: Buffer, verdict: string): Buffer {
  return digest("belay-verdict-1", connection.toString("base64url"), verdict);
}

/** Includes the length of each part, so that different lists have different digests. */
function digest(...parts: string[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
}

export function parseAs<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null; // invalid; neither side explains errors to an unknown peer
  }
}
