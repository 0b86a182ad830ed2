import type { AuditEvent } from "@belay/protocol";

export type ExportFormat = "jsonl" | "csv";

const COLUMNS = ["seq", "time", "type", "actor", "actorId", "commandId", "terminalId", "detail", "hash"] as const;

/** The header of an export. */
export function exportHead(format: ExportFormat): string {
  return format === "csv" ? `${COLUMNS.join(",")}\r\n` : "";
}

/** Rows as lines of the export. */
export function exportRows(format: ExportFormat, events: readonly AuditEvent[]): string {
  if (format === "jsonl") return events.map((event) => `${JSON.stringify(event)}\n`).join("");
  return events.map((event) => `${cellsOf(event).map(toCell).join(",")}\r\n`).join("");
}

function cellsOf({ seq, at, type, actor, commandId, terminalId, detail, hash }: AuditEvent): string[] {
  const actorId = "id" in actor ? actor.id : "";
  const time = new Date(at).toISOString();
  return [
    String(seq),
    time,
    type,
    actor.type,
    actorId,
    commandId ?? "",
    terminalId ?? "",
    JSON.stringify(detail),
    hash,
  ];
}

/**
 * A spreadsheet evaluates a cell that starts like a formula, and agents choose the content
 * of these: a leading apostrophe makes it text. Quotes are doubled as in RFC 4180.
 */
function toCell(value: string): string {
  const safe = /^\s*[=+\-@|%]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
