import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  behindWall,
  defaultShellPath,
  type PreviewRequest,
  type ShellState,
  shellKindOf,
  type TerminalPool,
} from "@belay/core";
import type { SecuritySettings } from "@belay/policy";
import type { TerminalId } from "@belay/protocol";
import { isolationOf } from "../agents/isolation.ts";
import type { Walls } from "../agents/walls.ts";
import type { Act, OnceAct } from "../commands/act.ts";
import type { Settings } from "../env.ts";
import type { AgentRow } from "../store/tables/agents.ts";

/** Acts that can be previewed. */
export type PreviewableAct = Extract<Act, { type: "run" | "once" | "client" }>;

/** What is previewed, where and for whom. */
export interface PreviewSubject {
  act: PreviewableAct;
  /** Null for a person, who has no wall. */
  agent: AgentRow | null;
  cwd: string;
}

interface Deps {
  settings: Pick<Settings, "dataDir" | "workspace" | "terminalEnv">;
  trashDir: string;
  walls: Walls;
  terminals: TerminalPool;
}

type Place = Omit<PreviewRequest, "dir" | "timeoutMs" | "maxBytes" | "signal">;

const BUSY = "everything but its folder, because it was busy or in a person's hands";

/** Why an act cannot be previewed; null if it can. */
export function whyNot(act: Act, agent: AgentRow | null, { workspace, policy, machineOf }: WhyDeps): string | null {
  switch (act.type) {
    case "run":
    case "once":
    case "client":
      if (act.type === "run" && machineOf(act.terminalId) !== null)
        return `It runs on the machine "${machineOf(act.terminalId)}", and previews work on the gateway's own machine only.`;
      if (agent && act.type !== "client" && isolationOf(agent, policy) === "container")
        return "Its programs run in a container, which a preview cannot do.";
      if (agent && policy.runAs !== null && isolationOf(agent, policy) === "none")
        return "Its programs run as another user (runAs), which a preview cannot do.";
      return real(agent?.workspace ?? workspace) === "/"
        ? "The workspace is the whole machine, which a layer cannot cover."
        : null;
    case "type":
      return "Input for a running program cannot be tried beforehand.";
    case "spawn":
      return "A program that keeps running in a terminal cannot be tried beforehand.";
    case "undo":
      return "An undo lists its changes itself.";
    case "connect":
      return "A connection cannot be tried beforehand.";
  }
}

interface WhyDeps {
  workspace: string;
  policy: SecuritySettings;
  /** The other machine that a terminal is on; null: the gateway's own. */
  machineOf: (id: TerminalId) => string | null;
}

/** Puts together what a preview has of the machine and of the shell: what the command itself would have, and no more. */
export async function placeOf({ act, agent, cwd }: PreviewSubject, deps: Deps): Promise<Place> {
  const { settings, trashDir, walls } = deps;
  const wall = act.type === "client" || agent === null ? null : walls.of(agent);
  const entries = join(trashDir, "entries");
  const temporary = [
    tmpdir(),
    "/tmp",
    "/var/tmp",
    ...(settings.terminalEnv.TMPDIR ? [settings.terminalEnv.TMPDIR] : []),
  ];
  const folders = wall ? [...wall.writable, wall.home] : [agent?.workspace ?? settings.workspace, ...temporary];
  const env = wall ? behindWall(settings.terminalEnv, wall) : settings.terminalEnv;
  const { program, missing, stdin } = await programOf(act, env, deps);
  return {
    program,
    cwd,
    env: act.type === "once" ? { ...env, ...act.env } : env,
    stdin,
    roots: [...folders, entries],
    ownRoots: [entries],
    hidden: [real(settings.dataDir)],
    readable: [join(trashDir, "bin")],
    // A sandbox has folders of its own for temporary files, which only its own processes see.
    missing: wall ? [...missing, "the temporary files of its sandbox (/tmp), which are not applied either"] : missing,
    wall,
  };
}

async function programOf(
  act: PreviewableAct,
  env: Record<string, string>,
  { terminals }: Deps,
): Promise<Pick<Place, "program" | "missing" | "stdin">> {
  switch (act.type) {
    case "once":
      return { program: { type: "argv", argv: argvOf(act, env) }, missing: [], stdin: act.stdin };
    case "client": {
      const shellPath = defaultShellPath(env.PATH ?? "");
      const program = {
        type: "line",
        line: act.line,
        kind: shellKindOf(shellPath),
        shellPath,
        state: null,
        env: {},
      } as const;
      return { program, missing: ["everything but its folder: it runs in the client's own shell"], stdin: null };
    }
    case "run": {
      const { kind, shellPath, text, missing } = await stateOf(terminals, act.terminalId, env);
      const program = { type: "line", line: act.line, kind, shellPath, state: text, env: act.env ?? {} } as const;
      return { program, missing, stdin: null };
    }
  }
}

async function stateOf(
  terminals: TerminalPool,
  id: Parameters<TerminalPool["shellState"]>[0],
  env: Record<string, string>,
): Promise<Omit<ShellState, "cwd">> {
  try {
    return await terminals.shellState(id);
  } catch {
    const shellPath = (await terminals.get(id)).shell ?? defaultShellPath(env.PATH ?? "");
    return { kind: shellKindOf(shellPath), shellPath, text: null, missing: [BUSY] };
  }
}

function argvOf({ program }: OnceAct, env: Record<string, string>): [string, ...string[]] {
  return program.type === "argv" ? program.argv : [defaultShellPath(env.PATH ?? ""), "-c", program.script];
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there yet
  }
}
