import {
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectSurvivalRow } from "@belay/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { runBelay } from "../../testing/belay-process.ts";

const NEW_AND_WHOLE = ["audit-ed25519.pem", "audit-ed25519.pem.pub", "control-token", "machines.pem", "session-secret"];

test.each([
  ["session-secret", "which signs the sessions of people"],
  ["control-token", "which lets scripts in on the control socket"],
  ["audit-ed25519.pem", "which signs the record"],
])("G1 a key that a power failure left empty prevents the start and is named: %s", async (name, purpose) => {
  const dataDir = await makeDataDir();
  const file = join(dataDir, "keys", name);
  truncateSync(file, 0);

  const ended = await runBelay(dataDir, ["start"]).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(
    new RegExp(`^belay: ${file}, ${purpose}, is empty\\. Restore it from a backup[,.] .*\\n$`),
  );
  expect(readFileSync(file, "utf8")).toBe("");
  expectSurvivalRow("a key or secret is empty", {
    belay: "does not start, and leaves the file as it is",
    says: "on stderr, with the file and what to do",
  });
});

test("G1 a secret of zeros, as a failing disk may leave it, is refused", async () => {
  const dataDir = await makeDataDir();
  const file = join(dataDir, "keys", "session-secret");
  writeFileSync(file, Buffer.alloc(43));

  const ended = await runBelay(dataDir, ["start"]).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain(`${file}, which signs the sessions of people, is damaged.`);
});

test("G1 keys are written atomically, without temporary files left over", async () => {
  const dataDir = await makeDataDir();

  expect(readdirSync(join(dataDir, "keys")).sort()).toEqual(NEW_AND_WHOLE);
});

test.each([
  ["its beginning is gone", 0],
  ["a page in it is gone", 4096 * 2],
])("G1 a damaged database gives one sentence with the file and what to do: %s", async (_, from) => {
  const dataDir = await makeDataDir();
  const file = join(dataDir, "belay.db");
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(4096 * 40, 0x5a), 0, 4096 * 40, from);

  const ended = await runBelay(dataDir, ["start"]).ended;
  const offline = await runBelay(dataDir, ["agent", "list"]).ended;

  for (const { code, stdout, stderr } of [ended, offline]) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^belay: .*belay\.db.* is damaged \(.*\)\. .* Restore it from a backup; .*\n$/);
  }
  expectSurvivalRow("the database is damaged", {
    belay: "does not start, and leaves the file as it is",
    says: "on stderr, with the file and what to do",
  });
});

test("G1 a lock file that is damaged is named", async () => {
  const dataDir = await makeDataDir();
  writeFileSync(join(dataDir, "gateway.lock"), "x".repeat(8192));

  const ended = await runBelay(dataDir, ["start"]).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toBe(
    `belay: ${join(dataDir, "gateway.lock")} is damaged. Nothing is kept in it: remove it and try again.\n`,
  );
});

/** The data folder of a gateway that was started and stopped. */
async function makeDataDir(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "belay-damaged-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const gateway = runBelay(dataDir, ["start"]);
  await gateway.ready;
  gateway.child.kill("SIGTERM");
  await gateway.ended;
  return dataDir;
}
