import type { PoolEvent } from "@belay/core";
import type { AgentId, CommandId, CommandReport, TerminalId, TerminalInfo } from "@belay/protocol";
import { expect, test } from "vitest";
import { isOwnEvent } from "./own-events.ts";

const [HERE, ELSEWHERE]: [TerminalId, TerminalId] = ["pty-onthemachine", "pty-onanotherone"];
const [OWN, OTHER]: [AgentId, AgentId] = ["agt-workshere", "agt-workselsewhere"];
const terminal = { id: HERE, agentId: OWN } as TerminalInfo;
const known = {
  isThere: (id: TerminalId) => id === HERE,
  terminals: () => [terminal],
  hasAsked: (id: CommandId) => id === "cmd-asked",
};

function asked(terminalId: TerminalId | null, agentId: AgentId): PoolEvent {
  const wanted = { host: "example.com", port: 443, kind: "public" } as const;
  return { type: "connectionAsked", connection: { id: "cmd-asked", terminalId, agentId, ...wanted, program: [] } };
}

test.each<[string, PoolEvent, boolean]>([
  ["the end of its own command", { type: "commandFinished", report: reportOf(HERE) }, true],
  ["the end of another's command", { type: "commandFinished", report: reportOf(ELSEWHERE) }, false],
  ["a connection of its own terminal", asked(HERE, OWN), true],
  ["a connection of its own agent, whose program has ended", asked(null, OWN), true],
  ["a connection for an agent elsewhere", asked(null, OTHER), false],
  ["a connection of its own terminal for an agent elsewhere", asked(HERE, OTHER), false],
  ["a connection of a terminal elsewhere", asked(ELSEWHERE, OWN), false],
  ["its own terminal", { type: "changed", terminal }, true],
  ["a terminal elsewhere", { type: "closed", terminal: { ...terminal, id: ELSEWHERE } }, false],
  ["the end of a program whose connection it asked about", { type: "connectionGone", id: "cmd-asked" }, true],
  ["the end of a program elsewhere", { type: "connectionGone", id: "cmd-other" }, false],
  ["git settings there", { type: "gitConfigRestored", restored: restoredIn(HERE) }, true],
  ["git settings elsewhere", { type: "gitConfigRestored", restored: restoredIn(ELSEWHERE) }, false],
])("G7 a machine can report about what runs on it, and nothing else: %s", (_, event, isOwn) => {
  expect(isOwnEvent(event, known)).toBe(isOwn);
});

function reportOf(terminalId: TerminalId): CommandReport {
  const ended = { state: "completed", evidence: "marker", exitCode: 0, cwd: "/", durationMs: 1 } as const;
  return { commandId: "cmd-ended", terminalId, ...ended, startPosition: 0, endPosition: 0 };
}

function restoredIn(terminalId: TerminalId) {
  return { terminalIds: [terminalId], file: "/w/.git/config", keys: ["core.fsmonitor"] };
}
