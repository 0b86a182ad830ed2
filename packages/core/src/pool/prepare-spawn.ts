import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CoreError } from "../errors.ts";
import { MARKER_VARIABLE } from "../processes/end-processes.ts";
import type { PtyOptions } from "../pty/pty.ts";
import type { ShellKind, Shims } from "../shell/hooks.ts";
import { defaultShell, findProgram, findShell, shellKindOf, startShell } from "../shell/shells.ts";
import { type Account, accountEnv, containerAccount } from "../walls/account.ts";
import { PROXY_ENV } from "../walls/network/agent-networks.ts";
import { toolChainEnv } from "../walls/tool-chains.ts";
import type { Wall } from "../walls/wall.ts";
import type { SpawnRequest } from "./requests.ts";
import type { TerminalFolder } from "./terminal-folder.ts";

export interface PreparedSpawn {
  ptyOptions: PtyOptions;
  /** The value of the environment marker in this terminal's processes. */
  marker: string;
  shell: { kind: ShellKind; path: string; nonce: string } | null;
}

export interface SpawnSurroundings {
  folder: TerminalFolder;
  baseEnv: Record<string, string>;
  shims: Shims | null;
  /** The prefix of the markers of all terminals of a pool. */
  processMarker: string;
  /** The process whose network it joins. */
  networkPid: number | undefined;
}

/** Keeps pagers from starting a shell or an editor, so that keys typed into one cannot run a command. */
const SECURE_PAGERS = { LESSSECURE: "1", SYSTEMD_PAGERSECURE: "1" };

/**
 * Prepares everything that a terminal's program needs to start. Missing prerequisites
 * are reported here with a clear error, instead of by a program that fails.
 */
export async function prepareSpawn(
  request: SpawnRequest,
  { folder, baseEnv, shims: offered, processMarker, networkPid }: SpawnSurroundings,
): Promise<PreparedSpawn> {
  const { program, cwd, cols, rows } = request;
  await checkFolder(cwd);
  const isAgents = request.owner === "agent";
  const marker = `${processMarker}${randomBytes(16).toString("hex")}`;
  const { account } = request;
  // The trash belongs to Belay's own user; other users cannot reach it.
  const shims = account || containerAccount(request) ? null : offered;
  await folder.create();
  const env: Record<string, string> = {
    ...startEnv(baseEnv, request),
    TERM: "xterm-256color",
    ...request.env,
    ...(isAgents ? SECURE_PAGERS : {}),
    PWD: cwd,
    [MARKER_VARIABLE]: marker,
  };
  if (isAgents && shims && env.PATH) env.PATH = `${shims.binDir}:${env.PATH}`;
  // Windows spells it Path.
  const searchPath = env.PATH ?? env.Path ?? "";
  if (program.type === "argv") {
    const [name = "", ...args] = program.argv;
    const path = findProgram(name, searchPath);
    if (!path) throw new CoreError("spawn-failed", `No program "${name}" that can be executed. Nothing was started.`);
    const ptyOptions: PtyOptions = {
      argv: [path, ...args],
      env,
      cwd,
      cols,
      rows,
      account,
      ...wallOf(request, { folder, shims, networkPid }),
    };
    return { marker, shell: null, ptyOptions };
  }

  const path = findShell(program.shell ?? defaultShell(process.platform), searchPath);
  const kind = shellKindOf(path);
  const nonce = randomBytes(12).toString("hex");
  const start = startShell(kind, {
    shellPath: path,
    nonce,
    rcDir: folder.path,
    isLogin: program.login,
    isAgents,
    shims: isAgents ? shims : null,
    historyFile: isAgents ? join(folder.own, "history") : null,
    env,
  });
  for (const [file, text] of Object.entries(start.files)) await folder.write(file, text);
  const ptyOptions: PtyOptions = {
    argv: start.argv,
    env: { ...env, ...start.env },
    cwd,
    cols,
    rows,
    isShell: true,
    account,
    ...wallOf(request, { folder, shims, networkPid }),
  };
  return { marker, shell: { kind, path, nonce }, ptyOptions };
}

function startEnv(baseEnv: Record<string, string>, { wall, account }: SpawnRequest): Record<string, string> {
  if (wall) return behindWall(baseEnv, wall);
  return account ? accountStartEnv(baseEnv, account) : baseEnv;
}

/** The part of Belay's own environment that another user's programs get. It contains no secrets. */
export function accountStartEnv(env: Record<string, string>, account: Account): Record<string, string> {
  return { ...passing(env, []), ...accountEnv(account) };
}

/** Only the variables of Belay's environment that the wall allows; home and temporary folders are the wall's own. */
export function behindWall(env: Record<string, string>, wall: Wall): Record<string, string> {
  const proxyEnv = wall.shown.network === "allowlist" ? PROXY_ENV : {};
  return { ...toolChainEnv(wall), ...passing(env, wall.env), ...proxyEnv, HOME: wall.home };
}

/** The variables that are passed on; all others may be secrets. */
function passing(env: Record<string, string>, more: readonly string[]): Record<string, string> {
  const names = new Set([...ALWAYS_PASSING, ...more]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.has(name) || name.startsWith("LC_")));
}

/** Variables that programs need to work, and that control their appearance. */
const ALWAYS_PASSING = [
  "PATH",
  "LANG",
  "LANGUAGE",
  "TZ",
  "USER",
  "LOGNAME",
  "SHELL",
  "COLORTERM",
  "NO_COLOR",
  "EDITOR",
];

/** A terminal behind a wall still needs its own start-up files, and the trash that its `rm` fills. */
function wallOf(
  { wall, owner }: SpawnRequest,
  { folder, shims, networkPid }: Pick<SpawnSurroundings, "folder" | "shims" | "networkPid">,
): Pick<PtyOptions, "wall"> {
  if (!wall) return {};
  const trash = owner === "agent" ? shims : null;
  const own = {
    writable: [folder.path, ...(trash?.writable ?? [])],
    readable: trash ? [trash.binDir] : [],
  };
  return { wall: { spec: wall, own, networkPid } };
}

/** Throws `cwd-not-found` if the folder does not exist. */
export async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (!found?.isDirectory()) throw new CoreError("cwd-not-found", `No folder "${cwd}". Nothing was started.`);
}
