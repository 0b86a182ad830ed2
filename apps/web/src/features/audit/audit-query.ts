import type { AuditSearch } from "@belay/agent-gateway/router";

/** Common time ranges; `custom` has its own start and end. */
export const RANGES = {
  "1h": { label: "Last hour", ms: 3_600_000 },
  "24h": { label: "Last 24 hours", ms: 24 * 3_600_000 },
  "7d": { label: "Last 7 days", ms: 7 * 24 * 3_600_000 },
  "30d": { label: "Last 30 days", ms: 30 * 24 * 3_600_000 },
} as const;
export type Range = keyof typeof RANGES;

/** The keys of the address that make up the query. */
export const QUERY_KEYS = [
  "text",
  "range",
  "from",
  "to",
  "agent",
  "person",
  "kind",
  "verdict",
  "program",
  "terminal",
  "command",
  "machine",
] as const;
export type QueryKey = (typeof QUERY_KEYS)[number];
export type AuditQuery = Partial<Record<QueryKey, string>>;

/** The query for the gateway. A relative range is fixed at `now`, so that all pages of a result fit together. */
export function filterOf(query: AuditQuery, kinds: readonly string[], now: number): AuditSearch {
  const range = RANGES[query.range as Range] as { ms: number } | undefined;
  const from = range ? now - range.ms : momentOf(query.from);
  const to = range ? undefined : momentOf(query.to);
  const types = query.kind ? kinds.filter((kind) => belongsTo(kind, query.kind ?? "")) : [];
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(query.agent ? { agentId: query.agent } : {}),
    ...(query.person ? { personId: query.person } : {}),
    ...(query.terminal ? { terminalId: query.terminal } : {}),
    ...(query.command ? { commandId: query.command } : {}),
    ...(query.machine ? { machine: query.machine } : {}),
    ...(types.length > 0 ? { types } : {}),
    ...(query.verdict ? { verdict: query.verdict } : {}),
    ...(query.program ? { program: query.program } : {}),
    ...(query.text ? { text: query.text } : {}),
  } as AuditSearch;
}

/** The download address for exactly this query. */
export function exportAddress(filter: AuditSearch, format: "csv" | "jsonl"): string {
  const query = new URLSearchParams({ format });
  for (const [key, value] of Object.entries(filter)) query.set(key, String(value));
  return `/api/audit/export?${query}`;
}

/** A group (`terminal`) includes all of its kinds; a kind (`terminal.created`) only itself. */
function belongsTo(kind: string, chosen: string): boolean {
  return kind === chosen || groupOf(kind) === chosen;
}

export function groupOf(kind: string): string {
  const [group = kind] = kind.split(".");
  return group === "agents" ? "agent" : group;
}

function momentOf(text: string | undefined): number | undefined {
  const at = text ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
