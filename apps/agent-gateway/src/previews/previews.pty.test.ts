import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { previewAbility } from "@belay/core";
import type { Approval } from "@belay/protocol";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { endHost } from "../testing/end-host.ts";
import { nextApproval } from "../testing/next-approval.ts";
import { proveSettings } from "../testing/prove-settings.ts";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

proveSettings();

const canPreview = (await previewAbility()).status === "ready";
/** Asked about in every profile: nothing is known of it. */
const UNKNOWN = "some-unknown-program 2>/dev/null; sed -i s/one/two/ a.txt; rm -r build; echo changed it; (exit 3)";

async function start(approval: object = {}, dataDir?: string, workspace = newWorkspace()) {
  const gateway = await startTestGateway({
    security: { approval },
    env: { BELAY_WORKSPACE: workspace },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  return { gateway, workspace, operator: await gateway.asPerson("operator") };
}

function newWorkspace(): string {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "belay-work-")));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  mkdirSync(join(workspace, "build"));
  for (const name of ["a.o", "b.o"]) writeFileSync(join(workspace, "build", name), name);
  writeFileSync(join(workspace, "a.txt"), "one\n");
  return workspace;
}

describe.runIf(canPreview)("X13 an approval", () => {
  test("X13 is previewed on a press, and what was shown is applied: output, exit code, files, record, undo", async () => {
    const { gateway, workspace, operator } = await start();
    const agent = await gateway.connectAgent();
    await agent.call("terminal", { command: "true" });
    const reply = agent.call("terminal", { command: UNKNOWN });
    const { id, commandId } = await nextApproval(gateway);
    expect(await operator.approvals.preview.query({ id })).toEqual({ status: "offered" });

    await operator.approvals.startPreview.mutate({ id });
    const preview = await ready(gateway, operator, id);

    expect(preview).toMatchObject({
      summary: "deletes 2 files under build/, changes 1",
      exitCode: 3,
      output: "changed it\n",
      obstacles: [],
      missing: [],
    });
    expect(await operator.approvals.previewDiff.query({ id, preview: preview.id, file: "0:a.txt" })).toMatchObject([
      { lines: ["-one", "+two"] },
    ]);
    expect(readdirSync(workspace).sort()).toEqual(["a.txt", "build"]);

    await operator.approvals.decide.mutate({ id, decision: "approve", preview: preview.id });

    expect(await reply).toMatchObject({ state: "completed", exit_code: 3, output: "changed it" });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("two\n");
    expect(readdirSync(workspace).sort()).toEqual(["a.txt"]);
    await gateway.changes.settled(commandId);
    expect(await gateway.changeViews.of(commandId)).toMatchObject({ summary: "changed 1 file, +1 −3, deleted 2" });
    const record = await gateway.commands.entry(commandId);
    expect(record).toMatchObject({ exitCode: 3 });
    expect(readdirSync(join(gateway.dataDir, "previews"))).toEqual([]);

    const undone = await operator.changes.undo.mutate({ commandId });
    expect(undone).toMatchObject({ result: { status: "undone" } });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
    expect(readdirSync(join(workspace, "build"))).toEqual(["a.o", "b.o"]);
  });

  test("X13 can be run for real after a preview, in its own shell", async () => {
    const { gateway, workspace, operator } = await start();
    const agent = await gateway.connectAgent();
    await agent.call("terminal", { command: "cd build" });
    const reply = agent.call("terminal", { command: "some-unknown-program 2>/dev/null; touch made; cd .." });
    const { id } = await nextApproval(gateway);
    await operator.approvals.startPreview.mutate({ id });
    const preview = await ready(gateway, operator, id);

    expect(preview.shellChanges).toEqual(["its folder"]);
    const take = operator.approvals.decide.mutate({ id, decision: "approve", preview: preview.id });
    await expect(take).rejects.toThrow("It can only be run for real. It also changes its shell: its folder.");
    await operator.approvals.decide.mutate({ id, decision: "approve" });

    expect(await reply).toMatchObject({ exit_code: 0, cwd: workspace });
  });

  test("X13 keeps waiting where files have changed since its preview", async () => {
    const { gateway, workspace, operator } = await start();
    const agent = await gateway.connectAgent();
    const reply = agent.call("terminal", { command: UNKNOWN });
    const { id } = await nextApproval(gateway);
    await operator.approvals.startPreview.mutate({ id });
    const first = await ready(gateway, operator, id);
    // Not one of those that it changes: what it would do may hang on it all the same.
    writeFileSync(join(workspace, "other.txt"), "new\n");

    const take = (preview: string) => operator.approvals.decide.mutate({ id, decision: "approve", preview });
    await expect(take(first.id)).rejects.toThrow("Files have changed since the preview");
    await operator.approvals.startPreview.mutate({ id });
    const second = await ready(gateway, operator, id);
    await expect(take(first.id)).rejects.toThrow("This is not the preview that is there now.");
    // Another person previews it again at the moment in which this one applies what was shown.
    const look = vi.spyOn(gateway.changes, "look").mockImplementationOnce(async () => {
      rmSync(join(gateway.dataDir, "previews", id), { recursive: true });
      return null;
    });
    await expect(take(second.id)).rejects.toThrow("This is not the preview that is there now.");
    look.mockRestore();
    await operator.approvals.startPreview.mutate({ id });
    await take((await ready(gateway, operator, id)).id);

    expect(await reply).toMatchObject({ exit_code: 3 });
  });

  test("X13 settings approval.preview: always prepares it, off has none", async () => {
    const always = await start({ preview: "always" });
    const agent = await always.gateway.connectAgent();
    const reply = agent.call("terminal", { command: UNKNOWN });
    const { id } = await nextApproval(always.gateway);
    expect(await ready(always.gateway, always.operator, id)).toMatchObject({ exitCode: 3 });
    await always.operator.approvals.decide.mutate({ id, decision: "deny" });
    await reply;
    expect(readdirSync(join(always.gateway.dataDir, "previews"))).toEqual([]);

    const off = await start({ preview: "off" });
    const other = await off.gateway.connectAgent();
    const refused = other.call("terminal", { command: UNKNOWN });
    const asked = await nextApproval(off.gateway);
    expect(await off.operator.approvals.preview.query({ id: asked.id })).toEqual({ status: "off" });
    await expect(off.operator.approvals.startPreview.mutate({ id: asked.id })).rejects.toThrow("no previews");
    await off.operator.approvals.decide.mutate({ id: asked.id, decision: "deny" });
    await refused;
  });

  test("X13 without an approval, a person sees what a command would change, and nothing of what is denied", async () => {
    const { workspace, operator } = await start();

    const { preview, decision, diffs } = await operator.changes.preview.mutate({ command: UNKNOWN });
    const denied = operator.changes.preview.mutate({ command: "mkfs.ext4 /dev/belay-none" });

    expect(decision).toBe("ask");
    expect(preview).toMatchObject({ summary: "deletes 2 files under build/, changes 1", exitCode: 3 });
    expect(diffs["0:a.txt"]).toMatchObject([{ lines: ["-one", "+two"] }]);
    await expect(denied).rejects.toThrow("Not previewed");
    expect(readdirSync(workspace).sort()).toEqual(["a.txt", "build"]);
    const { events } = await operator.audit.search.query({ types: ["changes.preview-asked"] });
    expect(events).toMatchObject([{ detail: { line: UNKNOWN } }]);
  });

  test("X13 an agent previews what it may run; what asks it sees once a person says yes, and that is no yes to a run", async () => {
    const { gateway, workspace, operator } = await start();
    const agent = await gateway.connectAgent();
    const allowed = await agent.call("terminal", { command: "sed -i s/one/two/ a.txt", preview: true });
    const denied = await agent.call("terminal", { command: "mkfs.ext4 /dev/belay-none", preview: true });
    const asked = agent.call("terminal", { command: UNKNOWN, preview: true });
    const { id, subject } = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id, decision: "approve", scope: { type: "minutes", minutes: 5 } });

    expect(allowed.output).toContain("Preview, nothing was run for real: it changes 1 file; exit 0.");
    const shown = await agent.client.callTool({
      name: "terminal",
      arguments: { command: "sed -i s/one/two/ a.txt", preview: true },
    });
    expect(shown._meta?.["belay/display"]).toMatchObject({
      result: expect.stringMatching(/^Preview, nothing was run/),
    });
    expect(allowed.output).toContain("-one\n+two");
    expect(denied).toMatchObject({ security_blocked: true });
    expect(subject.isPreview).toBe(true);
    expect((await asked).output).toContain("it deletes 2 files under build/, changes 1; exit 3.");
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\n");
    // The same text without a preview is another question.
    const real = agent.call("terminal", { command: UNKNOWN });
    await operator.approvals.decide.mutate({ id: (await nextApproval(gateway)).id, decision: "deny" });
    await real;
    expect(readdirSync(workspace).sort()).toEqual(["a.txt", "build"]);
  });

  test("X13 is still previewed after a restart, and what was shown is applied then", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "belay-gateway-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    onTestFinished(() => endHost(dataDir));
    const workspace = newWorkspace();
    const options = { dataDir, env: { BELAY_WORKSPACE: workspace }, terminals: "own-process" } as const;
    const first = await startTestGateway(options);
    const operator = await first.asPerson("operator");
    const agent = await first.connectAgent();
    await agent.call("terminal", { command: "true" });
    agent.call("terminal", { command: UNKNOWN }).catch(() => {}); // its connection ends with the gateway
    const { id, commandId } = await nextApproval(first);
    await operator.approvals.startPreview.mutate({ id });
    const shown = await ready(first, operator, id);
    await first.close({ keepTerminals: true });

    const second = await startTestGateway(options);
    const admin = await second.asPerson("admin");
    expect(await ready(second, admin, id)).toEqual(shown);
    await admin.approvals.decide.mutate({ id, decision: "approve", preview: shown.id });

    await vi.waitFor(async () => expect(await second.commands.entry(commandId)).toMatchObject({ exitCode: 3 }), 20_000);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("two\n");
    expect(readdirSync(workspace)).toEqual(["a.txt"]);
  });

  test("X13 needs a person who may answer, and an agent that is not frozen", async () => {
    const { gateway, operator } = await start();
    const viewer = await gateway.asPerson("viewer");
    const admin = await gateway.asPerson("admin");
    const agent = await gateway.connectAgent();
    void agent.call("terminal", { command: UNKNOWN }).catch(() => {}); // ends with the gateway
    const { id } = await nextApproval(gateway);

    await expect(viewer.approvals.preview.query({ id })).rejects.toThrow();
    await admin.gateway.freeze.mutate({ scope: "*" });
    await expect(operator.approvals.startPreview.mutate({ id })).rejects.toThrow("frozen");
  });
});

