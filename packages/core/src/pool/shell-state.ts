import type { TerminalInfo } from "@belay/protocol";
import { CoreError } from "../errors.ts";
import { missingState } from "../shell/state-dump.ts";
import type { ShellDriver } from "../terminal/commands/shell-driver.ts";
import type { ShellState } from "./requests.ts";

/** Asks an agent's shell for its state. Refuses while a person has the terminal and may be typing. */
export async function readShellState(info: TerminalInfo, driver: ShellDriver): Promise<ShellState> {
  const { id, shell, owner, cwd } = info;
  if (owner !== "agent" || shell === null) {
    throw new CoreError("terminal-busy", `Terminal "${id}" is in a person's hands, or has no shell.`);
  }
  const { kind, text } = await driver.readState();
  const jobs = text !== null && /^# job$/m.test(text) ? ["programs that run in its background"] : [];
  return { kind, shellPath: shell, cwd, text, missing: [...missingState(kind), ...jobs] };
}
