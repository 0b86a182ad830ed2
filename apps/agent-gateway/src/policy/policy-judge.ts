import { isStillInFolder, type TerminalPool } from "@belay/core";
import {
  inputReaderOf,
  type JudgeContext,
  type Judgement,
  type OwnResources,
  type ShellMemory,
  strictestReader,
} from "@belay/policy";
import type { ApprovalSubject, NamedFile, TerminalInfo, Verdict } from "@belay/protocol";
import { askedReasons, verdictOnConnection } from "../agents/judge-connection.ts";
import type { WallOpeningsReader } from "../agents/wall-openings.ts";
import type { Walls } from "../agents/walls.ts";
import type { Question } from "../approvals/question.ts";
import { type Act, isPreview, type SpawnAct, type TypeAct, terminalOf, textOf } from "../commands/act.ts";
import type { CommandOutcome } from "../commands/outcome.ts";
import type { CommandRequest } from "../commands/submit-command.ts";
import { OWN_MACHINE } from "../machines/own-machine.ts";
import type { Places } from "../machines/places.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import type { OutputTexts } from "../terminals/output/output-text.ts";
import { assertMayUse } from "../terminals/shells/agent-terminals.ts";
import { approversFor } from "./approvers-for.ts";
import type { MemoryPlace, ShellMemories } from "./memories/shell-memories.ts";
import type { CurrentPolicy } from "./policy-file.ts";
import type { PolicyStore } from "./policy-store.ts";
import type { PolicySource } from "./threads/judge-task.ts";
import { type JudgeThreads, JudgeTimeout } from "./threads/judge-threads.ts";
import { denySecret, tooSlow } from "./undecided.ts";

/** A verdict, and what is needed to run the act. */
export interface Judged {
  act: Act;
  verdict: Verdict;
  syntax: Judgement["syntax"];
  /** Why it cannot even be approved: it would hang the shell, or the effect of its keys is unknown. */
  problem: Extract<CommandOutcome, { status: "incomplete" | "unreadable" }> | null;
  /** The memory of the shell and the agent's files, now and after the act. */
  memory: { place: MemoryPlace; before: ShellMemory; after: ShellMemory };
  /** False if it certainly leaves every file as it is, or is on another machine: there is no history there yet. */
  mayWrite: boolean;
  /** The bytes to type, if the act is typed. */
  keys: string;
  binding: Omit<ApprovalSubject, "agentId">;
  policyVersion: string;
  runsRewrites: boolean;
}

/** Judges an act by the active policy, in its terminal. */
export class PolicyJudge {
  readonly #store: PolicyStore;
  readonly #memories: ShellMemories;
  readonly #terminals: TerminalPool;
  readonly #threads: JudgeThreads;
  readonly #outputTexts: OutputTexts;
  readonly #walls: Walls;
  readonly #openings: WallOpeningsReader;
  readonly #places: Places;
  readonly #searchPath: string;

  constructor(deps: {
    store: PolicyStore;
    memories: ShellMemories;
    terminals: TerminalPool;
    threads: JudgeThreads;
    outputTexts: OutputTexts;
    walls: Walls;
    openings: WallOpeningsReader;
    places: Places;
    searchPath: string;
  }) {
    this.#walls = deps.walls;
    this.#openings = deps.openings;
    this.#places = deps.places;
    this.#store = deps.store;
    this.#memories = deps.memories;
    this.#terminals = deps.terminals;
    this.#threads = deps.threads;
    this.#outputTexts = deps.outputTexts;
    this.#searchPath = deps.searchPath;
  }

