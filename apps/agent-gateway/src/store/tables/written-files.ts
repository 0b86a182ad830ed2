import type { AgentId } from "@belay/protocol";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../database.ts";
import { writtenFiles } from "../schema.ts";

export interface WrittenFileRow {
  agentId: AgentId;
  workspace: string;
  kind: "file" | "link";
  path: string;
  known: string;
}

/** Oldest first. */
export async function listWrittenFiles(db: Db): Promise<WrittenFileRow[]> {
  return db.select().from(writtenFiles).orderBy(sql`rowid`).all() as WrittenFileRow[];
}

/** `known` is null for a file that is no longer the agent's. A changed one becomes the newest. */
export async function saveWrittenFiles(
  db: Db,
  changes: readonly (Omit<WrittenFileRow, "known"> & { known: string | null })[],
): Promise<void> {
  db.transaction((tx) => {
    for (const { known, ...key } of changes) {
      tx.delete(writtenFiles)
        .where(
          and(
            eq(writtenFiles.agentId, key.agentId),
            eq(writtenFiles.workspace, key.workspace),
            eq(writtenFiles.kind, key.kind),
            eq(writtenFiles.path, key.path),
          ),
        )
        .run();
      if (known !== null)
        tx.insert(writtenFiles)
          .values({ ...key, known })
          .run();
    }
  });
}
