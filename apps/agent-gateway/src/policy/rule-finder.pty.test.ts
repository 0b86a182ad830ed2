import { expect, test } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

test("W12 X11 rules are suggested from approvals, with what they save; accepted ones apply", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const answer = await asker(gateway, admin);
  for (let times = 0; times < 3; times += 1) await answer("invented-tool --check", "approve");
  await answer("other-tool a && invented-tool --fast", "approve");

  const before = await admin.policy.fewerQuestions.query({ days: 7 });
  const best = before.found[0];
  await admin.policy.acceptRules.mutate({ rules: best?.rules ?? [] });
  const after = await admin.policy.fewerQuestions.query({ days: 7 });

  expect(before).toMatchObject({ asked: 4, approved: 4, refused: 0, saved: 4 });
  expect(best).toMatchObject({
    saved: 3,
    covers: [{ text: "invented-tool --check", count: 3 }],
    alsoAllows: [],
    rules: [{ program: "invented-tool", args: ["--check"], exactArgs: true }],
  });
  expect(best?.withstands.length).toBeGreaterThan(5);
  expect(before.found[1]?.rules).toHaveLength(2);
  expect(await admin.policy.check.query({ command: "invented-tool --check" })).toMatchObject({ decision: "allow" });
  expect(after.found.map(({ key }) => key)).not.toContain(best?.key);
});

test("W12 X11 a rule that would have allowed a refused command is not suggested", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const answer = await asker(gateway, admin);
  await answer("invented-tool --check", "approve");
  await answer("invented-tool --check", "deny");
  await answer("other-tool", "approve");

  const { found } = await admin.policy.fewerQuestions.query({ days: 7 });

  expect(found.map(({ rules }) => rules.map(({ program }) => program))).toEqual([["other-tool"]]);
});

test("W12 a dismissed suggestion does not come back", async () => {
  const gateway = await startTestGateway();
  const admin = await gateway.asPerson("admin");
  const answer = await asker(gateway, admin);
  await answer("invented-tool --check", "approve");

  const { found } = await admin.policy.fewerQuestions.query({ days: 7 });
  await admin.policy.dismissRules.mutate({ rules: found[0]?.rules ?? [] });

  expect(found).toHaveLength(1);
  expect((await admin.policy.fewerQuestions.query({ days: 7 })).found).toEqual([]);
});

/** Requests a command as an agent, and answers as a person. */
async function asker(gateway: TestGateway, admin: Awaited<ReturnType<TestGateway["asPerson"]>>) {
  const agent = await gateway.connectAgent();
  return async (command: string, decision: "approve" | "deny") => {
    const asked = nextApproval(gateway);
    const reply = agent.call("terminal", { command });
    await admin.approvals.decide.mutate({ id: (await asked).id, decision });
    await reply;
  };
}
