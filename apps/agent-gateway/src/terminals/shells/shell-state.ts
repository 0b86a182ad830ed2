import { readSurroundings } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { PolicyJudge } from "../../policy/policy-judge.ts";
import type { ShellMemories } from "../../policy/shell-memories.ts";
import { newId } from "../../store/new-id.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import { agentShellRequest } from "./shell-request.ts";

/** What a new shell takes over from one that is busy. */
export interface CarriedState {
  cwd: string;
  env: Record<string, string>;
  /** Variables that the policy does not let an agent set, and that stay behind. */
  dropped: string[];
}

/** More than this is no environment that somebody exported by hand. */
const MAX_ENV_BYTES = 64 * 1024;

interface Deps {
  memories: ShellMemories;
  judge: PolicyJudge["judge"];
  basePath: string;
}

/** Reads a busy shell's folder and exported variables, so that work can go on beside it. */
export class ShellState {
  readonly #memories: ShellMemories;
  readonly #judge: PolicyJudge["judge"];

  /** The PATH that every terminal starts with, but for what the host puts in front of it. */
  readonly #basePath: string;

  constructor({ memories, judge, basePath }: Deps) {
    this.#basePath = basePath;
    this.#memories = memories;
    this.#judge = judge;
  }

  /** What of its state another shell may have: the variables are judged like any that an agent supplies. */
  async carry(busy: TerminalInfo, agent: AgentRow, homeOf: (cwd: string) => string): Promise<CarriedState> {
    const pid = busy.state.status === "running" ? busy.state.pid : null;
    const found = pid === null ? null : readSurroundings(pid);
    const cwd = homeOf(found?.cwd ?? busy.cwd);
    const exported = found?.now
      ? ownVariables(found.now, found.atStart ?? {}, this.#basePath)
      : {
          ...ownVariables(found?.atStart ?? {}, found?.atStart ?? {}, this.#basePath),
          ...this.#exportedByCommands(busy.id),
        };
    const env = JSON.stringify(exported).length > MAX_ENV_BYTES ? {} : exported;
    if (await this.#isAllowed(cwd, env, agent)) return { cwd, env, dropped: [] };
    const allowed: Record<string, string> = {};
    for (const [name, value] of Object.entries(env)) {
      if (await this.#isAllowed(cwd, { [name]: value }, agent)) allowed[name] = value;
    }
    return { cwd, env: allowed, dropped: Object.keys(env).filter((name) => !(name in allowed)) };
  }

  /** The judge knows of the new shell what it knew of the busy one's variables. */
  async remember(from: TerminalId, to: TerminalId, { env }: CarriedState): Promise<void> {
    await this.#memories.copyVariables(from, to, new Set(Object.keys(env)));
  }

  /** Where the kernel cannot tell: what earlier commands are known to have exported. */
  #exportedByCommands(id: TerminalId): Record<string, string> {
    const { variables, exportsAll } = this.#memories.ofShell(id);
    return Object.fromEntries(
      Object.entries(variables).flatMap(([name, { items, isArray, isExported, others }]) => {
        const [value] = items;
        const isKnown = !isArray && items.length === 1 && value !== undefined && others === undefined;
        return (isExported || exportsAll) && isKnown && !PRIVATE_CHARACTERS.test(value) ? [[name, value]] : [];
      }),
    );
  }

  async #isAllowed(cwd: string, env: Record<string, string>, agent: AgentRow): Promise<boolean> {
    const request = { ...agentShellRequest({ cwd, login: false }), env };
    const act = { type: "spawn", terminalId: newId("pty"), surface: "execute", request } as const;
    const { verdict } = await this.#judge(act, agent);
    return verdict.decision === "allow";
  }
}

/** Names, in the environment of a shell, the variables that it was started with for the sake of another one. */
export const CARRIED_VARIABLE = "BELAY_CARRIED";
/** What a shell sets by itself. */
const SHELLS_OWN = /^(BELAY_.*|PWD|OLDPWD|SHLVL|LINES|COLUMNS|_)$/;

/** What a shell has by its commands: changed since its start, or taken over from another shell then. */
function ownVariables(
  env: Readonly<Record<string, string>>,
  atStart: Readonly<Record<string, string>>,
  basePath: string,
): Record<string, string> {
  const carried = new Set((atStart[CARRIED_VARIABLE] ?? "").split(" "));
  const own = Object.entries(env).filter(
    ([name, value]) => !SHELLS_OWN.test(name) && (atStart[name] !== value || carried.has(name)),
  );
  const { PATH, ...others } = Object.fromEntries(own);
  return { ...others, ...(PATH === undefined ? {} : { PATH: withoutFirst(PATH, atStart.PATH, basePath) }) };
}

/** The host puts a folder of its own in front of PATH, and does so again. */
function withoutFirst(path: string, atStart: string | undefined, base: string): string {
  const first = atStart === undefined || atStart === base ? null : atStart.split(":")[0];
  return path
    .split(":")
    .filter((folder) => folder !== first)
    .join(":");
}

/** Stand for what the judge could not know of a value. */
const PRIVATE_CHARACTERS = /[\uE000-\uE002]/;
