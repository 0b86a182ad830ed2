import type { TerminalInfo } from "@belay/protocol";
import { expect, test } from "vitest";
import { type Arrangement, arrange, countByFilter } from "./arrange-terminals.ts";
import type { TerminalView } from "./use-terminals.ts";

const view = (
  id: string,
  tone: TerminalView["words"]["tone"],
  agent: string | null,
  info: Partial<TerminalInfo> = {},
): TerminalView => ({
  info: { id, owner: "agent", cwd: "/srv/app", createdAt: 0, ...info } as TerminalInfo,
  words: { text: `${tone} things`, line: null, since: null, tone },
  agent,
  approvalId: null,
});

const VIEWS = [
  view("pty-old", "quiet", "builder", { createdAt: 1 }),
  view("pty-new", "quiet", "tester", { createdAt: 2 }),
  view("pty-busy", "busy", "builder", { cwd: "/srv/web" }),
  view("pty-asks", "attention", "tester"),
  view("pty-mine", "quiet", null, { owner: "user" }),
];
const ids = (change: Partial<Arrangement>) =>
  arrange(VIEWS, { filter: "all", search: "", byAgent: false, ...change }).map(({ name, views }) => [
    name,
    ...views.map(({ info }) => info.id),
  ]);

test("W1 terminals that need a person come first, then working ones, then the newest", () => {
  expect(ids({})).toEqual([
    ["Needs you", "pty-asks"],
    ["Running", "pty-busy"],
    ["Idle", "pty-new", "pty-old", "pty-mine"],
  ]);
  expect(countByFilter(VIEWS, "")).toEqual({ all: 5, attention: 1, busy: 1, idle: 3, people: 1 });
});

test.each([
  ["attention", ["Needs you", "pty-asks"]],
  ["busy", ["Running", "pty-busy"]],
  ["idle", ["Idle", "pty-new", "pty-old", "pty-mine"]],
  ["people", ["Idle", "pty-mine"]],
] as const)("W1 the filter %s keeps only its terminals", (filter, expected) => {
  expect(ids({ filter })).toEqual([expected]);
});

test("W1 a search matches all words in any field: agent, folder, state", () => {
  expect(ids({ search: "BUILDER web" })).toEqual([["Running", "pty-busy"]]);
  expect(ids({ search: "nothing like it" })).toEqual([]);
});

test("W1 terminals are grouped by agent, with a group for people's own", () => {
  expect(ids({ byAgent: true })).toEqual([
    ["tester", "pty-asks", "pty-new"],
    ["builder", "pty-busy", "pty-old"],
    ["People", "pty-mine"],
  ]);
});
