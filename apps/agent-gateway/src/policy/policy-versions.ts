import type { Actor } from "@belay/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import {
  insertPolicyVersion,
  latestPolicySeq,
  listPolicyVersions,
  type PolicyVersion,
} from "../store/tables/policy-versions.ts";
import { versionOf } from "./policy-file.ts";

interface Deps {
  db: Db;
  audit: AuditLog;
  now: () => number;
}

/** The numbered versions of the policy, which all gateways on a database share, and which of them is active here. */
export class PolicyVersions {
  readonly #deps: Deps;
  /** The number of the active version; 0 before the first. */
  #active = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async latest(): Promise<PolicyVersion | undefined> {
    const [latest] = await listPolicyVersions(this.#deps.db, 1);
    return latest;
  }

  /** The one that another gateway, or an earlier start of this one, has recorded is active here now. */
  activated({ seq }: Pick<PolicyVersion, "seq">): void {
    this.#active = seq;
  }

  isActive({ seq }: Pick<PolicyVersion, "seq">): boolean {
    return seq === this.#active;
  }

  /** Whether another gateway has saved a policy that is not active here yet. */
  async isBehind(): Promise<boolean> {
    return (await latestPolicySeq(this.#deps.db)) !== this.#active;
  }

  /** Records the next version. Of two gateways that save at the same moment, the database refuses the second. */
  async record({ text, before, author, note }: NewVersion): Promise<void> {
    const { audit, now } = this.#deps;
    const seq = this.#active + 1;
    const version = versionOf(text);
    try {
      await audit.append({ type: "policy.changed", actor: author, detail: { before, after: version, note } }, (db) => [
        insertPolicyVersion(db, { seq, version, text, at: now(), author, note }),
      ]);
    } catch (error) {
      if (!(await this.isBehind().catch(() => false))) throw error;
      throw new GatewayError(
        "policy-changed",
        "Another gateway has saved a policy at the same moment. Look at the new one, and make your change again.",
        { cause: error },
      );
    }
    this.#active = seq;
  }
}

/**
 * The latest version that is recorded. In an empty database, this text becomes the first one, and the result is null; unless
 * another gateway that starts at the same moment was faster.
 */
export async function latestOrFirst(versions: PolicyVersions, text: string | null): Promise<PolicyVersion | null> {
  const latest = await versions.latest();
  if (latest) return latest;
  try {
    await versions.record({ text, before: null, author: { type: "system" }, note: "The first one." });
    return null;
  } catch (error) {
    const others = error instanceof GatewayError && error.code === "policy-changed" ? await versions.latest() : null;
    if (!others) throw error;
    return others;
  }
}

interface NewVersion {
  text: string | null;
  /** The version that it replaces; null for the first. */
  before: string | null;
  author: Actor;
  note: string;
}
