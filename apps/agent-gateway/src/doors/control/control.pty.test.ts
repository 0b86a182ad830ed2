import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Approval, AuditEvent } from "@belay/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { belayJson, runBelay, signInOnCommandLine } from "../../testing/belay-process.ts";
import { TestAgent } from "../../testing/test-agent.ts";

const BELAY = fileURLToPath(new URL("../../../bin/belay.mjs", import.meta.url));

/** Commands that need a role: a program that merely runs as the same user must not succeed. */
const GUARDED: [path: string, input: object][] = [
  ["policy.save", { text: "{}", basedOn: "default" }],
  ["policy.rollBack", { seq: 1 }],
  ["policy.settleProposal", { id: "prp-1", decision: "accept" }],
  ["people.add", { email: "eve@belay.test", name: "Eve", role: "admin", password: "correct horse battery" }],
  ["people.setRole", { email: "admin@belay.test", role: "viewer" }],
  ["people.setPassword", { email: "admin@belay.test", password: "correct horse battery" }],
  ["people.invite", { role: "admin" }],
  ["gateway.release", { scope: "*" }],
  ["agents.update", { name: "tester", profile: "trusted" }],
  ["audit.prune", { auditDays: 1 }],
  ["trash.empty", {}],
];

test("S8 neither a bare connection nor the control token is a person", async () => {
  const { dataDir, approval } = await gatewayThatAsks();
  await belayJson(dataDir, "user", "add", "admin@belay.test", "--role", "admin");
  const token = readFileSync(join(dataDir, "keys", "control-token"), "utf8");
  const acts: [string, object][] = [["approvals.decide", { id: approval.id, decision: "approve" }], ...GUARDED];

  const bare = await Promise.all(acts.map(([path, input]) => post(dataDir, path, input)));
  const withToken = await Promise.all(
    acts.map(([path, input]) => post(dataDir, path, input, { "x-belay-control-token": token })),
  );
  const bareSetUp = await post(dataDir, "agents.add", { name: "eve" });

  expect([...bare, ...withToken]).toEqual(acts.concat(acts).map(() => 401));
  expect(bareSetUp).toBe(401);
});

test("S8 a script adds agents with the control token, but none with more rights than the policy's default profile", async () => {
  const dataDir = await temporaryDir();
  const security = { profiles: { loose: { safe: "allow", unknown: "ask", dangerous: "allow" } } };
  await writeFile(join(dataDir, "security.json"), JSON.stringify(security));
  await runBelay(dataDir, ["start"]).ready;

  const added = await belayJson(dataDir, "agent", "add", "worker");
  const strict = await belayJson(dataDir, "agent", "add", "careful", "--profile", "restricted");
  const add = (...args: string[]) => runBelay(dataDir, ["agent", "add", "eve", ...args, "--json"]).ended;
  const refused = [await add("--profile", "loose"), await add("--profile", "trusted"), await add("--workspace", "/")];
  await signInOnCommandLine(dataDir);
  const byPerson = await belayJson(dataDir, "agent", "add", "eve", "--profile", "trusted");

  expect(added).toMatchObject({ name: "worker", token: expect.stringMatching(/^blt_/) });
  expect(strict).toMatchObject({ profile: "restricted" });
  for (const ended of refused) {
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/Only an admin adds an agent.*belay login/) });
  }
  expect(byPerson).toMatchObject({ profile: "trusted" });
});

test("S8 a signed-in person is recognised only in their own kernel session, and is named in the record", async () => {
  const { dataDir, approval } = await gatewayThatAsks();
  await signInOnCommandLine(dataDir);

  const elsewhere = await inNewSession(dataDir, ["approvals", "approve", approval.id, "--json"]);
  const here = (await belayJson(dataDir, "approvals", "approve", approval.id)) as Approval;
  const events = (await belayJson(dataDir, "audit", "search", "--type", "approval.answered")) as AuditEvent[];
  const [person] = (await belayJson(dataDir, "user", "list")) as { id: string }[];

  expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining("This needs a person") });
  expect(here.state).toMatchObject({ status: "approved", by: [person?.id] });
  expect(events).toMatchObject([{ actor: { type: "person", id: person?.id } }]);
});

