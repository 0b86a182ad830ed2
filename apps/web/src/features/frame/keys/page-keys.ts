/** One or several keys, and what they do. */
export type KeyLine = readonly [keys: readonly string[], does: string];

const HELP: KeyLine = [["?"], "These keys"];
const SEARCH: KeyLine = [["/"], "Search"];
const LIST: readonly KeyLine[] = [
  [["j", "k"], "Next, previous"],
  [["esc"], "Close the details"],
];

const APPROVALS: readonly KeyLine[] = [
  [["j", "k"], "Next, previous"],
  [["a"], "Run it"],
  [["y"], "Yes: run a dangerous command, or all selected ones"],
  [["1", "2", "3", "4"], "Once, this terminal, 15 minutes, always"],
  [["e"], "Edit it first"],
  [["d"], "Refuse, with a message"],
  [["s"], "Select all similar ones"],
  [["J"], "Select it and the next one"],
  [["o"], "Open its terminal"],
  [["esc"], "Back"],
];

/** The keys of each page, by its path. */
const KEYS: Readonly<Record<string, readonly KeyLine[]>> = {
  "/": [SEARCH],
  "/terminal": [
    [["Ctrl", "Shift", "L"], "Leave the terminal"],
    [["Ctrl", "Shift", "F"], "Search it"],
    [["Ctrl", "Shift", "K"], "Go to any page, agent, terminal or command"],
  ],
  "/approvals": APPROVALS,
  "/audit": [SEARCH, ...LIST],
  "/replays": [SEARCH],
  "/replay": [
    [["space"], "Play, pause"],
    [["n", "p"], "Next, previous command"],
  ],
  "/agents": LIST,
  "/machines": LIST,
  "/people": LIST,
};

export function keysOf(path: string): readonly KeyLine[] {
  return KEYS[path] ?? [];
}

/** What works on every page. */
export function keysEverywhere(isMac: boolean): readonly KeyLine[] {
  return [[isMac ? ["⌘", "K"] : ["Ctrl", "K"], "Go to any page, agent, terminal or command"], HELP];
}
