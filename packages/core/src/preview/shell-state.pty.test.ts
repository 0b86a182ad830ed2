import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SpawnRequest } from "../pool/requests.ts";
import { canPreview, usePreviewScratch } from "../testing/changes/preview-scratch.ts";
import { installedShells } from "../testing/installed-shells.ts";
import { openTestPool } from "../testing/test-pool.ts";
import { KeptPreview } from "./kept-preview.ts";

const scratch = usePreviewScratch();
const { look } = scratch;
const agentShell = (shell: string | null): Partial<SpawnRequest> => ({
  program: { type: "shell", shell, login: false },
  cwd: scratch.root,
  owner: "agent",
});

describe.runIf(canPreview).each(installedShells())("X13 a preview for $kind", ({ kind: shellKind, path: shell }) => {
  test.skipIf(shell === null)("X13 has the state of the shell that it is for", async () => {
    const { pool, spawn, run, close } = await openTestPool();
    try {
      const { id } = await spawn(agentShell(shell));
      const set =
        shellKind === "fish" ? "set -gx SHOWN exported; set -g plain value" : "export SHOWN=exported; plain=value";
      await run(id, `${set}; cd build`);
      const state = await pool.shellState(id);
      const { kind, shellPath, cwd, text: stateText } = state;
      const result = await look("", {
        program: { type: "line", line: 'echo "$SHOWN $plain $PWD" > said', kind, shellPath, state: stateText, env: {} },
        cwd,
        dir: join(scratch.base, "data", "one"),
      });
      const kept = KeptPreview.open(scratch.dir);

      expect(await kept?.diff("0:build/said")).toMatchObject([{ lines: [`+exported value ${cwd}`] }]);
      expect(result).toMatchObject({ exitCode: 0, shellChanges: [], obstacles: [] });
      // The shell is as it was, and takes the next command.
      expect(await run(id, "true")).toMatchObject({ exitCode: 0 });
    } finally {
      await close();
    }
  });
});

describe.runIf(canPreview).each(installedShells())("X13 to read the state of $kind", ({ kind, path: shell }) => {
  test.skipIf(shell === null)("X13 shows nothing, and leaves the shell as it was", async () => {
    const { pool, spawn, run, outputOf, close } = await openTestPool();
    try {
      const { id } = await spawn(agentShell(shell));
      await run(
        id,
        kind === "fish"
          ? "sh -c 'exit 3' last-word"
          : "(exit 3) || ls /invented last-word 2>/dev/null; sh -c 'exit 3' last-word",
      );
      // It also waits until the shell has painted its prompt, which fish does later than it says.
      const state = await pool.shellState(id);
      const before = await pool.history(id, 100_000);
      await pool.shellState(id);
      await pool.shellState(id);

      expect(state.text).toContain("# status 3");
      expect(await pool.history(id, 100_000)).toEqual(before);
      const asks = {
        bash: 'echo "$? $_ $POSIXLY_CORRECT"; history',
        zsh: 'echo "$? $_"; fc -l',
        fish: "echo =$status=; history",
        sh: 'echo "$? $__belay_status"',
      };
      const told = await outputOf(await run(id, asks[kind]));
      expect(told).toMatch(kind === "bash" || kind === "zsh" ? /^3 last-word/m : /\b3\b/);
      expect(told).not.toMatch(/POSIXLY_CORRECT=|\/command-|source '/);
    } finally {
      await close();
    }
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: shells have placeholders, too.
/** Lines that print the same whether or not a terminal is there, with what a shell says of errors and of itself. */
const TELLING: Record<string, string[]> = {
  bash: [
    "invented-tool a b",
    'echo "$0 [${BASH_SOURCE-}] $- $SHLVL"',
    "cd /invented/folder; echo $?",
    'echo "${invented?is not set}"; echo more',
    "echo a; )",
    "false | true; echo ${PIPESTATUS[@]} $#; history | wc -l >/dev/null; type cd",
    "f() { invented-tool; }; f; unset -f f",
    "cat <<E\n$HOME\nE",
    "(exit 3)",
    "echo $?",
  ],
  zsh: [
    "invented-tool a b",
    'echo "$0 $SHLVL"; [[ -o interactive ]] && echo interactive',
    "cd /invented/folder; echo $?",
    'echo "${invented?is not set}"; echo more',
    "echo *.invented; echo more",
    "echo a; )",
    "(exit 3)",
    "echo $?",
  ],
  sh: ['echo "$0"', "cd .; echo $?", "cat <<E\n$HOME\nE", "(exit 3)", "echo $?"],
  fish: ["echo $PWD", "false", "echo $status"],
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: shells have placeholders, too.

/** Where the shell did not take the line, its echo is part of the output; and fish draws its line to the end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about.
const ECHO = /^.*(?:\x1b\[\?2004l\r|\x1b\(B\x1b\[m)/s;

describe.runIf(canPreview).each(installedShells())("X13 what a preview prints for $kind", ({ kind, path: shell }) => {
  test.skipIf(shell === null)("X13 is what the shell itself prints", async () => {
    const { pool, spawn, run, outputOf, close } = await openTestPool();
    try {
      const { id } = await spawn(agentShell(shell));
      for (const [at, line] of (TELLING[kind] ?? []).entries()) {
        const { shellPath, cwd, text: state } = await pool.shellState(id);
        const previewed = await look("", {
          program: { type: "line", line, kind, shellPath, state, env: {} },
          cwd,
          dir: join(scratch.base, "data", String(at)),
        });
        const real = await run(id, line);
        const printed = (await outputOf(real)).replace(ECHO, "").replaceAll("\r\n", "\n");

        expect({ line, output: previewed.output, exitCode: previewed.exitCode }).toEqual({
          line,
          output: printed,
          exitCode: real.exitCode,
        });
      }
    } finally {
      await close();
    }
  });
});
