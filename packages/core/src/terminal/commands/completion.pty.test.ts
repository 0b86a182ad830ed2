import type { CommandReport, TerminalId } from "@belay/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../../shell/shells.ts";
import { installedShells } from "../../testing/installed-shells.ts";
import { openTestPool, type TestPool } from "../../testing/test-pool.ts";

type Kind = "bash" | "zsh" | "fish" | "sh";

interface Row {
  name: string;
  /** One text for all shells, or one for each that supports it. */
  line: string | Partial<Record<Kind, string>>;
  report: Partial<CommandReport>;
  output?: RegExp;
  /** What to type once it waits, and how it then ends. */
  answer?: { keys: string; report: Partial<CommandReport>; output?: RegExp };
  /** The shell must be in its initial state afterwards, unless this says otherwise. */
  leaves?: "nothing";
  needs?: string;
}

const POSIX = (line: string) => ({ bash: line, zsh: line, sh: line });
const done = (exitCode: number | null = 0) => ({ state: "completed", evidence: "marker", exitCode }) as const;
const waits = (state: CommandReport["state"]) => ({ state, evidence: "kernel", exitCode: null }) as const;
const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
const LONG = "x".repeat(100_000);
const ALL_BYTES = "process.stdout.write(Buffer.from(Array.from({length:65536},(_, i) => i * 7 % 256)))";

