import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderAt } from "../../evidence/shell-process.ts";
import { openTestPool, type TestPool } from "../../testing/test-pool.ts";

let test: TestPool;
beforeAll(async () => {
  test = await openTestPool();
});
afterAll(() => test.close());

describe("D2 markers are confirmed by the kernel", () => {
  /** A background program that prints markers with the shell's own nonce and pid, over and over. */
  const forge = (kinds: string[], pid = "'$$'") =>
    `nonce=\${PS0#*;}; nonce=\${nonce%%;*}; (for i in 1 2 3 4 5 6 7 8; do ${kinds
      .map((kind) => `printf '\\033]7337;%s;${kind}\\007' "$nonce"`)
      .join("; ")
      .replaceAll("PID", () => pid)}; sleep 0.05; done) & `;
  const PROMPT = "P;PID;bash;0;z$i";

  it("a forged prompt does not end a running command", async () => {
    const { id } = await test.spawn();

    const report = await test.run(id, `${forge([PROMPT])} sleep 1; sh -c 'exit 7'`);

    expect(report).toMatchObject({ evidence: "marker", state: "completed", exitCode: 7 });
    expect(report.durationMs).toBeGreaterThan(900);
  });

  it("nor one that waits for an answer to the shell's own read", async () => {
    const { id } = await test.spawn();

    const report = await test.run(id, `${forge([PROMPT])} read answer; (exit 6)`);
    const finished = test.untilFinished(report);
    await test.pool.write(id, "yes\r");

    expect(report).toMatchObject({ state: "waiting_input" });
    expect(await finished).toMatchObject({ state: "completed", exitCode: 6 });
  });

  it("nor does a forged continuation interrupt it", async () => {
    const { id } = await test.spawn();

    const report = await test.run(id, `${forge(["Q;PID"])} sleep 0.6; (exit 5)`);

    expect(report).toMatchObject({ state: "completed", exitCode: 5 });
  });

  it("nor does a marker of a nonexistent shell make it wait for an answer", async () => {
    const { id } = await test.spawn();

    const report = await test.run(id, `${forge([PROMPT], "1234567")} sleep 0.6; (exit 5)`);

    expect(report).toMatchObject({ state: "completed", exitCode: 5 });
  });

  it("a forged start does not make an idle shell busy", async () => {
    const { id } = await test.spawn();

    await test.run(id, forge(["C;PID"]));
    await test.run(id, "wait");

    expect(await test.pool.get(id)).toMatchObject({ activity: { kind: "idle" } });
  });
});

describe("D2 the folder comes from the kernel", () => {
  it("for any value of the shell's variables", async () => {
    const { id } = await test.spawn();

    const report = await test.run(id, "cd /usr; PWD=/etc; OLDPWD=/etc");

    expect(report).toMatchObject({ cwd: "/usr" });
    expect(await test.pool.get(id)).toMatchObject({ cwd: "/usr", folderId: folderAt("/usr")?.id });
  });

  it("and is the same after a rename, and different after a replacement", async () => {
    const [folder, moved] = [join(test.folder, "approved"), join(test.folder, "moved")];
    await mkdir(folder);
    const { id } = await test.spawn({ cwd: folder });
    await test.run(id, "true");
    const { folderId = "" } = await test.pool.get(id);

    await rename(folder, moved);
    await mkdir(folder);

    expect(await test.pool.get(id)).toMatchObject({ cwd: moved, folderId });
    expect(await test.run(id, "true", { folderId })).toMatchObject({ exitCode: 0 });
    await expect(test.run(id, "true", { cwd: folder, folderId })).rejects.toMatchObject({ code: "folder-changed" });
  });
});
