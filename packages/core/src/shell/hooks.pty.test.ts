import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalId } from "@belay/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedShells } from "../testing/installed-shells.ts";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";

let test: TestPool;
let traps = 0;
beforeAll(async () => {
  test = await openTestPool();
});
afterAll(() => test.close());

/** A file that only the attack's code would create. */
function newTrap(): string {
  return join(test.folder, `trap-${++traps}`);
}

async function shellOf(kind: string) {
  const found = installedShells().find((shell) => shell.kind === kind);
  return test.spawn({ program: { type: "shell", shell: found?.path ?? null, login: false } });
}

async function expectToWork(id: TerminalId): Promise<void> {
  const report = await test.run(id, "echo fine; sh -c 'exit 3'");
  expect(report).toMatchObject({ state: "completed", exitCode: 3 });
  expect(await test.outputOf(report)).toContain("fine\r\n");
}

const isThere = (kind: string) => installedShells().some((shell) => shell.kind === kind && shell.path !== null);

/** What an agent assigns or defines, with TRAP for code that must not run at the next prompt. */
const BASH_ATTACKS = [
  "__belay_shown='$(TRAP)'",
  "__belay_hook='TRAP'; __belay_start='$(TRAP)'; __belay_more='$(TRAP)'",
  "__belay_prompt() { TRAP; }",
  "unset -f __belay_prompt __belay_show __belay_cannot_assign",
  "unset -f __belay_show; __belay_show() { TRAP; }",
  "eval '__belay_cannot_assign() { TRAP; }'",
  "alias __belay_prompt='TRAP;' __belay_show='TRAP;' if='TRAP; if' case='TRAP; case'; shopt -s expand_aliases",
  "builtin() { TRAP; }; printf() { TRAP; }; local() { TRAP; }; return() { TRAP; }; :() { TRAP; }; declare() { TRAP; }",
  "set() { TRAP; }; echo() { TRAP; }; test() { TRAP; }; true() { TRAP; }; eval() { TRAP; }; unset() { TRAP; }",
  "PROMPT_COMMAND='TRAP'",
  "printf -v PROMPT_COMMAND %s 'TRAP'",
  "read PROMPT_COMMAND <<< 'TRAP'",
  "for PROMPT_COMMAND in 'TRAP'; do :; done",
  "declare -n ref=PROMPT_COMMAND; ref='TRAP'",
  "PROMPT_COMMAND+=('TRAP')",
  "PROMPT_COMMAND[1]='TRAP'",
  "unset PROMPT_COMMAND; PROMPT_COMMAND='TRAP'",
  "PS0='$(TRAP)'",
  "PS1='$(TRAP)'",
  "PS1='`TRAP`'",
  "PS2='$(TRAP)'; PS4='$(TRAP)'; set -x",
  "shopt -s promptvars; PS1='$(TRAP)'",
  "shopt -s promptvars; PS1='\\044(TRAP)'",
  "shopt -s promptvars; PS1='\\44(TRAP)\\140TRAP\\140'",
  "shopt -s promptvars; PS1='\\\\\\\\$(TRAP)'",
  "shopt -s promptvars; PS1='`TRAP`'; PS4='$(TRAP)'; set -x",
  "PS1='a[$(TRAP)]'; declare -i PS1 2>/dev/null",
  "SECONDS='$(TRAP)'; unset SECONDS; SECONDS='a[$(TRAP)]'; PS1='new> '",
  "PWD='$(TRAP)'; OLDPWD='$(TRAP)'; HOME='$(TRAP)'",
  "HISTFILE='$(TRAP)'; IFS='0123456789;'",
  "BASH_VERSINFO='$(TRAP)' 2>/dev/null",
];

describe("D2 hooks of bash, with a shell that an agent set up,", () => {
  it.each(BASH_ATTACKS)("run no code of the agent: %s", async (attack) => {
    const trap = newTrap();
    const { id } = await shellOf("bash");

    await test.run(id, attack.replaceAll("TRAP", `touch ${trap}`));
    await test.run(id, "[[ 1 == 1 ]]");
    await test.run(id, "[[ 1 == 1 ]]");

    expect(existsSync(trap)).toBe(false);
  });

  it.each([
    "PROMPT_COMMAND=",
    "unset PROMPT_COMMAND",
    "PS0=",
    "PS1='new> '",
    "unset PS1 PS2; set -u",
    "declare -n PS1=foo",
    "set -o posix; set -u",
    "set -o vi",
    "readonly PS1; readonly PS2",
    "declare -u PS1; PS1='x> '",
    "exec 2>/dev/null",
    "IFS=0123456789",
    "trap 'true' DEBUG; trap 'true' ERR",
    "builtin() { false; }; return() { false; }",
  ])("lose no marker unnoticed: %s", async (attack) => {
    const { id } = await shellOf("bash");

    await test.run(id, attack);
    const report = await test.run(id, "sh -c 'exit 3'");

    expect(report.state).toBe("completed");
    // If the marker is lost the kernel says so, and no exit code is guessed.
    expect([3, null]).toContain(report.exitCode);
  });

  it("remove prompt hooks from the person's own files", async () => {
    const trap = newTrap();
    const home = join(test.folder, "home-with-hooks");
    await mkdir(home);
    await writeFile(
      join(home, ".bashrc"),
      `own() { true; }; PROMPT_COMMAND=own; trap own DEBUG; PS1='$(own) > '; alias ls='ls -l'`,
    );
    const { id } = await test.spawn({ env: { HOME: home } });

    await test.run(id, `own() { touch ${trap}; }`);
    await test.run(id, "true");

    expect(existsSync(trap)).toBe(false);
    await expectToWork(id);
  });

  it("leave a person's own shell as it is", async () => {
    const home = join(test.folder, "home-of-person");
    await mkdir(home);
    await writeFile(join(home, ".bashrc"), `PROMPT_COMMAND='seen=$?'; PS1='$seen> '`);
    const { id } = await test.spawn({ owner: "user", env: { HOME: home } });

    expect(await test.run(id, "sh -c 'exit 3'")).toMatchObject({ exitCode: 3, evidence: "marker" });
    expect(await test.outputOf(await test.run(id, "echo $seen"))).toBe("3\r\n");
    expect(await test.run(id, "PROMPT_COMMAND='PS1=\"new> \"'")).toMatchObject({ state: "completed" });
    // Without our hook the exit code is unknown, and the old one is not repeated.
    expect(await test.run(id, "sh -c 'exit 4'")).toMatchObject({ exitCode: null });
  });
});