const ROWS: Row[] = [
  { name: "a command", line: "echo hello", report: done(), output: exactly("hello\r\n") },
  {
    name: "an exit code",
    line: { ...POSIX("(exit 7)"), fish: "sh -c 'exit 7'" },
    report: done(7),
    output: exactly(""),
  },
  { name: "an unknown command", line: "no-such-command-here", report: done(127) },
  { name: "several lines", line: "echo one\necho two\nfalse", report: done(1), output: exactly("one\r\ntwo\r\n") },
  {
    name: "a question between lines",
    line: "echo one\nread x\necho two",
    report: waits("waiting_input"),
    output: /^one\r\n/,
    answer: { keys: "word\r", report: done(), output: /two\r\n$/ },
  },
  {
    name: "a block over lines",
    line: { ...POSIX("for i in 1 2; do\n  echo $i\ndone"), fish: "for i in 1 2\n  echo $i\nend" },
    report: done(),
    output: exactly("1\r\n2\r\n"),
  },
  {
    name: "a here-doc",
    line: POSIX("cat <<'END'\none $HOME\n\ttwo 'three\nEND"),
    report: done(),
    output: exactly("one $HOME\r\n\ttwo 'three\r\n"),
  },
  {
    name: "a tab and an exclamation mark",
    line: "printf '%s\\n' 'a\tb!c !!'",
    report: done(),
    output: exactly("a\tb!c !!\r\n"),
  },
  { name: "a comment", line: "echo yes # and 'no more", report: done(), output: exactly("yes\r\n") },
  { name: "100 KB", line: `printf %s ${LONG} | wc -c`, report: done(), output: /^\s*100000\r\n$/ },
  {
    name: "set -e; false",
    line: POSIX("set -e; false"),
    report: { state: "exited", evidence: "exit", exitCode: 1 },
    leaves: "nothing",
  },
  { name: "exit 3", line: "exit 3", report: { state: "exited", evidence: "exit", exitCode: 3 }, leaves: "nothing" },
  {
    name: "killed from inside",
    line: { ...POSIX("kill -9 $$"), fish: "kill -9 $fish_pid" },
    report: { state: "exited", evidence: "exit", exitCode: 137 },
    leaves: "nothing",
  },
  { name: "set -x", line: POSIX("set -x"), report: done(), output: exactly("") },
  { name: "set -u", line: POSIX("set -u; echo fine"), report: done(), output: exactly("fine\r\n") },
  { name: "exec sh", line: { bash: "exec sh", zsh: "exec sh", fish: "exec sh" }, report: done(null) },
  {
    name: "exec of a shell that we do not know",
    line: { bash: "exec bash --norc", zsh: "exec zsh -f", fish: "exec bash --norc" },
    report: { state: "completed", evidence: "kernel", exitCode: null },
  },
  {
    name: "exec of a program that reads",
    line: "exec cat",
    report: waits("waiting_input"),
    answer: { keys: "\x04", report: { state: "exited", evidence: "exit", exitCode: 0 } },
    leaves: "nothing",
  },
  {
    name: "a plain sh inside",
    line: "sh",
    report: { state: "waiting_input", exitCode: null },
    answer: { keys: "exit 4\r", report: done(4) },
  },
  {
    name: "nested bash",
    line: "bash --norc",
    report: waits("waiting_input"),
    answer: { keys: "exit 5\r", report: done(5) },
  },
  {
    name: "hooks removed",
    line: { zsh: "precmd_functions=()", fish: "functions -e __belay_ended" },
    report: done(),
  },
  { name: "hooks that cannot be removed", line: { bash: "PROMPT_COMMAND=", zsh: "RPS1=" }, report: done(1) },
  {
    name: "a changed prompt",
    line: { bash: "PS1='new> '", zsh: "PS1='new> '", fish: "function fish_prompt; echo 'new> '; end" },
    report: done(),
  },
  {
    name: "a changed prompt in sh",
    line: { sh: "PS1='new> '" },
    report: { state: "completed", evidence: "kernel", exitCode: null },
  },
  { name: "clear", line: "clear", report: done() },
  { name: "a reset of the terminal", line: "printf '\\033c'", report: done() },
  { name: "no line end", line: "printf abc", report: done(), output: exactly("abc") },
  {
    name: "a pager",
    line: "seq 1000 | less",
    report: waits("fullscreen"),
    answer: { keys: "q", report: done() },
    needs: "less",
  },
  { name: "read", line: "read x", report: waits("waiting_input"), answer: { keys: "word\r", report: done() } },
  {
    name: "read -s",
    line: { bash: "read -s x", zsh: "read -s x" },
    report: waits("waiting_secret"),
    answer: { keys: "hidden\r", report: done() },
  },
  { name: "cat", line: "cat", report: waits("waiting_input"), answer: { keys: "\x04", report: done() } },
  {
    name: "a password prompt",
    line: "python3 -c 'import getpass; print(len(getpass.getpass()))'",
    report: waits("waiting_secret"),
    answer: { keys: "secret\r", report: done(), output: /6\r\n$/ },
    needs: "python3",
  },
  {
    name: "a Python REPL",
    line: "python3 -q",
    report: waits("waiting_input"),
    answer: { keys: "exit(3)\r", report: done(3) },
    needs: "python3",
  },
  { name: "a Node REPL", line: "node", report: waits("waiting_input"), answer: { keys: ".exit\r", report: done() } },
  {
    name: "vim",
    line: "vim -u NONE -N",
    report: waits("fullscreen"),
    answer: { keys: ":q!\r", report: done() },
    needs: "vim",
  },
  {
    name: "a progress bar",
    line: {
      ...POSIX("for i in 1 2 3; do printf '\\r%s%%' $i; done; echo"),
      fish: "for i in 1 2 3; printf '\\r%s%%' $i; end; echo",
    },
    report: done(),
    output: exactly("\r1%\r2%\r3%\r\n"),
  },
  { name: "a job that prints later", line: "sh -c 'sleep 0.3; echo late' &", report: done() },
  { name: "Ctrl-C", line: "cat", report: waits("waiting_input"), answer: { keys: "\x03", report: done(130) } },
  {
    name: "Ctrl-Z",
    line: { bash: "cat", zsh: "cat" },
    report: waits("waiting_input"),
    answer: { keys: "\x1a", report: { state: "completed", evidence: "marker" } },
  },
  {
    name: "forged markers",
    line: "printf '\\033]7337;00112233445566778899aabb;P;1;bash;0;/\\007'; sleep 0.1; sh -c 'exit 4'",
    report: done(4),
    output: /]7337;00112233445566778899aabb;P;1;bash;0;\//,
  },
  { name: "50 MB", line: "head -c 50000000 /dev/zero | tr '\\0' x", report: done() },
  { name: "every byte there is", line: `node -e '${ALL_BYTES}'`, report: done() },
  {
    name: "a character in two halves",
    line: "printf '\\342'; sleep 0.1; printf '\\202\\254\\n'",
    report: done(),
    output: exactly("€\r\n"),
  },
  { name: "wide characters", line: "echo 日本語 👩‍🚀 ẹ̀", report: done(), output: exactly("日本語 👩‍🚀 ẹ̀\r\n") },
  { name: "a closed stdout", line: "sh -c 'exec >&- 2>&-; sleep 0.2; exit 6'", report: done(6), output: exactly("") },
  { name: "a closed stdin", line: "cat < /dev/null", report: done(), output: exactly("") },
  {
    name: "output from a program that ignores SIGTERM",
    line: "sh -c 'trap \"\" TERM; kill -TERM $$; echo alive'",
    report: done(),
    output: exactly("alive\r\n"),
  },
];

