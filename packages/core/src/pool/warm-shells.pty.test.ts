import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { installedShells } from "../testing/installed-shells.ts";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";

let test: TestPool;
afterEach(() => test.close());

const RC_FILES = { bash: ".bash_profile", zsh: ".zshrc", fish: ".config/fish/config.fish", sh: ".profile" };

describe.each(installedShells())("D10 a warm login shell ($kind)", ({ kind, path }) => {
  const login = { type: "shell", shell: path, login: true } as const;

  it.runIf(path !== null)(`D10 has the caller's folder and variables, and an empty history (${kind})`, async () => {
    test = await openTestPool({ warmShell: { shell: path } });
    await test.spawn({ program: login });

    const terminal = await test.spawn({
      program: login,
      cwd: "/usr",
      env: { WISH: "granted" },
      cols: 100,
      name: "mine",
    });
    const report = await test.run(terminal.id, "pwd; printenv WISH; stty size");

    expect(terminal).toMatchObject({ cwd: "/usr", name: "mine", cols: 100, position: 0 });
    expect(await test.outputOf(report)).toMatch(/\/usr\r\ngranted\r\n24 100\r\n$/);
    expect((await test.pool.history(terminal.id, 65_536)).text).not.toContain("command-");
  });

  it.runIf(path !== null)(`D10 is used once: no state leaks into the next call (${kind})`, async () => {
    test = await openTestPool({ warmShell: { shell: path } });
    const first = await test.spawn({ program: login, env: { LEFT: "over" } });
    await test.run(first.id, "cd /; true");

    const second = await test.spawn({ program: login });
    const report = await test.run(second.id, "printenv LEFT");

    expect(report).toMatchObject({ exitCode: 1, cwd: test.folder });
  });

  it.runIf(path !== null)(`D10 reads its files again when they have changed (${kind})`, async () => {
    test = await openTestPool({ warmShell: { shell: path } });
    const before = await test.spawn({ program: login });
    expect(await test.run(before.id, "printenv FROM_RC")).toMatchObject({ exitCode: 1 });

    const rcFile = join(test.folder, RC_FILES[kind]);
    await mkdir(dirname(rcFile), { recursive: true });
    await writeFile(rcFile, "export FROM_RC=yes\n");
    const after = await test.spawn({ program: login });

    expect(await test.outputOf(await test.run(after.id, "printenv FROM_RC"))).toContain("yes");
  });
});

it("D10 a folder that does not exist is an error, as with a cold one", async () => {
  test = await openTestPool({ warmShell: { shell: null } });
  const program = { type: "shell", shell: null, login: true } as const;

  await expect(test.spawn({ program, cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "cwd-not-found" });
});

it("D10 a warm shell is not announced before it is used", async () => {
  test = await openTestPool({ warmShell: { shell: null } });
  const created: string[] = [];
  test.pool.subscribe((event) => created.push(event.type));

  const terminal = await test.spawn({ program: { type: "shell", shell: null, login: true } });

  expect(created).toEqual(["created"]);
  expect(await test.pool.list()).toEqual([terminal]);
});
