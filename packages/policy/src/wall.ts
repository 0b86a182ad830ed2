import type { NetworkMode } from "@belay/protocol";
import type { JudgeContext } from "./context.ts";
import type { Finding } from "./match-invocation.ts";
import type { SecuritySettings } from "./settings/schema.ts";

/** What stands between a program and the machine, as far as it changes a verdict. */
export interface WallContext {
  readonly network: NetworkMode;
}

/**
 * Code that is not known before it runs. Behind a wall it finds no keys, no home, no other process and nobody to send
 * anything to; that holds only while the network is not the machine's own.
 */
const CODE: ReadonlySet<string> = new Set([
  "unknown-program",
  "unknown-option",
  "option-runs-code",
  "dynamic-argument",
  "dynamic-program",
  "dynamic-code",
  "inline-code",
  "runs-code",
  "written-code",
  "indirect-expansion",
  "arithmetic-on-data",
  "session-state",
  "project-work",
  "package-scripts",
  "changes-state",
]);

/** Files: what is outside the workspace is not there, or cannot be written, whatever the network is. */
const FILES: ReadonlySet<string> = new Set(["outside-workspace", "writes-file", "git-write", "other-terminal"]);

/** The way out is closed, or led through a proxy that asks about each new host itself. */
const NETWORK: ReadonlySet<string> = new Set(["network", "remote-read"]);

/**
 * Lets pass what a wall contains. Only questions that the built-in rules ask: what is denied, what the security file
 * says, protected paths, and what gets out of any wall (pushes, publishing, credentials, deleting work) stay as they are.
 */
export function containedByWall(
  findings: readonly Finding[],
  { wall }: JudgeContext,
  { approval }: SecuritySettings,
): readonly Finding[] {
  if (wall === null || approval.inside === "ask") return findings;
  return findings.map((finding) => {
    const isBuiltIn = finding.layer === "approval" || finding.layer === "level";
    if (finding.decision !== "ask" || !isBuiltIn || !isContained(finding.rule, wall)) return finding;
    return { ...finding, decision: "allow", layer: "wall", reason: `${finding.reason} The wall contains it.` };
  });
}

function isContained(rule: string, { network }: WallContext): boolean {
  return FILES.has(rule) || (network !== "host" && (CODE.has(rule) || NETWORK.has(rule)));
}
