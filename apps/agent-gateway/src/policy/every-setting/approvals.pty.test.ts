import { expect, test } from "vitest";
import { nextApproval } from "../../testing/next-approval.ts";
import { proveSettings } from "../../testing/prove-settings.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import { TestAgent } from "../../testing/test-agent.ts";

// Settings of approvals and profiles, each set to something other than its default. Each test claims those in its name.

proveSettings();

const UNKNOWN = "some-unknown-program";

test("settings approval.ownAgents", async () => {
  const answers = [];
  for (const ownAgents of ["approve", "refuse-only"] as const) {
    const gateway = await startTestGateway({ security: { approval: { ownAgents } } });
    const admin = await gateway.asPerson("admin");
    const { token } = await admin.agents.add.mutate({ name: "mine" });
    const agent = await TestAgent.connect(gateway.url(), token);
    const reply = agent.call("terminal", { command: UNKNOWN });
    const { id } = await nextApproval(gateway);
    const approve = admin.approvals.decide.mutate({ id, decision: "approve", scope: { type: "once" } });
    answers.push(await approve.then(() => "approved").catch((error: Error) => error.message));
    // Another person may approve, and refusing is always possible.
    if (ownAgents === "refuse-only") await admin.approvals.decide.mutate({ id, decision: "deny" });
    await reply;
    await agent.close();
  }

  expect(answers).toEqual([
    "approved",
    "This agent acts for you, and the policy requires another person to approve for it. You can refuse it.",
  ]);
});

test("settings approval.passOn.afterMinutes .webhooks", async () => {
  const passOn = { afterMinutes: 1, webhooks: ["whk-later"] };
  const gateway = await startTestGateway({ security: { approval: { passOn } } });

  // webhooks.test.ts proves the effect; this proves that the active policy is used.
  expect(gateway.webhooks.passOn()).toEqual(passOn);
});

test("settings approval.tellNames", async () => {
  const refusals = [];
  for (const tellNames of [false, true]) {
    const gateway = await startTestGateway({ security: { approval: { tellNames } } });
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");
    const reply = agent.call("terminal", { command: UNKNOWN });
    const { id } = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id, decision: "deny", message: "Not today." });
    refusals.push((await reply).output);
  }

  expect(refusals).toEqual([
    "Not run: an operator refused it: Not today.",
    "Not run: operator (operator) refused it: Not today.",
  ]);
});

test("settings approval.approvers .approversNeeded and rules.*.approvers .approversNeeded", async () => {
  const rules = [
    { id: "two", decision: "ask", program: "tool-for-two", approversNeeded: 2 },
    { id: "admins", decision: "ask", program: "tool-for-admins", approvers: ["admin"] },
  ];
  const gateway = await startTestGateway({ security: { approval: { approvers: ["operator", "admin"] }, rules } });
  const strict = await startTestGateway({ security: { approval: { approvers: ["admin"], approversNeeded: 3 } } });

  const questions = [
    await questionFor(gateway, UNKNOWN),
    await questionFor(gateway, "tool-for-two"),
    await questionFor(gateway, "tool-for-admins"),
    await questionFor(strict, UNKNOWN),
  ];

  expect(questions).toMatchObject([
    { approvers: ["operator", "admin"], approversNeeded: 1 },
    { approvers: ["operator", "admin"], approversNeeded: 2 },
    { approvers: ["admin"], approversNeeded: 1 },
    { approvers: ["admin"], approversNeeded: 3 },
  ]);
});

test("settings approval.timeouts.unknownMs .dangerousMs and approval.sessionsTimeouts.unknownMs .dangerousMs", async () => {
  const timeouts = { unknownMs: 7_040_000, dangerousMs: 7_041_000 };
  const sessionsTimeouts = { unknownMs: 7_042_000, dangerousMs: 7_043_000 };
  const security = { approval: { timeouts, sessionsTimeouts }, dangerousCommands: ["^some-dangerous-program"] };
  const gateway = await startTestGateway({ security });
  const waits: number[] = [];

  for (const toolset of ["unified", "sessions"] as const) {
    for (const command of [UNKNOWN, "some-dangerous-program"]) {
      const { createdAt, expiresAt } = await questionFor(gateway, command, toolset);
      waits.push((expiresAt ?? 0) - createdAt);
    }
  }

  expect(waits).toEqual([7_040_000, 7_041_000, 7_042_000, 7_043_000]);
});

test("setting profiles.*.description is shown to admins", async () => {
  const security = { profiles: { careful: { description: "Asks for everything." } } };
  const gateway = await startTestGateway({ security });
  const admin = await gateway.asPerson("admin");

  const wrong = admin.agents.add.mutate({ name: "a", profile: "no-such" });

  await expect(wrong).rejects.toThrow("careful (Asks for everything.)");
});

let agents = 0;

/** Has a new agent request something, returns what a person would see, and refuses it. */
async function questionFor(gateway: TestGateway, command: string, toolset = "unified") {
  const agent = await gateway.connectAgent({ name: `asker-${agents++}`, toolset });
  const operator = await gateway.asPerson("admin");
  const asked = nextApproval(gateway);
  const name = toolset === "sessions" ? "bash" : "terminal";
  const reply = agent.client.callTool({ name, arguments: { command } });
  const approval = await asked;
  await operator.approvals.decide.mutate({ id: approval.id, decision: "deny" });
  await reply;
  return approval;
}
