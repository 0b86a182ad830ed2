import type { AuditRow } from "@belay/agent-gateway/router";

type Json = AuditRow["detail"][string];

export interface Change {
  name: string;
  before: Json | undefined;
  after: Json | undefined;
  isChanged: boolean;
}

/** A row's values before and after, field by field, changed ones first; null if it has neither. */
export function changesOf(detail: AuditRow["detail"]): Change[] | null {
  if (!("before" in detail) || !("after" in detail)) return null;
  const before = fieldsOf(detail.before);
  const after = fieldsOf(detail.after);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => ({
      name,
      before: before[name],
      after: after[name],
      isChanged: JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    }))
    .sort((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

function fieldsOf(value: Json | undefined): Record<string, Json> {
  if (value === undefined || value === null) return {};
  return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, Json>) : { value };
}
