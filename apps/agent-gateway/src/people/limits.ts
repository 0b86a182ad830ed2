import { createHash } from "node:crypto";
import type { PostgresDb } from "../store/postgres/open-database.ts";
import { clearTries, countFailure, countTry, forgetOldTries, takeTurn } from "../store/postgres/tries.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";
import { LocalFailures, type SignInFailures, type Trier } from "./sign-in-limit.ts";

/** How attempts to guess a password or a link are counted. */
export interface Limits {
  rateLimit: RateLimit;
  failures: SignInFailures;
}

/** In the memory of this gateway: the only one. */
export function localLimits(): Limits {
  return { rateLimit: createRateLimit(), failures: new LocalFailures() };
}

/** In the database, so that several gateways allow no more than one. */
export function sharedLimits(db: PostgresDb): Limits {
  return {
    rateLimit: {
      consume: async (key, { window, max }) => {
        await forgetOldTries(db);
        const { count, leftMs } = await countTry(db, hashed("request", key), window * 1000);
        return count <= max
          ? { allowed: true, retryAfter: null }
          : { allowed: false, retryAfter: Math.ceil(leftMs / 1000) };
      },
    },
    failures: {
      waitMs: (who, rule) => takeTurn(db, keyOf(who), rule),
      wrong: (who, { forgottenAfterMs }) => countFailure(db, keyOf(who), forgottenAfterMs),
      right: (who) => clearTries(db, keyOf(who)),
      clear: (email) => clearTries(db, `${hashed("person", email.toLowerCase())} `),
    },
  };
}

function keyOf({ email, address }: Trier): string {
  return `${hashed("person", email.toLowerCase())} ${hashed("address", address)}`;
}

/** Addresses are not kept longer than needed, and not in readable form. */
function hashed(kind: string, text: string): string {
  return createHash("sha256").update(`${kind} ${text}`).digest("base64url");
}
