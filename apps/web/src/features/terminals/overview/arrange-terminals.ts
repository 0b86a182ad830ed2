import type { TerminalView } from "./use-terminals.ts";

export type Filter = "all" | "attention" | "busy" | "idle" | "people";

export interface Arrangement {
  filter: Filter;
  /** Words that must all occur, in any field. */
  search: string;
  byAgent: boolean;
}

export interface TerminalGroup {
  name: string;
  views: TerminalView[];
}

const RANK = { attention: 0, busy: 1, quiet: 2, ended: 3 } as const;
const SECTIONS = { attention: "Needs you", busy: "Running", quiet: "Idle", ended: "Ended" } as const;

/** In sections: needing a person, then working, then the rest, each with the newest first. Or by agent. */
export function arrange(views: readonly TerminalView[], { filter, search, byAgent }: Arrangement): TerminalGroup[] {
  const shown = matching(views, search)
    .filter((view) => passes(view, filter))
    .sort((a, b) => RANK[a.words.tone] - RANK[b.words.tone] || b.info.createdAt - a.info.createdAt);
  const groups = new Map<string, TerminalView[]>();
  for (const view of shown) {
    const name = byAgent ? (view.agent ?? "People") : SECTIONS[view.words.tone];
    const group = groups.get(name);
    if (group) group.push(view);
    else groups.set(name, [view]);
  }
  return [...groups].map(([name, members]) => ({ name, views: members }));
}

/** How many terminals each filter would show. */
export function countByFilter(views: readonly TerminalView[], search: string): Record<Filter, number> {
  const found = matching(views, search);
  const count = (filter: Filter) => found.filter((view) => passes(view, filter)).length;
  return {
    all: found.length,
    attention: count("attention"),
    busy: count("busy"),
    idle: count("idle"),
    people: count("people"),
  };
}

function matching(views: readonly TerminalView[], search: string): TerminalView[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return views.filter((view) => words.every((word) => haystack(view).includes(word)));
}

function passes({ info, words }: TerminalView, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "people":
      return info.owner === "user";
    case "idle":
      return words.tone === "quiet";
    case "attention":
    case "busy":
      return words.tone === filter;
  }
}

function haystack({ info, words, agent }: TerminalView): string {
  return [
    info.id,
    info.machine,
    info.name,
    info.title,
    info.cwd,
    agent,
    words.text,
    words.line,
    info.command?.join(" "),
  ]
    .join(" ")
    .toLowerCase();
}
