import type { AgentId } from "@belay/protocol";
import { and, eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { queriesOf, rowsOf, write } from "../queries.ts";

export interface WrittenFileRow {
  agentId: AgentId;
  workspace: string;
  kind: "file" | "link";
  path: string;
  known: string;
}

/** Oldest first. */
export async function listWrittenFiles(db: Db): Promise<WrittenFileRow[]> {
  const { orm, writtenFiles, writtenOrder } = queriesOf(db);
  return (await rowsOf(orm.select().from(writtenFiles).orderBy(writtenOrder))) as WrittenFileRow[];
}

/** `known` is null for a file that is no longer the agent's. A changed one becomes the newest. */
export async function saveWrittenFiles(
  db: Db,
  changes: readonly (Omit<WrittenFileRow, "known"> & { known: string | null })[],
): Promise<void> {
  await queriesOf(db).commitAll((tx) => {
    const { orm, writtenFiles } = queriesOf(tx);
    return changes.flatMap(({ known, ...key }) => {
      const isIt = and(
        eq(writtenFiles.agentId, key.agentId),
        eq(writtenFiles.workspace, key.workspace),
        eq(writtenFiles.kind, key.kind),
        eq(writtenFiles.path, key.path),
      );
      const removal = write(orm.delete(writtenFiles).where(isIt));
      return known === null ? [removal] : [removal, write(orm.insert(writtenFiles).values({ ...key, known }))];
    });
  });
}
