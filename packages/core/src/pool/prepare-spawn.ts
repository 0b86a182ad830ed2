import { randomBytes } from "node:crypto";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CoreError } from "../errors.ts";
import { MARKER_VARIABLE } from "../processes/end-processes.ts";
import type { PtyOptions } from "../pty/pty.ts";
import type { ShellKind, StandIns } from "../shell/hooks.ts";
import { defaultShell, findProgram, findShell, shellKindOf, startShell } from "../shell/shells.ts";
import type { Script } from "../shell/typist.ts";
import { PROXY_ENV } from "../walls/network/rooms.ts";
import type { Wall } from "../walls/wall.ts";
import type { SpawnRequest } from "./requests.ts";

export interface PreparedSpawn {
  ptyOptions: PtyOptions;
  /** What the environment marker holds in this terminal's processes. */
  marker: string;
  shell: { kind: ShellKind; path: string; nonce: string } | null;
}

export interface SpawnSurroundings {
  folder: string;
  baseEnv: Record<string, string>;
  standIns: StandIns | null;
  /** What the markers of all terminals of a pool begin with. */
  processMarker: string;
  /** The process whose network it joins. */
  roomPid: number | undefined;
}

/** Pagers that start no shell and no editor at a key, so that what is typed into one cannot run a command. */
const SECURE_PAGERS = { LESSSECURE: "1", SYSTEMD_PAGERSECURE: "1" };

/**
 * Everything that must be in place before a terminal's program can start. What is
 * missing is found here, with a clear error, and not by a program that fails.
 */
export async function prepareSpawn(
  request: SpawnRequest,
  { folder, baseEnv, standIns, processMarker, roomPid }: SpawnSurroundings,
): Promise<PreparedSpawn> {
  const { program, cwd, cols, rows } = request;
  await checkFolder(cwd);
  const isAgents = request.owner === "agent";
  const marker = `${processMarker}${randomBytes(16).toString("hex")}`;
  const { wall } = request;
  const env: Record<string, string> = {
    ...(wall ? behindWall(baseEnv, wall) : baseEnv),
    TERM: "xterm-256color",
    ...request.env,
    ...(isAgents ? SECURE_PAGERS : {}),
    PWD: cwd,
    [MARKER_VARIABLE]: marker,
  };
  if (isAgents && standIns && env.PATH) env.PATH = `${standIns.binDir}:${env.PATH}`;
  // Windows calls it Path.
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
      ...wallOf(request, { folder, standIns, roomPid }),
    };
    return { marker, shell: null, ptyOptions };
  }

  const path = findShell(program.shell ?? defaultShell(process.platform), searchPath);
  const kind = shellKindOf(path);
  const nonce = randomBytes(12).toString("hex");
  const start = startShell(kind, {
    shellPath: path,
    nonce,
    rcDir: folder,
    isLogin: program.login,
    isAgents,
    standIns: isAgents ? standIns : null,
    historyFile: isAgents ? join(folder, "history") : null,
    env,
  });
  for (const [file, text] of Object.entries(start.files)) await writePrivately(join(folder, file), text);
  const ptyOptions: PtyOptions = {
    argv: start.argv,
    env: { ...env, ...start.env },
    cwd,
    cols,
    rows,
    isShell: true,
    ...wallOf(request, { folder, standIns, roomPid }),
  };
  return { marker, shell: { kind, path, nonce }, ptyOptions };
}

/** Of Belay's own environment only what the wall lets through; home and temporary files are the wall's own. */
export function behindWall(env: Record<string, string>, wall: Wall): Record<string, string> {
  const passing = new Set([...ALWAYS_PASSING, ...wall.env]);
  const kept = Object.entries(env).filter(([name]) => passing.has(name) || name.startsWith("LC_"));
  const wayOut = wall.shown.network === "allowlist" ? PROXY_ENV : {};
  return { ...Object.fromEntries(kept), ...wayOut, HOME: wall.home };
}

/** What programs need to work at all, and what says how they are to look. */
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
  { folder, standIns, roomPid }: Pick<SpawnSurroundings, "folder" | "standIns" | "roomPid">,
): Pick<PtyOptions, "wall"> {
  if (!wall) return {};
  const trash = owner === "agent" ? standIns : null;
  const own = {
    writable: [folder, ...(trash?.writable ?? [])],
    readable: trash ? [trash.binDir] : [],
  };
  return { wall: { spec: wall, own, roomPid } };
}

/** Puts a text into a file of the terminal that only its owner can read. */
export async function writeScript(folder: string, text: string): Promise<Script> {
  const path = newPrivatePath(folder);
  await writePrivately(path, `${text}\n`);
  return { path, remove: () => rm(path, { force: true }) };
}

/** For a file in a terminal's own folder. */
export function newPrivatePath(folder: string): string {
  return join(folder, `command-${randomBytes(6).toString("hex")}`);
}

async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600 });
}

/** Throws `cwd-not-found` where there is no such folder. */
export async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (!found?.isDirectory()) throw new CoreError("cwd-not-found", `No folder "${cwd}". Nothing was started.`);
}
