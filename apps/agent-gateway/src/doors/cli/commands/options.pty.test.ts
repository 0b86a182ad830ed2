import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Approval } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { belayJson, runBelay, signInOnCommandLine } from "../../../testing/belay-process.ts";
import { TestAgent } from "../../../testing/test-agent.ts";
import { VERSION } from "../../../version.ts";

const HOUR_MS = 3_600_000;

interface Row {
  detail: { name?: string; scope?: unknown; expiresAt?: number };
}

test("W7 G7 the command line limits an agent's terminals and token, and how long a machine's token can be used", async () => {
  const dataDir = temporaryDir();
  const from = Date.now();

  await belayJson(dataDir, "machine", "add", "box", "--hours", "3");
  await belayJson(dataDir, "agent", "add", "builder", "--max-terminals", "3", "--expires", "2");
  const agents = (await belayJson(dataDir, "agent", "list")) as { expiresAt: number }[];
  const machines = (await belayJson(dataDir, "machine", "list")) as { state: { until: number } }[];

  expect(agents).toMatchObject([{ name: "builder", maxTerminals: 3 }]);
  expect(agents.map(({ expiresAt }) => Math.floor((expiresAt - from) / HOUR_MS))).toEqual([48]);
  expect(machines.map(({ state }) => Math.floor((state.until - from) / HOUR_MS))).toEqual([3]);
});

test("G7 a machine joins with the token that its command line names", async () => {
  const dataDir = temporaryDir();
  const url = await runBelay(dataDir, ["start"]).ready;
  const { token } = (await belayJson(dataDir, "machine", "add", "box")) as { token: string };
  const statuses = async () => {
    const machines = (await belayJson(dataDir, "machine", "list")) as { state: { status: string } }[];
    return machines.map(({ state }) => state.status);
  };
  const before = await statuses();

  runBelay(temporaryDir(), ["host", "--join", url, "--token", token]);

  expect(before).toEqual(["invited"]);
  await vi.waitFor(async () => expect(await statuses()).toEqual(["connected"]), { timeout: 30_000, interval: 100 });
});

test("W5 each filter of the record on the command line leaves out other rows", async () => {
  const dataDir = temporaryDir();
  await belayJson(dataDir, "machine", "add", "box");
  await belayJson(dataDir, "machine", "add", "other");
  const filters: [string, string][] = [
    ["--machine", "box"],
    ["--person", "no-such-person"],
    ["--terminal", "pty-0000000000000000"],
    ["--command", "cmd-0000000000000000"],
    ["--verdict", "deny"],
  ];
  const found: Record<string, unknown[]> = {};

  // One after the other: each opens the data folder for itself.
  for (const [flag, value] of filters) {
    const rows = (await belayJson(dataDir, "audit", "search", flag, value)) as Row[];
    found[flag] = rows.map(({ detail }) => detail.name);
  }

  expect(found).toEqual({ "--machine": ["box"], "--person": [], "--terminal": [], "--command": [], "--verdict": [] });
  expect(await belayJson(dataDir, "audit", "tail", "--lines", "1")).toMatchObject([{ detail: { name: "other" } }]);
});

test("W3 the command line approves for longer, runs an edited command, and refuses with a message", async () => {
  const { dataDir, agent } = await startWithAgent();
  const answer = async (verb: "approve" | "deny", command: string, ...options: string[]) => {
    const reply = agent.call("terminal", { command });
    reply.catch(() => {}); // it fails if the test does
    const id = await vi.waitFor(() => findWaiting(dataDir), { timeout: 30_000, interval: 100 });
    await belayJson(dataDir, "approvals", verb, id, ...options);
    return reply;
  };

  await answer("approve", "invented-tool --one", "--terminal");
  await answer("approve", "invented-tool --two", "--minutes", "7");
  await answer("approve", "invented-tool --three", "--always");
  const edited = await answer("approve", "invented-tool --four", "--edit", "echo edited");
  const refused = await answer("deny", "invented-tool --five", "--message", "Not today.");
  const rows = (await belayJson(dataDir, "audit", "search", "--type", "approval.answered")) as Row[];
  const waiting = await belayJson(dataDir, "approvals", "list");
  const all = await belayJson(dataDir, "approvals", "list", "--all");

  expect(rows.map(({ detail }) => detail.scope ?? null).reverse()).toMatchObject([
    { type: "terminal" },
    { type: "minutes", minutes: 7 },
    { type: "always" },
    { type: "once" },
    null,
  ]);
  expect([waiting, all]).toEqual([[], expect.objectContaining({ length: 5 })]);
  expect(edited).toMatchObject({ output: "edited" });
  expect(JSON.stringify(refused)).toContain("Not today.");
});

