import { emptyMemory, type FileMemory, mergeFileMemory } from "@belay/policy";
import type { AgentId } from "@belay/protocol";
import type { Db } from "../../store/database.ts";
import { listWrittenFiles, saveWrittenFiles, type WrittenFileRow } from "../../store/tables/written-files.ts";

/**
 * The files and links that each agent made in a workspace, in any of its terminals.
 *
 * They outlive terminals and the gateway: a file written in one terminal yesterday is still the
 * agent's own code when another terminal runs it today.
 */
export class AgentFiles {
  readonly #db: Db;
  readonly #memories = new Map<string, FileMemory>();

  static async open(db: Db): Promise<AgentFiles> {
    const opened = new AgentFiles(db);
    const rows = new Map<string, WrittenFileRow[]>();
    for (const row of await listWrittenFiles(db)) {
      const key = keyOf(row.agentId, row.workspace);
      rows.set(key, [...(rows.get(key) ?? []), row]);
    }
    for (const [key, own] of rows) opened.#memories.set(key, memoryOf(own));
    return opened;
  }

  private constructor(db: Db) {
    this.#db = db;
  }

  of(agentId: AgentId, workspace: string): FileMemory {
    return this.#memories.get(keyOf(agentId, workspace)) ?? emptyMemory;
  }

  /** Stores what one command changed, without losing concurrent changes. */
  async keep(agentId: AgentId, workspace: string, before: FileMemory, after: FileMemory): Promise<void> {
    const now = this.of(agentId, workspace);
    const next = mergeFileMemory(now, before, after);
    const changes = [...changesOf("file", now.files, next.files), ...changesOf("link", now.links, next.links)];
    if (changes.length === 0) return;
    await saveWrittenFiles(
      this.#db,
      changes.map((change) => ({ ...change, agentId, workspace })),
    );
    this.#memories.set(keyOf(agentId, workspace), next);
  }
}

const keyOf = (agentId: AgentId, workspace: string) => `${agentId} ${workspace}`;

function memoryOf(rows: readonly WrittenFileRow[]): FileMemory {
  const known = (kind: WrittenFileRow["kind"]) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ path, known }) => [path, JSON.parse(known)]));
  return { files: known("file"), links: known("link") };
}

function changesOf(
  kind: WrittenFileRow["kind"],
  now: Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
) {
  if (now === next) return [];
  const changes: { kind: WrittenFileRow["kind"]; path: string; known: string | null }[] = [];
  for (const path of Object.keys(now)) if (!Object.hasOwn(next, path)) changes.push({ kind, path, known: null });
  for (const [path, value] of Object.entries(next)) {
    const known = JSON.stringify(value);
    if (!Object.hasOwn(now, path) || JSON.stringify(now[path]) !== known) changes.push({ kind, path, known });
  }
  return changes;
}
