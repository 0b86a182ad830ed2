import type { AuditEvent } from "@belay/protocol";
import { type ExportFormat, exportHead, exportRows } from "./export-format.ts";
import type { AuditFilter } from "./search/filter.ts";
import type { AuditPage, PageRequest } from "./search/search.ts";

const ROWS_PER_PAGE = 500;

/** The matching rows as text, oldest first, page by page: the record may not fit into memory. */
export async function* exportRecord(
  search: (page: PageRequest) => Promise<AuditPage>,
  format: ExportFormat,
): AsyncGenerator<string> {
  yield exportHead(format);
  for await (const events of pages(search)) yield exportRows(format, events);
}

async function* pages(search: (page: PageRequest) => Promise<AuditPage>): AsyncGenerator<AuditEvent[]> {
  let cursor: number | null = null;
  do {
    const page: AuditPage = await search({ cursor, limit: ROWS_PER_PAGE, order: "oldest" });
    yield page.events;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** What the record says about an export. */
export function describeExport(format: ExportFormat, filter: AuditFilter): Record<string, string | number | string[]> {
  return { format, ...(filter as Record<string, string | number | string[]>) };
}
