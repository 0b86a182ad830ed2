import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { keyOfSeed, newSeed, parseJoinToken, type SigningKey } from "@belay/core";
import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import { createOrReplaceFile } from "../../store/durable-file.ts";

const Stored = z.object({
  /** The only gateway that this machine takes calls from. */
  gatewayKey: z.string(),
  /** The seed of this machine's own key. */
  seed: z.string(),
  /** The public half of the token that it joined with, or is to join with. */
  tokenKey: z.string(),
  /** Where it joined, so that a restart needs no options; null until it has. */
  joined: z.object({ url: z.string(), name: z.string() }).nullable(),
});

/** Who this machine is, and which gateway it belongs to. */
export interface Identity {
  key: SigningKey;
  gatewayKey: string;
  joined: { url: string; name: string } | null;
  /** The token to join with; null if it has joined before. */
  token: ReturnType<typeof parseJoinToken> | null;
  /** The gateway let it in: it does so from now on without a token. */
  keep(joined: { url: string; name: string }): Promise<void>;
}

/** Reads who this machine is; a token makes it a new machine of the token's gateway. */
export async function loadIdentity(dataDir: string, tokenText: string | null): Promise<Identity> {
  const file = join(dataDir, "keys", "machine.json");
  const stored = await read(file);
  const token = tokenText === null ? null : parseJoinToken(tokenText);
  if (!stored && !token) {
    throw new GatewayError(
      "bad-request",
      "This machine has not joined a gateway yet. Make a token on the gateway (belay machine add NAME), and pass it in BELAY_JOIN_TOKEN or --token.",
    );
  }
  const write = (identity: z.infer<typeof Stored>) =>
    createOrReplaceFile(file, `${JSON.stringify(identity, null, 2)}\n`);
  // A service keeps its token in its environment: once it was used, it is ignored. A different token means joining again.
  const isNew = !stored || (token !== null && token.key.publicKey !== stored.tokenKey);
  const current = isNew && token ? newIdentity(token) : stored;
  if (!current) throw new Error("There is neither a token nor an identity."); // was reported above
  // Before it is used: a token works once, and the key that it let in must not be lost.
  if (isNew) write(current);
  return {
    key: keyOfSeed(Buffer.from(current.seed, "base64url")),
    gatewayKey: current.gatewayKey,
    joined: current.joined,
    token: current.joined === null ? token : null,
    keep: async (joined) => write({ ...current, joined }),
  };
}

function newIdentity({ gatewayKey, key }: ReturnType<typeof parseJoinToken>): z.infer<typeof Stored> {
  return { gatewayKey, seed: newSeed().toString("base64url"), tokenKey: key.publicKey, joined: null };
}

async function read(file: string): Promise<z.infer<typeof Stored> | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return Stored.parse(JSON.parse(text));
  } catch (error) {
    throw new GatewayError(
      "key-damaged",
      `${file}, which says who this machine is, is damaged. Remove it, and join again with a new token.`,
      { cause: error },
    );
  }
}
