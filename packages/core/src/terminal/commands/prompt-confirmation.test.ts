import { expect, it } from "vitest";
import type { ShellDoing, ShellProcess } from "../../evidence/shell-process.ts";
import type { ShellStatus } from "../../shell/markers.ts";
import { PromptConfirmation } from "./prompt-confirmation.ts";

/** A shell whose state the test decides, and what was concluded about it. */
function createShell({
  doing,
  isEditing = true,
  kind = "bash",
}: {
  doing: ShellDoing[];
  isEditing?: boolean | null;
  kind?: "bash" | "zsh";
}) {
  const seen: (number | null | "continuation")[] = [];
  const inTerminal: (() => void)[] = [];
  let answers = 0;
  const process: ShellProcess = {
    doing: () => doing[Math.min(answers++, doing.length - 1)] ?? "unknown",
    program: () => `/bin/${kind}`,
    kind: () => kind,
    isEditing: async () => isEditing,
    folder: () => null,
    folderAt: () => null,
  };
  const confirmation = new PromptConfirmation({
    process: () => process,
    kind: () => kind,
    drain: async () => {
      for (const read of inTerminal.splice(0)) read();
    },
    onPrompt: ({ exitCode }) => seen.push(exitCode),
    onContinuation: () => seen.push("continuation"),
  });
  const claim = (exitCode: number, turn: string, shell = "bash") => {
    const status: ShellStatus = { pid: 1, shell, exitCode, turn };
    confirmation.add({ kind: "prompt", status, position: 0 });
  };
  return { confirmation, claim, seen, inTerminal, process, asked: () => answers };
}

it("D2 takes the exit code of the only prompt", async () => {
  const { claim, seen } = createShell({ doing: ["works", "edits"] });

  claim(6, "1");

  await expect.poll(() => seen).toEqual([6]);
});

it("D2 reads what the terminal holds before it believes a marker", async () => {
  const { claim, seen } = createShell({ doing: ["edits"] });

  claim(0, "1");
  setImmediate(() => claim(6, "1"));

  await expect.poll(() => seen).toEqual([null]);
});

it("D2 reads everything there is if two markers contradict each other", async () => {
  const { confirmation, claim, seen, inTerminal } = createShell({ doing: ["edits"] });
  inTerminal.push(() => confirmation.add({ kind: "continuation", position: 0 }));

  claim(0, "1");
  claim(6, "1");

  await expect.poll(() => seen).toEqual(["continuation"]);
});

it("D2 ignores markers in a form that the shell does not print", async () => {
  const { claim, seen } = createShell({ doing: ["edits"] });

  claim(0, "z1");
  claim(0, "1763370000123456", "zsh");
  claim(0, "", "fish");
  claim(6, "1");

  await expect.poll(() => seen).toEqual([6]);
});

it("D2 a repainted prompt has no exit code", async () => {
  const { claim, seen } = createShell({ doing: ["edits"] });
  claim(6, "1");
  await expect.poll(() => seen).toEqual([6]);

  claim(6, "1");

  await expect.poll(() => seen).toEqual([6, null]);
});

it("D2 gives no exit code after more markers than a shell prints", async () => {
  const { claim, seen } = createShell({ doing: ["works", "edits"] });

  for (let at = 0; at < 100; at++) claim(0, `t${at}`);

  await expect.poll(() => seen).toEqual([null]);
});

it.each<[string, Parameters<typeof createShell>[0]]>([
  ["a program is in the foreground", { doing: ["has-child"] }],
  ["a builtin of the shell reads", { doing: ["reads"], isEditing: false }],
])("D2 discards markers while %s", async (_, state) => {
  const { claim, seen, asked } = createShell(state);
  claim(0, "1");
  await expect.poll(asked).toBe(1);

  claim(0, "1");

  await expect.poll(asked).toBe(2);
  expect(seen).toEqual([]);
});

it("D2 keeps asking while the kernel does not say whether the shell edits its line", async () => {
  const { claim, seen, asked } = createShell({ doing: ["reads"], isEditing: null });

  claim(0, "1");

  await expect.poll(asked).toBeGreaterThan(3);
  expect(seen).toEqual([]);
});

it("D2 does not take silence of the kernel for a prompt once it has answered", async () => {
  const { claim, seen, asked } = createShell({ doing: ["works", "unknown", "unknown", "unknown", "edits"] });

  claim(6, "1");
  await expect.poll(() => seen).toEqual([6]);

  expect(asked()).toBe(5);
});

it("D2 believes markers where the kernel never says anything", async () => {
  const { claim, seen } = createShell({ doing: ["unknown"] });

  claim(6, "1");

  await expect.poll(() => seen).toEqual([6]);
});

it("D2 recognises a repainted prompt of a shell that prints two markers", async () => {
  const { confirmation, seen } = createShell({ doing: ["edits"], kind: "zsh" });
  const claim = (kind: "prompt" | "prompt-again", turn: string) =>
    confirmation.add({ kind, status: { pid: 1, shell: "zsh", exitCode: 6, turn }, position: 0 });
  claim("prompt", "100");
  await expect.poll(() => seen).toEqual([6]);
  claim("prompt-again", "101");
  await expect.poll(() => seen).toEqual([6, 6]);

  claim("prompt", "100");
  claim("prompt-again", "101");

  await expect.poll(() => seen).toEqual([6, 6, null]);
});

it("D2 a late second marker of the prompt before does not count beside a first one", async () => {
  const { confirmation, seen } = createShell({ doing: ["works", "works", "edits"], kind: "zsh" });
  const claim = (kind: "prompt" | "prompt-again", exitCode: number, turn: string) =>
    confirmation.add({ kind, status: { pid: 1, shell: "zsh", exitCode, turn }, position: 0 });

  claim("prompt-again", 0, "100");
  claim("prompt", 1, "200");
  claim("prompt-again", 1, "201");

  await expect.poll(() => seen).toEqual([1]);
});

it("D2 keeps a marker that comes while the kernel is asked about an earlier one", async () => {
  let answer: (isEditing: boolean) => void = () => {};
  const { confirmation, seen, process } = createShell({ doing: ["reads", "edits"], kind: "zsh" });
  process.isEditing = () => new Promise((resolve) => (answer = resolve));
  const claim = (exitCode: number, turn: string) =>
    confirmation.add({ kind: "prompt", status: { pid: 1, shell: "zsh", exitCode, turn }, position: 0 });

  claim(0, "100");
  claim(1, "200");
  answer(false);

  await expect.poll(() => seen).toEqual([1]);
});