  /** Without `findsFiles` it is a look only: the files that it names are not found, so nothing can be bound to the result. */
  async judge(act: Act, agent: AgentRow, { findsFiles = true } = {}): Promise<Judged> {
    const place = await this.#placeOf(act, agent);
    const { current } = this.#store;
    const { policy, version, context: always } = current;
    const workspace = agent.workspace === null ? {} : { workspace: agent.workspace };
    const { folder, on, ...given } = { wall: this.#walls.shown(agent), ...place };
    const own = this.#ownFor(agent);
    const there = this.#places.contextOf(on);
    const context = { ...always, profile: agent.profile, ...workspace, ...given, own, ...there };
    let found = await this.#find(act, context, current, agent.id);
    // Most commands need no second look. What the wall lets in takes a look at the disk.
    if (found.judgement.decision === "ask" && found.problem === null) {
      const wall = await this.#openings.read(given.wall, agent, act, on);
      if (wall) found = await this.#find(act, { ...context, wall }, current, agent.id);
    }
    const { syntax, memoryAfter, mayWrite, ...judged } = found.judgement;
    const verdict = act.type === "connect" ? verdictOnConnection(act, judged, policy.settings) : judged;
    return {
      act,
      verdict,
      syntax,
      problem: found.problem,
      memory: { place: this.#memoryPlace(act, agent), before: place.memory, after: memoryAfter },
      // A spawned program keeps running; input belongs to a command that is already tracked; an undo records its own two
      // snapshots. A client's command runs outside our control.
      mayWrite:
        on.machine === undefined &&
        (act.type === "spawn" || (mayWrite && !isPreview(act) && (act.type === "run" || act.type === "once"))),
      keys: found.keys,
      binding: {
        text: textOf(act),
        terminalId: act.type === "spawn" ? null : terminalOf(act),
        cwd: place.cwd,
        policyVersion: version,
        surface: place.surface,
        argv: place.argv,
        env: place.env,
        stdin: place.stdin,
        shell: "shell" in place ? (place.shell ?? null) : null,
        runs: verdict.runs,
        asked: askedReasons(verdict),
        profile: agent.profile,
        folder,
        files: findsFiles && verdict.decision === "ask" ? await this.#filesNamedBy(act, verdict, place) : [],
        client: act.type === "client" ? { client: act.client, session: act.session } : null,
        ...(isPreview(act) ? { isPreview: true as const } : {}),
        ...(on.machine === undefined ? {} : { machine: on.machine }),
      },
      policyVersion: version,
      runsRewrites: policy.settings.rewrites === "run",
    };
  }

  /** The question for a person, who may answer it, and its deadline. */
  question({ commandId, agent, origin, act }: CommandRequest, { verdict, binding }: Judged): Question {
    const { settings } = this.#store.current.policy;
    const { approvers, approversNeeded } = approversFor(this.#store.settings, verdict);
    const timeouts = origin === "sessions" ? settings.approval.sessionsTimeouts : settings.approval.timeouts;
    const timeoutMs = verdict.level === "dangerous" ? timeouts.dangerousMs : timeouts.unknownMs;
    return {
      commandId,
      subject: { ...binding, agentId: agent.id },
      verdict,
      approvers,
      approversNeeded,
      // A client that has stopped waiting may run the command anyway, so it gets its answer before that.
      timeoutMs: act.type === "client" ? Math.min(timeoutMs ?? act.answerWithinMs, act.answerWithinMs) : timeoutMs,
    };
  }

  /**
   * Whether the person at the client's own screen decides: at once if the policy says so, or once the console has
   * not answered in time. Never for dangerous commands, because some clients run them without asking.
   */
  leavesToClient(act: Act, { level }: Verdict, { isUnanswered }: { isUnanswered: boolean }): boolean {
    if (act.type !== "client" || !act.canAsk || level === "dangerous") return false;
    const { ask, unanswered } = this.#store.current.policy.settings.hooks;
    return isUnanswered ? unanswered === "client" : ask === "client";
  }

  /** Called just before an act runs, because it may change how later ones in the same terminal are judged. */
  async remember({ act, memory: { place, before, after } }: Judged): Promise<void> {
    await this.#memories.keep(place, before, after);
    if (act.type === "spawn" && Object.keys(act.request.env).length > 0) {
      await this.#memories.startWithForeign(act.terminalId);
    }
  }

  /** Only an act for a shell leaves a shell behind. */
  #memoryPlace(act: Act, { id: agentId }: AgentRow): MemoryPlace {
    const workspace = this.#store.current.context.workspace ?? "";
    return { terminalId: act.type === "run" || act.type === "type" ? act.terminalId : null, agentId, workspace };
  }

  async #placeOf(act: Act, agent: AgentRow) {
    const memory = this.#memories.of({ ...this.#memoryPlace(act, agent), terminalId: terminalOf(act) });
    const here: Pick<TerminalInfo, "machine"> = {};
    const bare = { argv: null as string[] | null, env: {}, stdin: null as string | null, memory, on: here };
    const places = this.#places;
    switch (act.type) {
      case "run": {
        const terminal = await this.#ownTerminal(act.terminalId, agent);
        const wall = terminal.wall ?? null;
        const at = await places.folderOf(terminal, act.cwd);
        const env = act.env ?? {};
        return { ...bare, ...at, on: terminal, wall, ...shellOf(terminal.shell), surface: "execute" as const, env };
      }
      case "type": {
        const terminal = await this.#ownTerminal(act.terminalId, agent);
        const wall = terminal.wall ?? null;
        const at = await places.folderOf(terminal);
        const argv = act.reader.processes[0]?.argv ?? [];
        return { ...bare, ...at, on: terminal, wall, surface: "input" as const, argv };
      }
      case "spawn": {
        const { program, env } = act.request;
        const { machine } = places.startOf(agent, act.request.machine ?? OWN_MACHINE);
        const on = machine === undefined ? here : { machine };
        const argv = program.type === "argv" ? program.argv : program.shell === null ? null : [program.shell];
        const at = await places.folderAt(on, act.request.cwd);
        const wall = machine === undefined ? {} : { wall: this.#walls.shownElsewhere(agent) };
        return { ...bare, ...at, on, ...wall, surface: act.surface, argv, env };
      }
      case "client": {
        // The client's shell is outside any wall that its agent has here.
        return { ...bare, ...(await places.folderAt(here, act.cwd)), wall: null, surface: "execute" as const };
      }
      case "undo": {
        // Judged by what it writes and removes, like an edit of those files, since it can be undone itself.
        const argv = ["tee", "--", ...act.paths];
        const at = await places.folderAt(here, act.range.workspace);
        return { ...bare, ...at, cwd: act.range.workspace, wall: null, surface: "execute" as const, argv };
      }
      case "connect": {
        // What leaves the wall is not contained by it.
        const on = places.machineOf(act.terminalId);
        const workspace = places.contextOf(on).workspace ?? agent.workspace ?? this.#store.current.context.workspace;
        return { ...bare, on, wall: null, surface: "execute" as const, cwd: workspace ?? "/", folder: null };
      }
      case "once": {
        const { program, env, stdin } = act;
        places.requireOwn(agent, "A program without a terminal");
        const argv = program.type === "argv" ? program.argv : null;
        return { ...bare, ...(await places.folderAt(here, act.cwd)), surface: "execute" as const, argv, env, stdin };
      }
    }
  }

  async #find(
    act: Act,
    context: Partial<JudgeContext>,
    { policy: { settings }, source }: CurrentPolicy,
    owner: string,
  ): Promise<Found> {
    const { commandBytes } = settings.limits;
    const bytes = Buffer.byteLength(textOf(act));
    if (bytes > commandBytes) {
      const reason = `it has ${bytes} bytes, and the policy takes at most ${commandBytes}. Put it into a file and run that.`;
      return { judgement: tooSlow(context, settings), problem: { status: "unreadable", reason }, keys: "" };
    }
    try {
      return act.type === "type"
        ? await this.#judgeKeys(act, context, source, owner)
        : await this.#judgeText(act, context, source, owner);
    } catch (error) {
      if (!(error instanceof JudgeTimeout)) throw error;
      const judgement = tooSlow(context, settings);
      // Keys that cannot be judged are never pressed.
      const reason = "judging it takes too long. Send less at a time.";
      return { judgement, problem: act.type === "type" ? { status: "unreadable", reason } : null, keys: "" };
    }
  }

  async #judgeText(
    act: Exclude<Act, TypeAct>,
    context: Partial<JudgeContext>,
    source: PolicySource,
    owner: string,
  ): Promise<Found> {
    const isEmptyShell = act.type === "spawn" && isPlainShell(act);
    // An empty shell does nothing by itself, and what is typed into it is judged. The profile still applies.
    const task = isEmptyShell
      ? { type: "text" as const, text: "true", context: { ...context, argv: null } }
      : { type: "text" as const, text: textOf(act), context };
    const judgement = await this.#threads.run(task, source, owner);
    const isIncomplete = !isEmptyShell && judgement.syntax === "incomplete";
    return { judgement, problem: isIncomplete ? { status: "incomplete" } : null, keys: "" };
  }

