import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OverflowFiles, shortHash } from "@belay/core";
import type { AgentId } from "@belay/protocol";

interface Keeping {
  now: () => number;
  maxAgeMs: () => number;
  /** For each agent; null: no limit. */
  maxBytes: () => number | null;
  /** The group of the user that terminals run as; null: Belay's own user. */
  groupId: () => number | null;
}

/** For output without an agent. */
const NO_AGENT = "no-agent";

/**
 * Where outputs are stored that were too long for a reply: a folder for each agent, outside the data folder, which
 * no agent may read. An agent can read its own; the policy keeps it out of the others.
 */
export class OverflowFolders {
  readonly #root = tmpdir();
  readonly #prefix: string;
  readonly #options: Keeping;
  readonly #files = new Map<string, OverflowFiles>();

  constructor({ dataDir, ...keeping }: { dataDir: string } & Keeping) {
    this.#prefix = `belay-output-${shortHash(dataDir)}-`;
    this.#options = keeping;
    // Folders of earlier gateways must still be protected, and cleaned up in time.
    for (const name of readdirSync(this.#root))
      if (name.startsWith(this.#prefix)) this.#open(name.slice(this.#prefix.length));
  }

  of(agentId: AgentId | null): OverflowFiles {
    return this.#files.get(agentId ?? NO_AGENT) ?? this.#open(agentId ?? NO_AGENT);
  }

  foldersOfOthers(agentId: AgentId): string[] {
    return [...this.#files.keys()].filter((owner) => owner !== agentId).map((owner) => this.#folderOf(owner));
  }

  async prune(): Promise<void> {
    for (const files of this.#files.values()) await files.prune();
  }

  #open(owner: string): OverflowFiles {
    const files = new OverflowFiles({ dir: this.#folderOf(owner), ...this.#options });
    this.#files.set(owner, files);
    return files;
  }

  #folderOf(owner: string): string {
    return join(this.#root, this.#prefix + owner);
  }
}
