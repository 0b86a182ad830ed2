import type { CommandReport } from "@belay/protocol";
import { describe, expect, test } from "vitest";
import type { ShellDoing, ShellProcess } from "../../evidence/shell-process.ts";
import type { Marker } from "../../shell/markers.ts";
import { ShellDriver } from "./shell-driver.ts";

/** A bash whose output and kernel the test controls. */
function driveShell() {
  let output = "";
  let doing: ShellDoing = "edits";
  const typed: string[] = [];
  let onTyped = () => {};
  const folder = { path: "/work", id: "1:1" };
  const process: ShellProcess = {
    doing: () => doing,
    program: () => "bash",
    kind: () => "bash",
    isEditing: async () => true,
    folder: () => folder,
    folderAt: () => folder,
  };
  const driver = new ShellDriver({
    terminalId: "pty-1",
    kind: "bash",
    cwd: "/work",
    now: () => 0,
    process: () => process,
    folder: {
      newPath: () => "/nowhere",
      take: () => Promise.reject(new Error("no file")),
      writeScript: () => Promise.reject(new Error("no file")),
    },
    position: () => output.length,
    outOfSight: (_, work) => work(),
    drain: async () => {},
    endForeground: () => {},
    write: (text) => void typed.push(text.toString()),
    onTyped: () => onTyped(),
    onChanged: () => {},
    onFinished: () => {},
    takeReachedLimit: () => null,
  });
  const shell = {
    isDoing: (what: ShellDoing) => {
      doing = what;
    },
    prints: (text: string) => {
      const position = output.length;
      output += text;
      driver.printed(Buffer.from(text), position);
    },
    marks: (kind: "started" | "prompt", exitCode = 0, turn = "0") => {
      const status = { pid: 1, shell: "bash", exitCode, turn };
      driver.marker((kind === "started" ? { kind, pid: 1 } : { kind, ...status }) as Marker);
    },
  };
  return {
    shell,
    run: async (act: () => void): Promise<CommandReport & { output: string }> => {
      shell.marks("prompt");
      const isTyped = new Promise<void>((resolve) => {
        onTyped = resolve;
      });
      const running = driver.run({ commandId: "cmd-1", line: "a-command", wait: PATIENTLY });
      await isTyped;
      shell.prints("a-command\r\n");
      shell.marks("started");
      act();
      const report = await running;
      return { ...report, output: output.slice(report.startPosition, report.endPosition) };
    },
  };
}
const PATIENTLY = { type: "idle", idleMs: null, timeoutMs: 20_000 } as const;

describe("C4 D2 a prompt that is painted again before the kernel has confirmed it", () => {
  test("ends the command with its exit code and without the first prompt", async () => {
    const { shell, run } = driveShell();

    const report = await run(() => {
      shell.prints("done\r\n");
      shell.isDoing("works");
      shell.marks("prompt", 3, "1");
      shell.prints("bash-5.2#      \r");
      shell.marks("prompt", 3, "1");
      shell.prints("bash-5.2# ");
      shell.isDoing("edits");
    });

    expect(report).toMatchObject({ exitCode: 3, evidence: "marker", output: "done\r\n" });
  });

  test("is not believed if the two have different exit codes", async () => {
    const { shell, run } = driveShell();

    const report = await run(() => {
      shell.isDoing("works");
      shell.marks("prompt", 0, "1");
      shell.marks("prompt", 6, "1");
      shell.isDoing("edits");
    });

    expect(report).toMatchObject({ exitCode: null });
  });
});
