import { readSurroundings } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { ShellMemories } from "../../policy/memories/shell-memories.ts";
import type { PolicyJudge } from "../../policy/policy-judge.ts";
import { newId } from "../../store/new-id.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import { agentShellRequest } from "./shell-request.ts";

/** What a new shell inherits from a busy one. */
export interface CarriedState {
  cwd: string;
  env: Record<string, string>;
  /** Variables that are not inherited, because the policy does not let an agent set them. */
  dropped: string[];
}

/** A larger environment is not inherited. */
const MAX_ENV_BYTES = 64 * 1024;

interface Deps {
  memories: ShellMemories;
  judge: PolicyJudge["judge"];
  basePath: string;
}

/** Reads a busy shell's folder and exported variables, to continue in another shell. */
export class ShellState {
  readonly #memories: ShellMemories;
  readonly #judge: PolicyJudge["judge"];

  /** The initial PATH of every terminal, without the folder that the host prepends. */
  readonly #basePath: string;

  constructor({ memories, judge, basePath }: Deps) {
    this.#basePath = basePath;
    this.#memories = memories;
    this.#judge = judge;
  }

  /** The part of its state that another shell may have: variables are judged like any that an agent supplies. */
  async carry(busy: TerminalInfo, agent: AgentRow, homeOf: (cwd: string) => string): Promise<CarriedState> {
    // The process table is that of its own machine.
    const pid = busy.state.status === "running" && busy.machine === undefined ? busy.state.pid : null;
    const found = pid === null ? null : readSurroundings(pid);
    const cwd = homeOf(found?.cwd ?? busy.cwd);
    const exported = found?.now
      ? ownVariables(found.now, found.atStart ?? {}, this.#basePath)
      : {
          ...ownVariables(found?.atStart ?? {}, found?.atStart ?? {}, this.#basePath),
          ...this.#exportedByCommands(busy.id),
        };
    const env = JSON.stringify(exported).length > MAX_ENV_BYTES ? {} : exported;
    const on = busy.machine === undefined ? {} : { machine: busy.machine };
    if (await this.#isAllowed(cwd, env, agent, on)) return { cwd, env, dropped: [] };
    const allowed: Record<string, string> = {};
    for (const [name, value] of Object.entries(env)) {
      if (await this.#isAllowed(cwd, { [name]: value }, agent, on)) allowed[name] = value;
    }
    return { cwd, env: allowed, dropped: Object.keys(env).filter((name) => !(name in allowed)) };
  }

  /** Copies what the judge knows about the busy shell's variables to the new shell. */
  async remember(from: TerminalId, to: TerminalId, { env }: CarriedState): Promise<void> {
    await this.#memories.copyVariables(from, to, new Set(Object.keys(env)));
  }

  /** If the kernel does not say: variables that earlier commands are known to have exported. */
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

  async #isAllowed(
    cwd: string,
    env: Record<string, string>,
    agent: AgentRow,
    on: Pick<TerminalInfo, "machine">,
  ): Promise<boolean> {
    const request = { ...agentShellRequest({ cwd, login: false }), ...on, env };
    const act = { type: "spawn", terminalId: newId("pty"), surface: "execute", request } as const;
    const { verdict } = await this.#judge(act, agent);
    return verdict.decision === "allow";
  }
}

/** In a shell's environment: lists the variables that it inherited from another shell. */
export const CARRIED_VARIABLE = "BELAY_CARRIED";
/** Variables that a shell sets by itself. */
const SHELLS_OWN = /^(BELAY_.*|PWD|OLDPWD|SHLVL|LINES|COLUMNS|_)$/;

/** Variables from a shell's commands: changed since its start, or inherited from another shell. */
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

/** Removes the folder that the host prepends to PATH, because it will do so again. */
function withoutFirst(path: string, atStart: string | undefined, base: string): string {
  const first = atStart === undefined || atStart === base ? null : atStart.split(":")[0];
  return path
    .split(":")
    .filter((folder) => folder !== first)
    .join(":");
}

/** Markers for parts of a value that the judge does not know. */
const PRIVATE_CHARACTERS = /[\uE000-\uE002]/;
