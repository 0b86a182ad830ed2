import type { NetworkMode } from "@belay/protocol";
import type { JudgeContext } from "./context.ts";
import type { Finding } from "./match-invocation.ts";
import type { SecuritySettings } from "./settings/schema.ts";

/** The wall between a program and the machine, as far as it affects a verdict. */
export interface WallContext {
  readonly network: NetworkMode;
}

/**
 * Code that is unknown in advance. Behind a wall it has no access to keys, the home, other processes or the
 * network; that holds only while the network is not the machine's own.
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

/** Files outside the workspace do not exist, or cannot be written, with any network mode. */
const FILES: ReadonlySet<string> = new Set(["outside-workspace", "writes-file", "git-write", "other-terminal"]);

/** The network is closed, or goes through a proxy that asks about each new host itself. */
const NETWORK: ReadonlySet<string> = new Set(["network", "remote-read"]);

/**
 * What the service manager and cron would do. Their sockets and folders are below `/run` and `/var`, which are empty there,
 * and everything ends with the terminal. With the machine's own network, abstract sockets are within reach.
 */
const SERVICES: ReadonlySet<string> = new Set(["runs-later", "stops-service"]);

/**
 * Programs whose `destroys` stays inside with any network mode: signals reach only processes of the same terminal, and the
 * kernel's and the machine's logs are not there. Not those of container engines, whose socket a team may have let in.
 */
const DESTROYS_INSIDE: ReadonlySet<string> = new Set(["kill", "pkill", "killall", "skill", "dmesg", "journalctl"]);

/**
 * The network, clock, kernel and accounts of the machine: programs behind a wall have no capabilities, a network of their own,
 * and none of the sockets of the services that could do it for them. Not what a container engine does for them.
 */
function isMachineSetting({ rule }: Finding, program: string | null, { network }: WallContext): boolean {
  return rule === "machine-settings" && network !== "host" && program !== null && program !== "docker";
}

/**
 * Allows what a wall contains. Only questions from built-in rules: denials, the security file's own
 * rules, protected paths, and what gets out of any wall (pushes, publishing, credentials, deleting work) are unchanged.
 */
export function containedByWall(
  findings: readonly Finding[],
  { wall }: JudgeContext,
  { approval }: SecuritySettings,
  /** What the findings are about, where that is one program. */
  program: string | null = null,
): readonly Finding[] {
  if (wall === null || approval.inside === "ask") return findings;
  return findings.map((finding) => {
    const isBuiltIn = finding.layer === "approval" || finding.layer === "level";
    const staysInside =
      (finding.rule === "destroys" && program !== null && DESTROYS_INSIDE.has(program)) ||
      isMachineSetting(finding, program, wall);
    if (finding.decision !== "ask" || !isBuiltIn || !(staysInside || isContained(finding.rule, wall))) return finding;
    return { ...finding, decision: "allow", layer: "wall", reason: `${finding.reason} The wall contains it.` };
  });
}

function isContained(rule: string, { network }: WallContext): boolean {
  return FILES.has(rule) || (network !== "host" && (CODE.has(rule) || NETWORK.has(rule) || SERVICES.has(rule)));
}
