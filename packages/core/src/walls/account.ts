import { spawnSync } from "node:child_process";
import { z } from "zod";
import { CoreError } from "../errors.ts";
import { withCarriedEnv } from "../pty/carried-env.ts";
import { findProgram } from "../shell/shells.ts";
import type { Ability } from "./machine.ts";
import { SYSTEM_PATH } from "./system-path.ts";
import type { Wall } from "./wall.ts";

/** A user of this machine whose rights a terminal gets. */
export const Account = z.object({ name: z.string(), uid: z.int(), gid: z.int(), home: z.string() });
export type Account = z.infer<typeof Account>;

/** How long a lookup is cached, because it starts a process. */
const GOOD_FOR_MS = 30_000;
const lastLook = new Map<string, { at: number; account: Account | null }>();

export function findAccount(name: string): Account | null {
  const last = lastLook.get(name);
  if (last && performance.now() - last.at < GOOD_FOR_MS) return last.account;
  const account = lookUp(name);
  lastLook.set(name, { at: performance.now(), account });
  return account;
}

function lookUp(name: string): Account | null {
  // Through the system, which may have users from other sources than /etc/passwd.
  const getent = findProgram("getent", SYSTEM_PATH);
  if (!getent) return null;
  const { status, stdout } = spawnSync(getent, ["passwd", "--", name], { encoding: "utf8" });
  const [found = "", , uid = "", gid = "", , home = ""] = (stdout ?? "").split("\n")[0]?.split(":") ?? [];
  if (status !== 0 || found !== name || !home.startsWith("/")) return null;
  return { name, uid: Number(uid), gid: Number(gid), home };
}

/** Whether terminals can run as this user, or what is missing. */
export function accountAbility(name: string): Ability {
  const missing = (reason: string, fix: string): Ability => ({ status: "missing", reason, fix });
  if (process.platform !== "linux") return missing("Another user for terminals needs Linux.", "Remove runAs.");
  if (process.getuid?.() !== 0) {
    return missing(
      "Belay does not run as root, so it cannot start programs as another user.",
      "Start Belay as root, or remove runAs.",
    );
  }
  if (!findProgram("setpriv", SYSTEM_PATH)) {
    return missing("setpriv is not installed.", "Install it: apt-get install util-linux");
  }
  const account = findAccount(name);
  if (!account) return missing(`There is no user "${name}".`, `Create it: useradd --create-home ${name}`);
  if (account.uid === 0) return missing(`"${name}" is root.`, "Choose an unprivileged user.");
  return { status: "ready", version: `user ${name} (${account.uid})` };
}

/** Runs a program as an account with its variables restored, for a launcher that has those of `carriedEnv`. */
export function asAccountWithEnv(argv: [string, ...string[]], account: Account): [string, ...string[]] {
  return asAccount(withCarriedEnv(argv), account);
}

/** Starts a program as an account without a way to gain privileges: no capabilities, no set-user-id. */
export function asAccount(argv: [string, ...string[]], account: Account): [string, ...string[]] {
  const setpriv = findProgram("setpriv", SYSTEM_PATH);
  if (!setpriv) throw new CoreError("spawn-failed", "setpriv (util-linux) is not installed. Nothing was started.");
  return [
    setpriv,
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    account.name === "" ? "--clear-groups" : "--init-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
    "--no-new-privs",
    "--",
    ...argv,
  ];
}

/** The environment variables about an account's user. */
export function accountEnv({ name, home }: Account): Record<string, string> {
  return { HOME: home, USER: name, LOGNAME: name };
}

/** The user of a container, if it is not the one that Belay runs as; it has no name outside. */
export function containerAccount({ wall }: { wall?: Wall | undefined }): Account | null {
  const [uid, gid] = (wall?.container?.user ?? "").split(":").map(Number);
  if (!wall || uid === undefined || gid === undefined || uid === process.getuid?.()) return null;
  return { name: "", uid, gid, home: wall.home };
}
