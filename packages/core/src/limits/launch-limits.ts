import type { ResourceLimits } from "@belay/protocol";
import { quote } from "../shell/quote.ts";
import type { LimitGroup } from "./limit-group.ts";

/** How a program is started so that it stays within its limits. */
export interface LaunchLimits {
  /** Files to write to in order to join the groups that the kernel limits as a whole. */
  joinFiles: readonly string[];
  /** The limit for each process; null: unchanged. */
  openFiles: number | null;
  fileBytes: number | null;
  /** Memory of each process, if no group limits all of them. */
  dataBytes: number | null;
  /** Processes of a sandbox, if no group limits them: counted by the sandbox's own user. */
  processesInside: number | null;
}

export function launchLimitsOf(limits: ResourceLimits, group: LimitGroup | null): LaunchLimits {
  const { processes, memoryBytes, openFiles, fileBytes } = limits;
  return {
    joinFiles: group?.joinFiles ?? [],
    openFiles,
    fileBytes,
    dataBytes: group?.limits("memory") ? null : memoryBytes,
    processesInside: group?.limits("pids") ? null : processes,
  };
}

/** Lines for bash, which then execs the program. Lower existing limits are kept. It exits if it cannot join a group. */
export function limitLines({ joinFiles, openFiles, fileBytes, dataBytes }: LaunchLimits): string {
  const lines = joinFiles.map((file) => `echo 0 >${quote(file)} || exit 126\n`);
  if (openFiles !== null) lines.push(ulimit("n", openFiles));
  if (fileBytes !== null) lines.push(ulimit("f", Math.ceil(fileBytes / 1024)));
  if (dataBytes !== null) lines.push(ulimit("d", Math.ceil(dataBytes / 1024)));
  return lines.join("");
}

/** The command line that starts a program with its limits. */
export function withLimits(argv: [string, ...string[]], limits: LaunchLimits): [string, ...string[]] {
  return ["/bin/bash", "--noprofile", "--norc", "-pc", `${limitLines(limits)}exec "$0" "$@"`, ...argv];
}

/** The same inside a sandbox, for whose user the kernel counts processes separately. Root's are never counted. */
export function withProcessLimit(argv: [string, ...string[]], limits: LaunchLimits | undefined): [string, ...string[]] {
  const processes = limits?.processesInside ?? null;
  if (processes === null || process.getuid?.() === 0) return argv;
  return ["/bin/bash", "--noprofile", "--norc", "-pc", `${ulimit("u", processes)}exec "$0" "$@"`, ...argv];
}

function ulimit(option: string, value: number): string {
  return `ulimit -${option} ${value} 2>/dev/null\n`;
}