test("S8 neither another connection's challenge nor another process's pid proves anything", async () => {
  const { dataDir, approval } = await gatewayThatAsks();
  await signInOnCommandLine(dataDir);
  const input = { id: approval.id, decision: "approve" };
  const title = process.title;
  onTestFinished(() => {
    process.title = title;
  });

  const mine = new Agent({ keepAlive: true, maxSockets: 1 });
  const other = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => [mine, other].forEach((agent) => void agent.destroy()));
  process.title = JSON.parse((await send(dataDir, "challenge", null, {}, mine)).body).word;
  const claims = { "x-belay-process": String(process.pid) };
  const stolen = await send(dataDir, "approvals.decide", input, claims, other);
  const wrongPid = await send(dataDir, "approvals.decide", input, { "x-belay-process": String(process.ppid) }, mine);

  expect([stolen.status, wrongPid.status]).toEqual([401, 401]);
});

test("S8 signing out ends the session, and a wrong password starts none", async () => {
  const dataDir = await temporaryDir();
  await runBelay(dataDir, ["start"]).ready;
  await signInOnCommandLine(dataDir);

  const known = await runBelay(dataDir, ["release", "--json"]).ended;
  await belayJson(dataDir, "logout");
  const after = await runBelay(dataDir, ["release", "--json"]).ended;
  const wrong = await runBelay(dataDir, ["login", "admin@belay.test", "--password-stdin"], [], "not this one").ended;

  expect([known.code, after.code, wrong.code]).toEqual([0, 1, 1]);
  expect(wrong.stderr).toContain("do not match");
});

test("S8 an admin who lost their password gets back in by stopping Belay", async () => {
  const dataDir = await temporaryDir();
  const gateway = runBelay(dataDir, ["start"]);
  await gateway.ready;
  await belayJson(dataDir, "user", "add", "ada@belay.test", "--role", "admin");

  const whileUp = await runBelay(dataDir, ["user", "password", "ada@belay.test", "--json"]).ended;
  gateway.child.kill("SIGTERM");
  await gateway.ended;
  const whileDown = await belayJson(dataDir, "user", "password", "ada@belay.test");

  expect(whileUp).toMatchObject({ code: 1, stderr: expect.stringContaining("This needs a person") });
  expect(whileDown).toMatchObject({ email: "ada@belay.test", password: expect.any(String) });
});

async function gatewayThatAsks(): Promise<{ dataDir: string; approval: Approval }> {
  const dataDir = await temporaryDir();
  const url = await runBelay(dataDir, ["start"]).ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  onTestFinished(() => agent.close());
  agent.call("terminal", { command: "invented-program" }).catch(() => {}); // it ends with the gateway
  const approval = await vi.waitFor(
    async () => {
      const [waiting] = (await belayJson(dataDir, "approvals", "list")) as Approval[];
      if (!waiting) throw new Error("Nothing waits yet.");
      return waiting;
    },
    { timeout: 30_000, interval: 200 },
  );
  return { dataDir, approval };
}

/** How agents' programs end up outside their terminal: same user, same files, another session. */
async function inNewSession(dataDir: string, args: string[]): Promise<{ code: number | null; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: dataDir, BELAY_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [BELAY, ...args], { env, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr };
}

async function post(dataDir: string, path: string, input: object, headers: Record<string, string> = {}) {
  return (await send(dataDir, path, input, headers)).status;
}

function send(
  dataDir: string,
  path: string,
  input: object | null,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: join(dataDir, "control.sock"),
        path: `/${path}`,
        method: input === null ? "GET" : "POST",
        headers: { "content-type": "application/json", ...headers },
        ...(agent ? { agent } : {}),
      },
      (incoming) => {
        let body = "";
        incoming.on("data", (chunk) => (body += chunk));
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, body }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(input === null ? undefined : JSON.stringify(input));
  });
}

async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "belay-control-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
