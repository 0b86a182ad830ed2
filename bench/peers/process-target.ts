import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Target } from "../harness/target.ts";

/** A compared server that is one process. */
export function processTarget(name: string, child: ChildProcess, open: Target["open"]): Target {
  return {
    name,
    pids: () => [child.pid ?? 0],
    open,
    close: async () => {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}
