import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTestPool } from "@belay/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { belayJson, runBelay } from "../testing/belay-process.ts";

const BELAY = fileURLToPath(new URL("../../bin/belay.mjs", import.meta.url));
const PASSPHRASE = "a long enough passphrase";
const GZIP = "1f8b";

test("G8 --no-recordings and --no-trash each leave out their folder, and nothing else", async () => {
  const dataDir = await makeDataDir();
  const restoredWith = async (...flags: string[]) => {
    const file = join(scratch(), "backup");
    await belayJson(dataDir, "backup", file, ...flags);
    const restored = join(scratch(), "data");
    await belayJson(restored, "restore", file);
    return readdirSync(restored).sort();
  };

  const all = await restoredWith();
  const withoutRecordings = await restoredWith("--no-recordings");
  const withoutTrash = await restoredWith("--no-trash");

  expect(all).toEqual(expect.arrayContaining(["recordings", "trash"]));
  expect(withoutRecordings).toEqual(all.filter((name) => name !== "recordings"));
  expect(withoutTrash).toEqual(all.filter((name) => name !== "trash"));
});

test("G8 --passphrase-file encrypts a backup, and only the same passphrase restores it", async () => {
  const dataDir = await makeDataDir();
  const [right, wrong, short] = [PASSPHRASE, `${PASSPHRASE}!`, "short"].map(passphraseFile) as [string, string, string];
  const folder = scratch();

  const made = await belayJson(dataDir, "backup", folder, "--passphrase-file", right);
  const { file } = made as { file: string };
  const refused = await runBelay(join(scratch(), "data"), ["restore", file, "--passphrase-file", wrong]).ended;
  const restored = await runBelay(join(scratch(), "data"), ["restore", file, "--passphrase-file", right]).ended;
  const tooShort = await runBelay(dataDir, ["backup", folder, "--passphrase-file", short]).ended;

  expect(made).toMatchObject({ isEncrypted: true, file: expect.stringMatching(/\.tar\.gz\.enc$/) });
  expect(startOf(file)).not.toBe(GZIP);
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("passphrase") });
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(tooShort).toMatchObject({ code: 1, stderr: expect.stringContaining("at least 12 characters") });
  expect(readdirSync(folder)).toHaveLength(1);
});

test("G8 --encrypt asks for a passphrase twice in the terminal, and writes nothing if the two differ", async () => {
  const dataDir = await makeDataDir();
  const folder = scratch();
  const target = join(folder, "encrypted");

  const differing = await encryptInTerminal(dataDir, join(folder, "differing"), [PASSPHRASE, `${PASSPHRASE}!`]);
  const encrypted = await encryptInTerminal(dataDir, target, [PASSPHRASE, PASSPHRASE]);
  const restoring = ["restore", target, "--passphrase-file", passphraseFile(PASSPHRASE)];
  const restored = await runBelay(join(scratch(), "data"), restoring).ended;

  expect(differing).toEqual({ exitCode: 1, shown: expect.stringContaining("The two passphrases differ.") });
  expect(encrypted).toEqual({ exitCode: 0, shown: expect.not.stringContaining("It holds keys") });
  expect(readdirSync(folder)).toEqual(["encrypted"]);
  expect(startOf(target)).not.toBe(GZIP);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
});

/** Answers the two questions of `belay backup --encrypt` in a real terminal. */
async function encryptInTerminal(dataDir: string, target: string, answers: [string, string]) {
  const { pool, folder, spawn, run, untilFinished, outputOf, close } = await openTestPool();
  onTestFinished(close);
  const { id } = await spawn({ env: { BELAY_DATA_DIR: dataDir, BELAY_WORKSPACE: folder } });
  // Without the mark of Belay's own terminals: this one stands for a terminal of the person's own.
  const words = ["env", "-u", "BELAY_TERMINAL", process.execPath, BELAY, "backup", target, "--encrypt"];
  const line = words.map((word) => `'${word}'`).join(" ");
  const started = await run(id, line, { wait: { type: "background", collectMs: 0 } });
  for (const [index, question] of ["Passphrase for the backup: ", "The same again: "].entries()) {
    // The second answer only after the second question: the first one reads everything that is there.
    await vi.waitFor(
      async () => {
        const { bytes } = await pool.read(id, { fromPosition: started.startPosition, maxBytes: 65_536 });
        expect(Buffer.from(bytes).toString()).toContain(question);
      },
      { timeout: 50_000, interval: 50 },
    );
    await pool.write(id, Buffer.from(`${answers[index]}\r`));
  }
  const finished = await untilFinished(started);
  return { exitCode: finished.exitCode, shown: await outputOf(finished) };
}

/** A data folder as a gateway leaves it, with something in the recordings and in the trash. */
async function makeDataDir(): Promise<string> {
  const dataDir = scratch();
  await belayJson(dataDir, "agent", "add", "tester");
  for (const folder of ["recordings", "trash"]) {
    mkdirSync(join(dataDir, folder), { recursive: true });
    writeFileSync(join(dataDir, folder, "kept"), "x");
  }
  return dataDir;
}

function startOf(file: string): string {
  return readFileSync(file).subarray(0, 2).toString("hex");
}

function passphraseFile(passphrase: string): string {
  const file = join(scratch(), "passphrase");
  writeFileSync(file, `${passphrase}\n`, { mode: 0o600 });
  return file;
}

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-backup-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