let test: TestPool;
beforeAll(async () => {
  test = await openTestPool();
});
afterAll(() => test.close());

describe.each(installedShells())("D2 $kind knows when a command is done:", ({ kind, path }) => {
  const rows = ROWS.flatMap((row) => {
    const line = typeof row.line === "string" ? row.line : row.line[kind];
    return line === undefined ? [] : [{ ...row, line }];
  });

  for (const row of rows) {
    const canRun =
      path !== null && (row.needs === undefined || findProgram(row.needs, process.env.PATH ?? "") !== null);
    it.runIf(canRun)(row.name, async () => {
      const { id } = await test.spawn({ program: { type: "shell", shell: path, login: false } });

      const report = await test.run(id, row.line);
      expect(report).toMatchObject(row.report);
      if (row.output !== undefined) expect(await cleanOutput(report)).toMatch(row.output);

      if (row.answer) {
        const finished = test.untilFinished(report);
        await test.pool.write(id, row.answer.keys);
        expect(await finished).toMatchObject(row.answer.report);
        if (row.answer.output) expect(await cleanOutput(await finished)).toMatch(row.answer.output);
      }

      if (row.leaves !== "nothing") await expectGoodAsNew(id);
      // Our markers must be invisible to viewers.
      if (!/7337|belay/.test(row.line)) expect((await test.pool.history(id, 65_536)).text).not.toMatch(/7337;|belay_/);
      await test.pool.kill(id, { reason: "killed" });
    });
  }

  it.runIf(path !== null)("an unclosed quote is refused before anything is typed", async () => {
    const { id } = await test.spawn({ program: { type: "shell", shell: path, login: false } });
    await test.run(id, "true");
    const { position } = await test.pool.get(id);

    await expect(test.run(id, "echo 'open")).rejects.toMatchObject({ code: "incomplete-command" });

    expect(await test.pool.get(id)).toMatchObject({ position, activity: { kind: "idle" } });
  });

  it.runIf(path !== null)("an open block is cancelled", async () => {
    const { id } = await test.spawn({ program: { type: "shell", shell: path, login: false } });

    await expect(test.run(id, "if true")).rejects.toMatchObject({ code: "incomplete-command" });

    await expectGoodAsNew(id);
  });
});

/** What fish prints between reading a line and running it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about.
const FISH_START = /^(?:\x1b\[\?2004l)?(?:\x1b\]0;[^\x07]*\x07)?\x1b\[30m\x1b\(B\x1b\[m/;

async function cleanOutput(report: CommandReport): Promise<string> {
  return (await test.outputOf(report)).replace(FISH_START, "");
}

async function expectGoodAsNew(id: TerminalId): Promise<void> {
  const report = await test.run(id, "echo still\necho here");
  expect(report.state).toBe("completed");
  expect(await cleanOutput(report)).toMatch(/still\r\n[\s\S]*here\r\n/);
}
