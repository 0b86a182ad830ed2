import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import { expect, onTestFinished, type TestContext, test, vi } from "vitest";
import type { BelayProcess } from "../testing/belay-process.ts";
import { fillDisk } from "../testing/disks/fill-disk.ts";
import { type PrivateMount, tmpfsMount } from "../testing/disks/private-mount.ts";
import { hostPidsOf } from "../testing/end-host.ts";
import { TestAgent } from "../testing/test-agent.ts";

// Generous limits, because the machine may be busy.
const patience = { timeout: 40_000, interval: 100 };

test("G2 a command that ends on a full disk reports its real result, and is recorded once there is room", async (context) => {
  const { mount, gateway, agent, url, folder } = await start(context);
  const [began, gate] = [join(folder, "began"), join(folder, "gate")];
  const command = `touch ${began}; until [ -e ${gate} ]; do sleep 0.02; done; echo done`;
  const running = agent.call("terminal", { command, idle_ms: 40_000 });
  await vi.waitFor(() => expect(existsSync(began)).toBe(true), patience);

  const filler = mount.inside(gateway, "filler");
  fillDisk(filler);
  writeFileSync(gate, "");
  const reply = await running;
  const fullDisk = await fetch(`${url}/readyz`);
  rmSync(filler);

  expect(reply).toMatchObject({ state: "completed", exit_code: 0, output: "done" });
  expect(reply.hint).toContain("It ran, and its end is not on record yet");
  expect(fullDisk.status).toBe(503);
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patience);
  const closed = await rows(mount, gateway, "command.closed");
  expect(closed).toMatchObject([{ detail: { status: "ran", exitCode: 0 } }]);
  expect(await verify(mount, gateway)).toMatchObject({ ok: true });
  expectSurvivalRow("the disk is full when a command ends", {
    belay: "keeps its result, and records it as soon as there is room",
    says: "to the agent (it ran, its end is not on record yet), and in `/readyz`",
  });
});

test("G2 a command reported as not run never runs, even after a restart, however full the disk is", async (context) => {
  const { mount, gateway, agent, token, folder } = await start(context);
  const marks = join(folder, "marks");
  writeFileSync(marks, "");
  const filler = mount.inside(gateway, "filler");
  const hasRun: string[] = [];
  for (let pages = 0; pages < 24; pages += 1) {
    fillDisk(filler, { leaveBytes: pages * 4096 });
    const call = agent.client.callTool({ name: "terminal", arguments: { command: `echo ${pages} >> ${marks}` } });
    if ((await call).isError !== true) hasRun.push(String(pages));
    rmSync(filler);
  }
  fillDisk(filler);
  const [host = 0] = hostPidsOf(mount.dataDir);
  gateway.child.kill("SIGKILL");
  await gateway.ended;
  rmSync(join(`/proc/${host}/root`, mount.dataDir, "filler"));

  const again = mount.startAgain(host);
  const after = await TestAgent.connect(await again.ready, token);
  await after.call("terminal", { command: `echo after >> ${marks}` });

  expect(readFileSync(marks, "utf8").trim().split("\n")).toEqual([...hasRun, "after"]);
  const opened = await rows(mount, again, "command.opened");
  expect(await rows(mount, again, "command.closed")).toHaveLength(opened.length);
  expect(await verify(mount, again)).toMatchObject({ ok: true });
  expectSurvivalRow("the gateway is killed while the disk is full", {
    belay: "never runs a command later that it reported as not run, and none twice",
    says: "in the record, where every command is closed",
  });
  await after.close();
});

test("G2 an approval that expires on a full disk expires as soon as that can be recorded, without other effects", async (context) => {
  const { mount, gateway, agent, url } = await start(context, { approval: { timeouts: { unknownMs: 10_000 } } });
  const asking = agent.call("terminal", { command: "some-unknown-program" });
  const [asked] = await vi.waitFor(async () => {
    const waiting = await json(mount, gateway, ["approvals", "list"]);
    expect(waiting).toHaveLength(1);
    return waiting as { expiresAt: number }[];
  }, patience);

  const filler = mount.inside(gateway, "filler");
  fillDisk(filler);
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan((asked?.expiresAt ?? 0) + 1500), patience);
  const fullDisk = await fetch(`${url}/readyz`);
  rmSync(filler);
  const reply = await asking;

  expect(fullDisk.status).toBe(503);
  expect(reply.output).toMatch(/no one answered in time/i);
  expect(gateway.child.exitCode).toBeNull();
  expectSurvivalRow("an approval expires while the disk is full", {
    belay: "continues, and lets it expire as soon as there is room",
    says: "in `/readyz`",
  });
});

test("G2 a policy that was edited on a full disk applies as soon as there is room", async (context) => {
  const { mount, gateway, agent, url, securityFile } = await start(context, {});
  const filler = mount.inside(gateway, "filler");
  fillDisk(filler);
  const ready = async () => (await (await fetch(`${url}/readyz`)).json()) as { problems: { part: string }[] };

  writeFileSync(securityFile, JSON.stringify({ rules: [{ id: "no-echo", decision: "deny", program: "echo" }] }));
  await vi.waitFor(async () => expect((await ready()).problems).toContainEqual({ part: "policy" }), patience);
  rmSync(filler);
  await vi.waitFor(async () => expect((await ready()).problems).toEqual([]), patience);

  const reply = await agent.client.callTool({ name: "terminal", arguments: { command: "echo forbidden" } });
  expect(JSON.stringify(reply.content)).toContain("no-echo");
  expectSurvivalRow("the policy is edited while the disk is full", {
    belay: "keeps the previous policy until the new one can be recorded, then applies it by itself",
    says: "in `/readyz`",
  });
});

async function start(context: TestContext, security: object | null = null) {
  const folder = mkdtempSync(join(tmpdir(), "belay-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const securityFile = join(folder, "security.json");
  if (security) writeFileSync(securityFile, JSON.stringify(security));
  const mount = tmpfsMount(context, "size=48m,mode=700");
  const gateway = mount.start(security ? { BELAY_SECURITY_FILE: securityFile } : {});
  const url = await gateway.ready;
  const added = await json(mount, gateway, ["agent", "add", "tester"]);
  const { token } = added as { token: string };
  const agent = await TestAgent.connect(url, token);
  onTestFinished(() => agent.close());
  return { mount, gateway, url, token, agent, folder, securityFile };
}

async function json(mount: PrivateMount, gateway: BelayProcess, args: string[]): Promise<unknown> {
  const { stdout, stderr } = await mount.beside(gateway, [...args, "--json"]).ended;
  if (stdout === "") throw new Error(`belay ${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

function rows(mount: PrivateMount, gateway: BelayProcess, type: string) {
  return json(mount, gateway, ["audit", "search", "--type", type, "--limit", "200"]) as Promise<unknown[]>;
}

function verify(mount: PrivateMount, gateway: BelayProcess) {
  return json(mount, gateway, ["audit", "verify"]);
}
