import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import { expect, onTestFinished, test } from "vitest";
import type { BelayProcess } from "../testing/belay-process.ts";
import { fillDisk } from "../testing/disks/fill-disk.ts";
import { failingMount, type PrivateMount, tmpfsMount } from "../testing/disks/private-mount.ts";
import { TestAgent } from "../testing/test-agent.ts";

const REFUSED = /The record could not be written \(.*\), so nothing was done\./;

test("G2 on a full disk nothing runs and the agent is told; with room again it continues", async (context) => {
  const mount = tmpfsMount(context, "size=48m,mode=700");
  const gateway = mount.start();
  const agent = await connect(mount, gateway);
  const before = await tryTouch(agent, "before");

  const filler = mount.inside(gateway, "filler");
  fillDisk(filler);
  const during = await tryTouch(agent, "during");
  rmSync(filler);
  const after = await tryTouch(agent, "after");

  expect(before).toMatchObject({ isRefused: false, hasRun: true });
  expect(during).toMatchObject({ isRefused: true, hasRun: false, told: expect.stringMatching(REFUSED) });
  expect(after).toMatchObject({ isRefused: false, hasRun: true });
  expect(JSON.parse((await mount.beside(gateway, ["audit", "verify", "--json"]).ended).stdout)).toMatchObject({
    ok: true,
  });
  expectSurvivalRow("the disk is full when a command is submitted", {
    belay: "runs nothing, and continues by itself once there is room",
    says: "to the agent, and in `/readyz`",
  });
  await agent.close();
  gateway.child.kill("SIGTERM");
  expect(await gateway.ended).toMatchObject({ code: 0 });
});

test("G2 on a file system that turned read-only nothing runs and the agent is told", async (context) => {
  const mount = failingMount(context);
  const gateway = mount.start();
  const agent = await connect(mount, gateway);
  const before = await tryTouch(agent, "before");

  mount.fail(gateway);
  const during = await tryTouch(agent, "during");

  expect(before).toMatchObject({ isRefused: false, hasRun: true });
  expect(during).toMatchObject({ isRefused: true, hasRun: false, told: expect.stringMatching(REFUSED) });
  await agent.close();
  gateway.child.kill("SIGTERM");
  // It could not record its stop, and says so; it exited without force.
  const { code, stderr } = await gateway.ended;
  expect(code).toBe(1);
  // Which of the two depends on whether rows were waiting for their signature when the disk failed.
  expect(stderr).toMatch(/could not (be written|store the record) \(.*\), so nothing (was|is) done\./);
  expect(stderr).not.toContain("by force");
  expectSurvivalRow("the file system turns read-only", {
    belay: "runs nothing, and can still be stopped",
    says: "to the agent, and at the end on stderr",
  });
});

test("G2 on a read-only mount it does not even start, and says what to do", async (context) => {
  const mount = tmpfsMount(context, "size=1m,ro");

  const ended = await mount.start().ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(/^belay: Belay cannot write to its data folder .* BELAY_DATA_DIR .*\n$/);
});

async function connect(mount: PrivateMount, gateway: BelayProcess): Promise<TestAgent> {
  const url = await gateway.ready;
  const { stdout } = await mount.beside(gateway, ["agent", "add", "tester", "--json"]).ended;
  return TestAgent.connect(url, JSON.parse(stdout).token);
}

/** Has the agent create a file outside the mount, and returns whether it exists afterwards. */
async function tryTouch(agent: TestAgent, name: string) {
  const folder = mkdtempSync(join(tmpdir(), "belay-touched-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  const reply = await agent.client.callTool({ name: "terminal", arguments: { command: `touch ${file}` } });
  return { isRefused: reply.isError === true, hasRun: existsSync(file), told: JSON.stringify(reply.content) };
}