test("W7 W8 the command line names an agent's machines and isolation, a person, how long an invitation works, and ends sessions", async () => {
  const dataDir = temporaryDir();
  await runBelay(dataDir, ["start"]).ready;
  await signInOnCommandLine(dataDir);
  const from = Date.now();

  await belayJson(dataDir, "machine", "add", "box");
  await belayJson(dataDir, "agent", "add", "roamer", "--machines", "box", "--isolation", "none");
  await belayJson(dataDir, "user", "add", "ada@belay.test", "--role", "viewer", "--name", "Ada");
  const people = await belayJson(dataDir, "user", "list");
  const agents = await belayJson(dataDir, "agent", "list");
  await belayJson(dataDir, "user", "invite", "--days", "3");
  const invited = (await belayJson(dataDir, "audit", "search", "--type", "person.invited")) as Row[];
  const ended = await belayJson(dataDir, "user", "sessions", "admin@belay.test", "--end");
  const after = await runBelay(dataDir, ["user", "list"]).ended;

  expect(agents).toMatchObject([{ name: "roamer", machines: "box", isolation: "none" }]);
  expect(people).toContainEqual(expect.objectContaining({ email: "ada@belay.test", name: "Ada" }));
  expect(invited.map(({ detail }) => Math.floor(((detail.expiresAt ?? 0) - from) / HOUR_MS))).toEqual([72]);
  expect(ended).toHaveLength(1);
  expect(after).toMatchObject({ code: 1, stderr: expect.stringContaining("This needs a person") });
});

test("X7 policy simulate replays a draft on as many commands as its option says", async () => {
  const { dataDir, agent } = await startWithAgent();
  for (const word of ["first", "second", "third"]) await agent.call("terminal", { command: `echo ${word}` });
  const draft = join(dataDir, "draft.json");
  writeFileSync(draft, '{ "commandDenyPatterns": ["^echo"] }');
  const simulate = (...options: string[]) => belayJson(dataDir, "policy", "simulate", draft, ...options);

  const all = await simulate();
  const latest = await simulate("--last", "2");

  const denied = (...words: string[]) =>
    words.map((word) => ({ line: `echo ${word}`, before: "allow", after: "deny" }));
  expect(all).toMatchObject({ judged: 3, changed: 3, changes: denied("third", "second", "first") });
  expect(latest).toMatchObject({ judged: 2, changed: 2, changes: denied("third", "second") });
});

test("G8 the command line names its version", async () => {
  const { code, stdout } = await runBelay(temporaryDir(), ["--version"]).ended;

  expect([code, stdout]).toEqual([0, `${VERSION}\n`]);
});

test("G5 the link that creates the first admin is printed, unless the output goes to a log", async () => {
  const printed = async (...flags: string[]) => {
    const gateway = runBelay(temporaryDir(), ["start", ...flags]);
    await gateway.ready;
    gateway.child.kill("SIGTERM");
    return (await gateway.ended).stdout;
  };

  expect(await printed()).toContain("/setup#");
  expect(await printed("--no-setup-link")).not.toContain("/setup#");
});

async function findWaiting(dataDir: string): Promise<string> {
  const [waiting] = (await belayJson(dataDir, "approvals", "list")) as Approval[];
  if (!waiting) throw new Error("Nothing waits yet.");
  return waiting.id;
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-cli-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A gateway whose admin has signed in on the command line, and an agent of it. */
async function startWithAgent() {
  const dataDir = temporaryDir();
  const url = await runBelay(dataDir, ["start"]).ready;
  await signInOnCommandLine(dataDir);
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  onTestFinished(() => agent.close());
  return { dataDir, agent };
}
