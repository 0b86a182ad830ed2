import type { TerminalView } from "./use-terminals.ts";

export type Filter = "all" | "attention" | "busy" | "people";

export interface Arrangement {
  filter: Filter;
  /** Words that all have to occur, wherever. */
  search: string;
  byAgent: boolean;
}

export interface TerminalGroup {
  name: string | null;
  views: TerminalView[];
}

const RANK = { attention: 0, busy: 1, quiet: 2, ended: 3 } as const;

/** What needs a person first, then what is at work, then the newest. */
export function arrange(views: readonly TerminalView[], { filter, search, byAgent }: Arrangement): TerminalGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = views
    .filter((view) => passes(view, filter) && words.every((word) => haystack(view).includes(word)))
    .sort((a, b) => RANK[a.words.tone] - RANK[b.words.tone] || b.info.createdAt - a.info.createdAt);
  if (!byAgent) return shown.length === 0 ? [] : [{ name: null, views: shown }];
  const groups = new Map<string, TerminalView[]>();
  for (const view of shown) {
    const name = view.agent ?? "People";
    groups.set(name, [...(groups.get(name) ?? []), view]);
  }
  return [...groups].map(([name, members]) => ({ name, views: members }));
}

function passes({ info, words }: TerminalView, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "people":
      return info.owner === "user";
    case "attention":
    case "busy":
      return words.tone === filter;
  }
}

function haystack({ info, words, agent }: TerminalView): string {
  return [info.id, info.name, info.title, info.cwd, agent, words.text, info.command?.join(" ")].join(" ").toLowerCase();
}