describe.runIf(canPreview && hasSandbox)("X13 a preview for an agent in a sandbox", () => {
  test("X13 has the same wall as the command: it sees, changes and reaches nothing more", async () => {
    const gateway = await startSandboxedGateway();
    const { workspace } = gateway;
    const outside = newWorkspace();
    mkdirSync(join(workspace, ".git", "hooks"), { recursive: true });
    writeFileSync(join(workspace, ".git", "config"), "[core]\n");
    const agent = await gateway.connectAgent();
    const probe = [
      ...[`ls ${outside}`, `cat ${outside}/a.txt`, "ls -1A / /home /root /run /var ~", "cat /etc/shadow"],
      ...[
        "echo x > .git/hooks/pre-commit",
        "echo x >> .git/config",
        "mv .git other",
        "mkdir -p .vscode; echo x > .vscode/tasks.json",
        "echo x > /etc/belay-x",
        "echo x > /usr/belay-x",
      ],
      ...[
        "grep Cap /proc/self/status | tr '\\t' ' '",
        "id -u",
        "echo 1 > /proc/sys/kernel/core_pattern",
        "ls -d /dev/sd* /dev/vd*",
      ],
      ...["env | cut -d= -f1 | grep -v '^_$' | sort", "echo made > made.txt"],
    ];
    writeFileSync(join(workspace, "probe.sh"), `exec 2>&1\n${probe.join("\n")}\n`);

    const previewed = await agent.call("terminal", { command: "bash probe.sh", preview: true });
    expect(readdirSync(workspace)).not.toContain("made.txt");
    const real = await agent.call("terminal", { command: "bash probe.sh" });

    const printed = String(previewed.output).split("It printed:\n")[1];
    expect(printed?.trimEnd().split("\n")).toEqual(String(real.output).trimEnd().split("\n"));
    expect(String(real.output)).toContain("Read-only file system");
    expect(previewed.output).toContain("created made.txt");
    expect(previewed.output).not.toContain("created .git/hooks");
    expect(readFileSync(join(workspace, "made.txt"), "utf8")).toBe("made\n");
  });
});

async function ready(gateway: TestGateway, person: Awaited<ReturnType<TestGateway["asPerson"]>>, id: Approval["id"]) {
  // Subscribed before the first look: it may be done in between.
  let wake: () => void = () => {};
  const stop = gateway.events.subscribe((event) => {
    if (event.type === "approval" && event.event === "previewed") wake();
  });
  try {
    for (;;) {
      const told = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const state = await person.approvals.preview.query({ id });
      if (state.status === "ready") return state.preview;
      if (state.status === "failed" || state.status === "unavailable") throw new Error(state.why);
      await told;
    }
  } finally {
    stop();
  }
}
