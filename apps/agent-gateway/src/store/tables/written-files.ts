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

/** The same path is another file on another gateway's machine. Workspaces of the first one begin with a slash. */
const OF_ANOTHER = /^\d+:/;
function prefixOf(gateway: number): string {
  return gateway === 0 ? "" : `${gateway}:`;
}

/** Those of this gateway's machine, oldest first. */
export async function listWrittenFiles(db: Db): Promise<WrittenFileRow[]> {
  const { orm, writtenFiles, writtenOrder, gateway } = queriesOf(db);
  const prefix = prefixOf(gateway);
  const rows = (await rowsOf(orm.select().from(writtenFiles).orderBy(writtenOrder))) as WrittenFileRow[];
  return rows
    .filter(({ workspace }) => workspace.startsWith(prefix) && (prefix !== "" || !OF_ANOTHER.test(workspace)))
    .map((row) => ({ ...row, workspace: row.workspace.slice(prefix.length) }));
}

/** `known` is null for a file that is no longer the agent's. A changed one becomes the newest. */
export async function saveWrittenFiles(
  db: Db,
  changes: readonly (Omit<WrittenFileRow, "known"> & { known: string | null })[],
): Promise<void> {
  await queriesOf(db).commitAll((tx) => {
    const { orm, writtenFiles, gateway } = queriesOf(tx);
    return changes.flatMap(({ known, ...file }) => {
      const key = { ...file, workspace: `${prefixOf(gateway)}${file.workspace}` };
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
