import type { Db } from "../../store/database.ts";
import { yieldToEventLoop } from "../rows.ts";

/** Merges the full-text index in small steps: only merging drops the words of deleted rows. */
export async function mergeSearchIndex({ $client }: Db): Promise<void> {
  const merge = $client.prepare("INSERT INTO audit_search(audit_search, rank) VALUES ('merge', ?)");
  const total = $client.prepare("SELECT total_changes()").pluck();
  let pages = -64; // negative: start a merge of all segments
  let changed: number;
  do {
    const before = Number(total.get());
    merge.run(pages);
    pages = 64;
    changed = Number(total.get()) - before;
    await yieldToEventLoop();
  } while (changed >= 2);
}
