import { expect, test } from "vitest";
import { exportAddress, filterOf } from "./audit-query.ts";

const kinds = ["command.opened", "command.judged", "agent.added", "agents.frozen"];

test("W5 the address determines the query", () => {
  const query = {
    range: "1h",
    agent: "agt-1",
    kind: "command",
    verdict: "deny",
    program: "git",
    machine: "build-1",
    text: "force push",
  };

  expect(filterOf(query, kinds, 10_000_000)).toEqual({
    from: 10_000_000 - 3_600_000,
    agentId: "agt-1",
    types: ["command.opened", "command.judged"],
    verdict: "deny",
    program: "git",
    machine: "build-1",
    text: "force push",
  });
  expect(filterOf({}, kinds, 0)).toEqual({});
  expect(filterOf({ kind: "agents.frozen" }, kinds, 0)).toEqual({ types: ["agents.frozen"] });
  expect(filterOf({ kind: "agent" }, kinds, 0)).toEqual({ types: ["agent.added", "agents.frozen"] });
  expect(filterOf({ from: "2026-03-01T10:00", to: "nonsense" }, kinds, 0)).toEqual({
    from: new Date("2026-03-01T10:00").getTime(),
  });
});

test("W5 an export has the same query", () => {
  const address = exportAddress(filterOf({ kind: "command", text: "a & b" }, kinds, 0), "csv");

  expect(address).toBe("/api/audit/export?format=csv&types=command.opened%2Ccommand.judged&text=a+%26+b");
});
