import { spawnSync } from "node:child_process";
import { findProgram } from "../shell/shells.ts";
import { NAMESPACES } from "./bubblewrap.ts";
import { SYSTEM_PATH } from "./system-path.ts";

/** What this machine supports, or what it lacks and how to get that. */
export type Ability = { status: "ready"; version: string } | { status: "missing"; reason: string; fix: string };

/** How long a check is cached, because it starts a process. */
const GOOD_FOR_MS = 30_000;
const TRY_LIMIT_MS = 5_000;

let lastLook: { at: number; ability: Ability } | null = null;

/** Whether sandboxes work here: tried, not guessed. */
export function sandboxAbility(): Ability {
  if (lastLook && performance.now() - lastLook.at < GOOD_FOR_MS) return lastLook.ability;
  lastLook = { at: performance.now(), ability: trySandbox() };
  return lastLook.ability;
}

function trySandbox(): Ability {
  if (process.platform !== "linux") {
    return missing("A sandbox needs Linux.", "Run Belay on Linux, or in a virtual machine with Linux.");
  }
  const bwrap = findProgram("bwrap", SYSTEM_PATH);
  if (!bwrap) {
    return missing("Bubblewrap is not installed.", "Install it: apt-get install bubblewrap (or dnf, apk, pacman).");
  }
  if (!findProgram("bash", SYSTEM_PATH)) return missing("Bash is not installed.", "Install it: apt-get install bash");
  const run = (args: string[]) => spawnSync(bwrap, args, { encoding: "utf8", timeout: TRY_LIMIT_MS });
  const version = run(["--version"]).stdout?.trim().replace("bubblewrap ", "") ?? "";
  const tried = run([
    ...NAMESPACES,
    "--unshare-net",
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "true",
  ]);
  if (tried.status === 0) return { status: "ready", version };
  const said = (tried.stderr || tried.error?.message || "").trim().split("\n")[0] ?? "";
  if (/unknown option/i.test(said)) {
    return missing(`Bubblewrap ${version} is too old.`, "Install bubblewrap 0.8 or newer.");
  }
  return missing(
    `Bubblewrap ${version} cannot make a sandbox here: ${said}`,
    "Let users make namespaces: sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000 " +
      "(Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0). In a container, allow user namespaces for it.",
  );
}

function missing(reason: string, fix: string): Ability {
  return { status: "missing", reason, fix };
}
