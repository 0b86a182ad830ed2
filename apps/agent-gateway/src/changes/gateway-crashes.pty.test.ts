import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { previewAbility } from "@belay/core";
import { differences, fillScratchTree, Random, readTree } from "@belay/core/testing";
import type { Approval } from "@belay/protocol";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AppRouter } from "../doors/trpc/router.ts";
import { belayJson, runBelay } from "../testing/belay-process.ts";
import { signIn } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

// The whole gateway is killed at random moments of a snapshot, an undo and an apply, and started again. It takes long, so
// it runs with `npm run prove:undo -- --gateway-kills 30 --seed 7` only.
const ROUNDS = Number(process.env.GATEWAY_KILLS ?? 0);
const SEED = Number(process.env.PROOF_SEED ?? 1);
const PERSON = { email: "admin@belay.test", password: "correct horse battery" };
const FILES = 400;
const LONGEST_MS = 400;
const CHANGE = `mv many moved; mkdir made; seq 1 ${FILES} | split -l 1 - made/f; sed -i s/e/E/ docs/*.md`;
const KINDS = ["snapshot", "undo", "apply"] as const;

const canPreview = (await previewAbility()).status === "ready";

type Person = TRPCClient<AppRouter>;

test.runIf(canPreview && ROUNDS > 0)(
  "X9 X13 kill -9 of the gateway in a snapshot, an undo and an apply leaves no half state that is not mended",
  { timeout: 60_000 + ROUNDS * 60_000 },
  async () => {
    const problems: string[] = [];
    for (let at = 0; at < ROUNDS; at += 1) {
      const kind = KINDS[at % KINDS.length] ?? "undo";
      for (const problem of await killOnce(kind, SEED + at)) problems.push(`${kind}, seed ${SEED + at}: ${problem}`);
    }
    expect(problems).toEqual([]);
  },
);

async function killOnce(kind: (typeof KINDS)[number], seed: number): Promise<string[]> {
  const random = new Random(seed);
  const [dataDir, workspace] = [temporaryDir("belay-killed-"), temporaryDir("belay-work-")];
  mkdirSync(join(workspace, "many"));
  fillScratchTree(workspace, random);
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(workspace, "many", String(at)), `${at}\n`);
  const env = ["env", `BELAY_WORKSPACE=${workspace}`, `BELAY_ADMIN_EMAIL=${PERSON.email}`];
  const start = () => runBelay(dataDir, ["start"], [...env, `BELAY_ADMIN_PASSWORD=${PERSON.password}`]);

  const gateway = start();
  const url = await gateway.ready;
  const { token } = (await belayJson(dataDir, "agent", "add", "tester")) as { token: string };
  const agent = await TestAgent.connect(url, token);
  const person = await asPerson(url);
  await agent.call("terminal", { command: "touch before" });
  const [before, sinceMs] = [readTree(workspace), Date.now()];
  const after = whatItBecomes(workspace);
  const ask = kind === "apply" ? `some-unknown-program 2>/dev/null; ${CHANGE}` : CHANGE;
  const call = agent.call("terminal", { command: ask });
  call.catch(() => {}); // its connection may end with the gateway
  const act = await begin(kind, person, call);
  act().catch(() => {}); // cut off
  await delay(random.below(LONGEST_MS));
  gateway.child.kill("SIGKILL");
  await gateway.ended;

  const again = await asPerson(await start().ready);
  // An undo that was cut off is brought to its end when the history is opened, before it answers.
  await again.changes.status.query();
  const problems: string[] = [];
  if (kind !== "snapshot") {
    // Begun: all of it. Not begun: none of it.
    const now = readTree(workspace);
    const [none, all] = [differences(before, now), differences(after, now)];
    if (none.length > 0 && all.length > 0) problems.push(`half of it: ${all.slice(0, 3).join("; ")}`);
  }
  // The shell lives on without a gateway, so its command may still be at work.
  await vi.waitFor(
    async () =>
      expect((await again.terminals.list.query()).every(({ activity }) => activity.kind === "idle")).toBe(true),
    { timeout: 30_000 },
  );
  const { result } = await again.changes.undo.mutate({ sinceMs, skipsConflicts: true });
  const kept = new Set(result.status === "undone" ? result.keptFolders : []);
  const left = differences(before, readTree(workspace), kept);
  if (left.length > 0) problems.push(`not what it was before: ${left.slice(0, 3).join("; ")}`);
  return problems;
}

/** What is about to be cut off. */
async function begin(
  kind: (typeof KINDS)[number],
  person: Person,
  call: Promise<unknown>,
): Promise<() => Promise<unknown>> {
  if (kind === "snapshot") return () => call;
  if (kind === "undo") {
    expect(await call).toMatchObject({ state: "completed" });
    const { commandId } = await vi.waitFor(
      async () => {
        const [last] = await person.changes.recent.query({ limit: 1 });
        if (last?.line !== CHANGE) throw new Error(`The last command with changes is ${last?.line}`);
        return last;
      },
      { timeout: 20_000 },
    );
    return () => person.changes.undo.mutate({ commandId });
  }
  const approval = await vi.waitFor(
    async () => {
      const [found] = (await person.approvals.list.query({ state: "pending" })) as Approval[];
      if (!found) throw new Error("Nothing waits yet.");
      return found;
    },
    { timeout: 30_000 },
  );
  await person.approvals.startPreview.mutate({ id: approval.id });
  const preview = await vi.waitFor(
    async () => {
      const state = await person.approvals.preview.query({ id: approval.id });
      if (state.status !== "ready") throw new Error(state.status);
      return state.preview.id;
    },
    { timeout: 30_000 },
  );
  return () => person.approvals.decide.mutate({ id: approval.id, decision: "approve", preview });
}

/** The workspace after the change, tried on a copy. */
function whatItBecomes(workspace: string): Map<string, string> {
  const copy = join(temporaryDir("belay-copy-"), "work");
  spawnSync("cp", ["-a", workspace, copy]);
  spawnSync("bash", ["-c", CHANGE], { cwd: copy });
  return readTree(copy);
}

async function asPerson(url: string): Promise<Person> {
  const cookie = await signIn(url, PERSON);
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: { cookie } })] });
}

function temporaryDir(prefix: string): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
