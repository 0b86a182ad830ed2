import { expect, test } from "vitest";
import type { CommandRequest } from "../commands/submit-command.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { openTestRecord } from "../testing/write-record.ts";
import { CommandRecords } from "./command-records.ts";

test("G2 at the database's page limit no command starts, and with room again the chain continues", async () => {
  const { db, clock, open } = openTestRecord();
  const audit = open();
  const records = new CommandRecords({ db, audit, now: () => clock.now });
  const pages = Number(db.$client.pragma("page_count", { simple: true }));
  db.$client.pragma(`max_page_count = ${pages + 20}`);
  let begun = 0;
  const submit = (index: number) =>
    records.record(request(index), async (step) => {
      await step("command.started", { line: "x".repeat(2_000) });
      begun += 1;
      return { status: "frozen" };
    });

  let refused: unknown = null;
  for (let index = 0; refused === null && index < 1_000; index += 1)
    await submit(index).catch((error) => (refused = error));
  const begunBefore = begun;
  const again = await submit(2_000).catch((error: unknown) => error);
  db.$client.pragma("max_page_count = 1000000");
  const after = await submit(3_000);

  expect(refused).toMatchObject({ code: "record-not-written", message: expect.stringContaining("full") });
  expect(again).toMatchObject({ code: "record-not-written" });
  expect(begun).toBe(begunBefore + 1);
  expect(after).toEqual({ status: "frozen" });
  expect(await audit.verify()).toMatchObject({ ok: true });
});

function request(index: number): CommandRequest {
  const agent = { id: "agt-1", name: "tester", profile: "standard" } as unknown as AgentRow;
  const wait = { type: "idle", idleMs: null, timeoutMs: 0 } as const;
  return {
    commandId: `cmd-${index}`,
    agent,
    origin: "unified",
    act: { type: "run", terminalId: "pty-1", line: "x".repeat(2_000), wait },
  };
}
