import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../shell/shells.ts";
import { SYSTEM_PATH } from "../../walls/system-path.ts";

export interface GatedRuntime {
  /** The program to name as the OCI runtime. */
  path: string;
  /** Whether a container is being created, and waits. */
  isCreating(): boolean;
  /** Lets containers be created, now and later. */
  open(): void;
}

/** An OCI runtime that waits in the middle of creating a container, for as long as a test needs. */
export function makeGatedRuntime(folder: string, runtime: string): GatedRuntime {
  const program = findProgram(runtime, SYSTEM_PATH);
  if (!program) throw new Error(`There is no "${runtime}" here.`);
  const [path, gate, mark] = ["runtime", "gate", "creating"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  spawnSync("mkfifo", [gate]);
  const script = `#!/bin/sh
case " $* " in *" create "*)
  : > '${mark}'
  [ ! -e '${gate}' ] || read -r _ < '${gate}'
esac
exec '${program}' "$@"
`;
  writeFileSync(path, script, { mode: 0o755 });
  return {
    path,
    isCreating: () => existsSync(mark),
    open: () => {
      // A reader that waits gets an end of file. Without one, opening it for both does not block.
      spawnSync("sh", ["-c", 'exec 3<>"$0" && echo >&3 && rm "$0"', gate]);
      rmSync(gate, { force: true });
    },
  };
}
