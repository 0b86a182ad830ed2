import type { TerminalInfo } from "@belay/protocol";
import { expect, test } from "vitest";
import { type Arrangement, arrange } from "./arrange-terminals.ts";
import type { TerminalView } from "./use-terminals.ts";

const view = (
  id: string,
  tone: TerminalView["words"]["tone"],
  agent: string | null,
  info: Partial<TerminalInfo> = {},
): TerminalView => ({
  info: { id, owner: "agent", cwd: "/srv/app", createdAt: 0, ...info } as TerminalInfo,
  words: { text: `${tone} things`, tone },
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

test("W1 what needs a person comes first, then what is at work, then the newest", () => {
  expect(ids({})).toEqual([[null, "pty-asks", "pty-busy", "pty-new", "pty-old", "pty-mine"]]);
});

test.each([
  ["attention", ["pty-asks"]],
  ["busy", ["pty-busy"]],
  ["people", ["pty-mine"]],
] as const)("W1 the filter %s keeps what it says", (filter, expected) => {
  expect(ids({ filter })).toEqual([[null, ...expected]]);
});

test("W1 a search finds every word somewhere: agent, folder, state", () => {
  expect(ids({ search: "BUILDER web" })).toEqual([[null, "pty-busy"]]);
  expect(ids({ search: "nothing like it" })).toEqual([]);
});

test("W1 terminals can be grouped by agent, and people's are a group too", () => {
  expect(ids({ byAgent: true })).toEqual([
    ["tester", "pty-asks", "pty-new"],
    ["builder", "pty-busy", "pty-old"],
    ["People", "pty-mine"],
  ]);
});
