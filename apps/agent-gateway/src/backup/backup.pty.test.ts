import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runBelay } from "../testing/belay-process.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { VERSION } from "../version.ts";
import { backUp } from "./back-up.ts";
import { restore } from "./restore.ts";

const PASSPHRASE = "a long enough passphrase";

test("G8 a backup of a running gateway is a consistent snapshot: restored, its record is intact and all accounts exist", async () => {
  const gateway = await startTestGateway({ security: { commandDenyPatterns: ["belay-none"] } });
  const agent = await gateway.connectAgent({ name: "busy" });
  let isDone = false;
  const work = (async () => {
    while (!isDone) await agent.call("terminal", { command: "echo at work" });
  })();

  const backups = [];
  for (const passphrase of [null, null, PASSPHRASE]) backups.push(await backUpInto(gateway.dataDir, passphrase));
  isDone = true;
  await work;

  for (const { file, lastRow } of backups) {
    const restored = await restoreFrom(file, PASSPHRASE);
    expect(restored).toMatchObject({ rows: lastRow, madeBy: VERSION });
  }
  const { dataDir } = await restoreFrom(backups[1]?.file ?? "", "");
  const again = await startTestGateway({ dataDir });
  expect((await again.agents.list()).map(({ name }) => name)).toEqual(["busy"]);
  expect(await again.signIn()).toContain("session");
  expect(await again.audit.verify()).toMatchObject({ ok: true });
  expect(readFileSync(join(dataDir, "security.json"), "utf8")).toContain("belay-none");
  expect(readdirSync(join(dataDir, "recordings")).length).toBeGreaterThan(0);
});

test("G8 the command line writes a backup into a folder and restores it, and overwrites nothing", async () => {
  const gateway = await startTestGateway();
  const folder = scratch();
  const made = await runBelay(gateway.dataDir, ["backup", folder, "--json"]).ended;
  const { file } = JSON.parse(made.stdout) as { file: string };
  const empty = join(scratch(), "data");

  const first = await runBelay(empty, ["restore", file]).ended;
  const second = await runBelay(empty, ["restore", file]).ended;

  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(first).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("The record is intact") });
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty, and a restore overwrites") });
  expect(await gateway.audit.verify()).toMatchObject({ ok: true });
});

test("G8 restoring a damaged or truncated backup, or with the wrong passphrase, leaves no folder behind", async () => {
  const gateway = await startTestGateway();
  const { file } = await backUpInto(gateway.dataDir, null);
  const whole = readFileSync(file);
  const damaged = Buffer.from(whole);
  damaged[Math.floor(whole.length / 2)] = (damaged[Math.floor(whole.length / 2)] ?? 0) ^ 0xff;

  for (const bytes of [whole.subarray(0, whole.length - 600), damaged, Buffer.from("no backup"), Buffer.alloc(0)]) {
    const bad = join(scratch(), "bad");
    writeFileSync(bad, bytes);
    const dataDir = join(scratch(), "data");

    await expect(restoreTo(dataDir, bad, "")).rejects.toMatchObject({ code: "backup-unreadable" });
    expect(existsSync(dataDir)).toBe(false);
    expect(readdirSync(join(dataDir, ".."))).toEqual([]);
  }
});

test("G8 a record that was altered before the backup is not restored", async () => {
  const gateway = await startTestGateway();
  await gateway.close();
  const checkpoints = join(gateway.dataDir, "audit-checkpoints.jsonl");
  writeFileSync(checkpoints, readFileSync(checkpoints, "utf8").replace(/"hash":"../, '"hash":"zz'));
  const { file } = await backUpInto(gateway.dataDir, null);

  await expect(restoreFrom(file, "")).rejects.toMatchObject({ code: "record-not-whole" });
});

test("G8 links in the trash are restored as links, and runtime state is left out", async () => {
  const gateway = await startTestGateway();
  const trash = join(gateway.dataDir, "trash", "project", "entries");
  mkdirSync(trash, { recursive: true });
  symlinkSync("/etc/hostname", join(trash, "link"));
  writeFileSync(join(trash, "file"), "kept");
  const { file } = await backUpInto(gateway.dataDir, null);

  const { dataDir } = await restoreFrom(file, "");

  expect(readFileSync(join(dataDir, "trash/project/entries/file"), "utf8")).toBe("kept");
  expect(readdirSync(join(dataDir, "trash/project/entries"))).toEqual(["file", "link"]);
  expect(readdirSync(dataDir).filter((name) => /lock|sock|^host$|^terminals$|backup/.test(name))).toEqual([]);
});

function backUpInto(dataDir: string, passphrase: string | null) {
  const target = join(scratch(), "backup");
  const securityFile = join(dataDir, "security.json");
  const choice = { recordings: true, trash: true };
  return backUp({ dataDir, securityFile, target, passphrase, ...choice, version: VERSION, now: Date.now() });
}

function restoreFrom(file: string, passphrase: string) {
  return restoreTo(join(scratch(), "data"), file, passphrase);
}

function restoreTo(dataDir: string, file: string, passphrase: string) {
  return restore({ file, dataDir, askPassphrase: async () => passphrase, now: () => Date.now() });
}

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-backup-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