  /** By the program that reads it; by the strictest result if several do. */
  async #judgeKeys(act: TypeAct, context: Partial<JudgeContext>, source: PolicySource, owner: string): Promise<Found> {
    if (act.reader.hidesInput) return { judgement: denySecret(context), problem: null, keys: "" };
    const { argv: _, ...given } = context;
    const readers = act.reader.isShellBuiltin
      ? [{ kind: "answer", program: "read" } as const]
      : act.reader.processes.map(({ argv, path }) => inputReaderOf(argv, path));
    const task = { type: "keys" as const, text: act.text, reader: strictestReader(readers), context: given };
    const typed = await this.#threads.run(task, source, owner);
    if (typed.type === "judged") return { judgement: typed.judgement, problem: null, keys: typed.keys };
    const nothing = await this.#threads.run({ type: "text", text: "", context: given }, source, owner);
    return { judgement: nothing, problem: { status: "unreadable", reason: typed.reason }, keys: "" };
  }

  /** Belay's own files, and what it keeps for other agents: this agent may read neither. */
  #ownFor({ id }: AgentRow): OwnResources {
    const { paths = [], processIds = [], ports = [] } = this.#store.current.context.own ?? {};
    return { paths: [...paths, ...this.#outputTexts.foldersOfOthers(id)], processIds, ports };
  }

  #filesNamedBy(
    act: Act,
    { runs }: Verdict,
    {
      on,
      cwd,
      argv,
      env,
    }: { cwd: string; argv: string[] | null; env: Record<string, string>; on: Pick<TerminalInfo, "machine"> },
  ): Promise<NamedFile[]> {
    const path = env.PATH ?? (on.machine === undefined ? this.#searchPath : null);
    const command = { text: textOf(act), runs, argv: act.type === "type" ? null : argv, cwd, path };
    return this.#places.namedFiles(on, command);
  }

  async #ownTerminal(id: TerminalInfo["id"], agent: AgentRow): Promise<TerminalInfo> {
    const terminal = this.#knownShell(id) ?? (await this.#terminals.get(id));
    assertMayUse(agent, terminal);
    this.#places.requireUsable(agent, terminal);
    return terminal;
  }

  /** An idle shell is as it was last heard of, unless it is elsewhere: that saves asking its host, which compares the folder before it types. */
  #knownShell(id: TerminalInfo["id"]): TerminalInfo | null {
    const known = this.#terminals.lastKnown(id);
    return known?.folderId !== undefined && isStillInFolder(known) ? known : null;
  }
}

interface Found {
  judgement: Judgement;
  problem: Judged["problem"];
  keys: string;
}

/** One of the system's own shells; any other path may be any program. */
function isPlainShell({ request: { program } }: SpawnAct): boolean {
  if (program.type !== "shell") return false;
  return program.shell === null || /^(\/(usr\/)?(local\/)?bin\/)?(sh|bash|dash|zsh|fish|ksh)$/.test(program.shell);
}

function shellOf(shell: string | null): { shell?: string } {
  return shell === null ? {} : { shell };
}
