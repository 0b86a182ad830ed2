import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { belayJson, runBelay } from "./testing/belay-process.ts";
import { hostPidsOf } from "./testing/end-host.ts";
import { TestAgent } from "./testing/test-agent.ts";

const patience = { timeout: 30_000, interval: 50 };

test("G1 a stop while the host hangs says so, and is forced with the host's pid", async () => {
  const { gateway, host } = await startWithHungHost();

  gateway.child.kill("SIGTERM");
  const ended = await gateway.ended;

  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("SIGTERM: stopping; the terminals do not answer …\n");
  expect(ended.stderr).toMatch(
    new RegExp(`^belay: it did not stop within 5 s; ending by force\\. .*\\(${host}\\)`, "m"),
  );
  expectSurvivalRow("Belay is stopped while the host hangs", {
    belay: "forces the stop after 5 s, or at a second signal",
    says: "on stderr, with the host's process id",
  });
});

test("G1 a second signal forces the stop at once", async () => {
  const { gateway } = await startWithHungHost();
  let said = "";
  gateway.child.stdout?.on("data", (chunk) => (said += chunk));

  gateway.child.kill("SIGTERM");
  await vi.waitFor(() => expect(said).toContain("SIGTERM: stopping"), patience);
  gateway.child.kill("SIGINT");
  const ended = await gateway.ended;

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^belay: a second SIGINT; ending by force\./m);
});

test("A6 the command line does not wait for a hanging gateway", async () => {
  const dataDir = temporaryDir();
  const gateway = runBelay(dataDir, ["start"]);
  await gateway.ready;

  gateway.child.kill("SIGSTOP");
  const ended = await runBelay(dataDir, ["agent", "list"]).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(/^belay: Belay listens on \S+control\.sock and does not answer\. .*kill -CONT.*\n$/);
  expectSurvivalRow("the gateway hangs and the command line is used", {
    belay: "gives up after 5 s",
    says: "on stderr, with what to do",
  });
});

test("A6 a control socket that was removed is created again", async () => {
  const dataDir = temporaryDir();
  await runBelay(dataDir, ["start"]).ready;
  const socket = join(dataDir, "control.sock");

  rmSync(socket);
  await vi.waitFor(() => expect(existsSync(socket)).toBe(true), patience);

  expect(await belayJson(dataDir, "agent", "list")).toEqual([]);
  expectSurvivalRow("`control.sock` is removed while it runs", {
    belay: "creates it again within a second or so",
    says: "not reported: nothing is lost",
  });
});

/** With an open terminal, so that a stop has something to end. */
async function startWithHungHost() {
  const dataDir = temporaryDir();
  const gateway = runBelay(dataDir, ["start"]);
  const url = await gateway.ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  await agent.call("terminal", { command: "echo begun" });
  await agent.close();
  const [host = 0] = hostPidsOf(dataDir);
  process.kill(host, "SIGSTOP");
  onTestFinished(() => void process.kill(host, "SIGCONT"));
  return { gateway, host };
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-hung-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
