import { lacksCredentials, namesServer } from "./behind-wall/accounts.ts";
import { reachesOwnDatabases } from "./behind-wall/databases.ts";
import {
  deletesNothingForGood,
  discardsWhatIsKept,
  keepsCommits,
  readsHiddenFiles,
  readsSecretFiles,
} from "./behind-wall/kept-files.ts";
import type { WallContext, WallOpenings } from "./behind-wall/openings.ts";
import { setsInPrivateHome } from "./behind-wall/private-home.ts";
import { asksOnConnecting, isCloud, lacksEngine } from "./behind-wall/remote-clients.ts";
import { showsPlainVariables } from "./behind-wall/variables.ts";
import type { JudgeContext } from "./context.ts";
import type { Invocation } from "./language/commands/invocation.ts";
import type { Finding } from "./match-invocation.ts";
import type { SecuritySettings } from "./settings/schema.ts";

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

/** Behind a wall, files outside the workspace do not exist or are read-only, in every network mode. */
const FILES: ReadonlySet<string> = new Set(["outside-workspace", "writes-file", "git-write", "other-terminal"]);

/** Behind a wall the network is closed, or goes through a proxy that asks about each new host. */
const NETWORK: ReadonlySet<string> = new Set(["network", "remote-read"]);

/**
 * Requests to the service manager and cron. Their sockets and folders are below `/run` and `/var`, which are empty
 * behind a wall, and every process ends with the terminal. With network mode `host`, abstract sockets are reachable, so
 * this does not hold.
 */
const SERVICES: ReadonlySet<string> = new Set(["runs-later", "stops-service"]);

/**
 * Programs whose `destroys` finding is contained in every network mode: signals reach only processes of the same
 * terminal; logs of the kernel and the machine, and crontabs, are not visible; and commands removed from a shell's
 * history stay in Belay's record. Container engines are not listed, because a team may have let their socket in.
 */
const DESTROYS_INSIDE: ReadonlySet<string> = new Set(
  "kill pkill killall skill fuser dmesg journalctl crontab history".split(" "),
);

/**
 * Whether it would change the network, clock, kernel or accounts of the machine. Behind a wall, programs have no
 * capabilities, a separate network, and no access to the services that could do it for them. Container engines are
 * excluded, because they act outside the wall.
 */
function isMachineSetting({ rule }: Finding, program: string | null, { network }: WallContext): boolean {
  return rule === "machine-settings" && network !== "host" && program !== null && program !== "docker";
}

/**
 * Allows what a wall contains. This applies only to questions from built-in rules. Denials, the security file's own
 * rules, protected paths, and whatever leaves any wall (pushes, publishing, credentials, deleted work) are unchanged.
 */
export function containedByWall(
  findings: readonly Finding[],
  context: JudgeContext,
  settings: SecuritySettings,
  /** The program that the findings are about; null if they are about the whole text. */
  invocation: Invocation | null = null,
): readonly Finding[] {
  const { wall } = context;
  if (wall === null || settings.approval.inside === "ask") return findings;
  return findings.map((finding) => {
    const isBuiltIn = finding.layer === "approval" || finding.layer === "level";
    if (finding.decision !== "ask" || !isBuiltIn) return finding;
    const why = isContained(finding, invocation?.program ?? null, wall)
      ? "The wall contains it."
      : invocation && whyHarmless(finding, invocation, context, settings);
    return why ? { ...finding, decision: "allow", layer: "wall", reason: `${finding.reason} ${why}` } : finding;
  });
}

function isContained(finding: Finding, program: string | null, wall: WallContext): boolean {
  const { rule } = finding;
  return (
    (rule === "destroys" && program !== null && DESTROYS_INSIDE.has(program)) ||
    isMachineSetting(finding, program, wall) ||
    FILES.has(rule) ||
    (wall.network !== "host" && (CODE.has(rule) || NETWORK.has(rule) || SERVICES.has(rule)))
  );
}

/** Why a finding that the wall alone does not contain is harmless, given the wall's openings; null if it is not. */
function whyHarmless(
  finding: Finding,
  invocation: Invocation,
  context: JudgeContext,
  settings: SecuritySettings,
): string | null {
  const { network, openings } = context.wall ?? {};
  if (openings === undefined) return null;
  const { rule } = finding;
  const outside = network === "host" ? null : whyKeptFromOthers(rule, invocation, openings, context, settings);
  if (outside !== null) return outside;
  switch (rule) {
    case "destroys":
      if (keepsCommits(invocation, context)) return "Git keeps the commits.";
      return discardsWhatIsKept(invocation, openings, context) ? "It can be undone." : null;
    case "lasting-settings":
      return setsInPrivateHome(invocation, openings, context) ? "They are in a home of the agent's own." : null;
    case "delete":
      return deletesNothingForGood(invocation, openings, context) ? "The wall and the trash keep the files." : null;
    case "sensitive-read":
      if (readsHiddenFiles(finding, invocation, openings, context)) return "The wall hides the file.";
      return showsPlainVariables(invocation, openings, context) ? "The wall lets no secret variables in." : null;
    default:
      return null;
  }
}

/** Why the command cannot change or read what belongs to other people. Does not apply to network mode `host`. */
function whyKeptFromOthers(
  rule: string,
  invocation: Invocation,
  openings: WallOpenings,
  context: JudgeContext,
  settings: SecuritySettings,
): string | null {
  switch (rule) {
    case "lasting-settings":
      return lacksEngine(invocation, openings) ? NO_ENGINE : null;
    case "publishes":
    case "destroys":
    case "machine-settings":
    case "sensitive-read": {
      if (rule === "sensitive-read" && readsSecretFiles(invocation)) return null;
      if (lacksEngine(invocation, openings)) return NO_ENGINE;
      if (reachesOwnDatabases(invocation, openings, settings)) return "It reaches only databases of the agent's own.";
      const isNew = asksOnConnecting(invocation, rule, openings, settings);
      // A signed-in client may print its stored credentials without connecting.
      if (isNew && rule !== "sensitive-read") return ASKS_LATER;
      const isAlone = isNew || !isCloud(invocation) || !namesServer(invocation);
      return isAlone && lacksCredentials(invocation, openings, context)
        ? "It has no credentials behind the wall."
        : null;
    }
    default:
      return null;
  }
}

const NO_ENGINE = "No container engine can be reached behind the wall.";
const ASKS_LATER = "The wall asks before it connects to a host that is not listed.";
