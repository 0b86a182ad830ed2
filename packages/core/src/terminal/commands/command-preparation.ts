import { resolve } from "node:path";
import type { CommandReport } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import type { Folder, ShellProcess } from "../../evidence/shell-process.ts";
import type { TerminalFolder } from "../../pool/terminal-folder.ts";
import type { ShellKind } from "../../shell/hooks.ts";
import { parseSaved, preparationScript, type SavedEnv } from "../../shell/preparation.ts";

interface CommandPreparationOptions {
  process: () => ShellProcess;
  /** For the file into which the shell writes old values. */
  files: Pick<TerminalFolder, "newPath" | "take">;
  /** The shell's current state, as far as known. */
  shell: () => { kind: ShellKind; folder: Folder | null; lastCwd: string };
}

/** Sets the folder and variables of a command in its shell, and restores the variables of the command before it. */
export class CommandPreparation {
  readonly #options: CommandPreparationOptions;
  /** The values that the environment of the last command replaced. */
  #savedEnv: SavedEnv = new Map();

  constructor(options: CommandPreparationOptions) {
    this.#options = options;
  }

  /** `run` makes the shell read a script, and waits until it has. */
  async prepare(
    { cwd, env }: { cwd: string | null; env: Record<string, string> },
    run: (script: string) => Promise<CommandReport>,
  ): Promise<void> {
    const { files, shell } = this.#options;
    const names = Object.keys(env);
    // Most commands: asking the kernel for the folder would only delay them.
    if (cwd === null && names.length === 0 && this.#savedEnv.size === 0) return;
    const { kind, folder: before, lastCwd } = shell();
    const wanted = cwd === null ? null : resolve(before?.path ?? lastCwd, cwd);
    const process = this.#options.process();
    const target = wanted !== null && before?.id === (process.folderAt(wanted)?.id ?? null) ? null : wanted;
    if (target === null && names.length === 0 && this.#savedEnv.size === 0) return;
    const savedFile = files.newPath();
    const script = preparationScript(kind, { cwd: target, restore: this.#savedEnv, env, savedFile });
    const { exitCode } = await run(script);
    const { folder } = shell();
    if (target !== null && (folder ? folder.id !== process.folderAt(target)?.id : exitCode !== 0)) {
      throw new CoreError("cwd-not-found", `The shell cannot go to "${target}". Nothing was run.`);
    }
    if (exitCode !== 0) throw new CoreError("env-refused", "The shell did not take the variables. Nothing was run.");
    this.#savedEnv = names.length === 0 ? new Map() : parseSaved(await files.take(savedFile), names);
  }
}