describe.runIf(isThere("zsh"))("D2 hooks of zsh, with a shell that an agent set up,", () => {
  it.each([
    "__belay_shown='$(TRAP)'; __belay_more='$(TRAP)'",
    "__belay_wrap() { TRAP }; __belay_ended() { TRAP }; __belay_started() { TRAP }",
    "builtin() { TRAP }; print() { TRAP }; printf() { TRAP }",
    "PS1='$(TRAP)'",
    "RPS1='$(TRAP)'",
    "functions[__belay_wrap]='TRAP'",
  ])("run no code of the agent: %s", async (attack) => {
    const trap = newTrap();
    const { id } = await shellOf("zsh");

    await test.run(id, attack.replaceAll("TRAP", `touch ${trap}`));
    await test.run(id, "true");

    expect(existsSync(trap)).toBe(false);
  });

  it.each(["PS1='new> '", "unset PS1", "RPS1=", "setopt prompt_subst", "unset RPS1"])(
    "lose no marker: %s",
    async (attack) => {
      const { id } = await shellOf("zsh");

      await test.run(id, attack);

      expect(await test.run(id, "sh -c 'exit 3'")).toMatchObject({ exitCode: 3, evidence: "marker" });
    },
  );

  it("call no hook functions from the person's own files", async () => {
    const trap = newTrap();
    const home = join(test.folder, "home-zsh");
    await mkdir(home);
    await writeFile(join(home, ".zshrc"), `precmd() { true }; own() { true }; precmd_functions=(own)`);
    const shell = installedShells().find(({ kind }) => kind === "zsh")?.path ?? null;
    const { id } = await test.spawn({ program: { type: "shell", shell, login: false }, env: { HOME: home } });

    await test.run(id, `own() { touch ${trap} }`);
    await test.run(id, "true");

    expect(existsSync(trap)).toBe(false);
    await expectToWork(id);
  });
});

describe.runIf(isThere("fish"))("D2 hooks of fish, with a shell that an agent set up,", () => {
  it.each([
    "function printf; TRAP; end",
    "function builtin; TRAP; end",
    "set -g last '(TRAP)'; set -g fish_pid '(TRAP)'",
    "set -g __belay_shown '(TRAP)'",
  ])("run no code of the agent: %s", async (attack) => {
    const trap = newTrap();
    const { id } = await shellOf("fish");

    await test.run(id, attack.replaceAll("TRAP", `touch ${trap}`));
    await test.run(id, "true");

    expect(existsSync(trap)).toBe(false);
    await expectToWork(id);
  });
});

describe("D10 preparing a shell for a command", () => {
  it.each([
    "cd() { TRAP; }; export() { TRAP; }; unset() { TRAP; }; printf() { TRAP; }; [() { TRAP; }",
    "builtin() { TRAP; }; command() { TRAP; }; .() { TRAP; }; source() { TRAP; }",
    "alias cd='TRAP;' export='TRAP;' builtin='TRAP;' .='TRAP;' unset='TRAP;'",
    "__belay_saved_PATH='TRAP'; __belay_saved_VALUE='$(TRAP)'",
  ])("runs no code of the agent: %s", async (attack) => {
    const trap = newTrap();
    const { id } = await shellOf("bash");
    const folder = join(test.folder, `work-${traps}`);
    await mkdir(folder);

    await test.run(id, attack.replaceAll("TRAP", `touch ${trap}`));
    const during = await test.run(id, 'echo "$VALUE"', { cwd: folder, env: { VALUE: "mine" } });
    const after = await test.run(id, 'echo "<$VALUE>"');

    expect(during).toMatchObject({ state: "completed", cwd: folder });
    expect([await test.outputOf(during), await test.outputOf(after)]).toEqual(["mine\r\n", "<>\r\n"]);
    expect(existsSync(trap)).toBe(false);
  });

  it("refuses to run if a builtin cannot be trusted", async () => {
    const { id } = await shellOf("bash");
    await test.run(id, "builtin() { true; }; readonly -f builtin");

    await expect(test.run(id, "echo no", { env: { VALUE: "mine" } })).rejects.toMatchObject({ code: "env-refused" });
  });

  it("restores the real previous values, not what the agent claims", async () => {
    const { id } = await test.spawn({ env: { VALUE: "before" } });

    await test.run(id, "__belay_saved_VALUE=claimed; VALUE=changed", { env: { VALUE: "during" } });
    const after = await test.run(id, 'echo "$VALUE"');

    expect(await test.outputOf(after)).toBe("before\r\n");
  });
});
