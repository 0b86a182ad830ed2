import { spawnSync } from "node:child_process";
import { findProgram } from "../shell/shells.ts";
import { SYSTEM_PATH } from "./system-path.ts";

const TRY_LIMIT_MS = 5_000;
let bindsDescriptors: boolean | null = null;

/** Whether this bubblewrap can mount open folders: since version 0.10, and in older ones that got the security fix. */
export function canBindDescriptors(): boolean {
  if (bindsDescriptors === null) {
    const bwrap = findProgram("bwrap", SYSTEM_PATH);
    const { stdout, stderr } = spawnSync(bwrap ?? "bwrap", ["--help"], { encoding: "utf8", timeout: TRY_LIMIT_MS });
    bindsDescriptors = `${stdout}${stderr}`.includes("--bind-fd ");
  }
  return bindsDescriptors;
}
