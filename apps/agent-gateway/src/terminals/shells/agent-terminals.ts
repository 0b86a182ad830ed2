import { setTimeout as delay } from "node:timers/promises";
import { CoreError, type TerminalPool } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { AuditLog } from "../../audit/audit-log.ts";
import { GatewayError } from "../../errors.ts";
import { OWN_MACHINE } from "../../machines/own-machine.ts";
import type { Places } from "../../machines/places.ts";
import type { Db } from "../../store/database.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import {
  deleteConversationShell,
  deleteOtherConversationShells,
  listConversationShells,
  saveConversationShell,
} from "../../store/tables/conversation-shells.ts";
import type { AgentSpawner } from "./agent-spawner.ts";
import { CallFolders } from "./call-folders.ts";
import { agentShellRequest } from "./shell-request.ts";
import { CARRIED_VARIABLE, type CarriedState, type ShellState } from "./shell-state.ts";

/** An agent can use only its own terminals, until a person takes over. */
export function assertMayUse(agent: AgentRow, terminal: TerminalInfo): void {
  if (terminal.agentId !== agent.id) {
    // Ids grant no access: for this agent, another agent's terminal does not exist.
    throw new GatewayError(
      "terminal-not-found",
      `No terminal "${terminal.id}". It may have closed, or it is not yours.`,
    );
  }
  if (terminal.owner !== "agent") {
    const advice = terminal.isBorrowed
      ? "They will hand it back; until then you can read it, and use another one."
      : "You can still read it; use another one.";
    throw new GatewayError("terminal-not-yours", `A person has taken over terminal "${terminal.id}". ${advice}`);
  }
}

/** One of an agent's conversations, each with its own shells. */
export interface Conversation {
  /** The calling agent, with this conversation's workspace. */
  agent: AgentRow;
  /** Null if the client does not name the conversation: all such calls of an agent share their shells. */
  id: string | null;
}

/** Which shell a command uses: this one, a fresh one, or the conversation's default. */
export interface ShellChoice {
  terminalId?: TerminalId | undefined;
  isNew?: boolean | undefined;
  /** The folder for this call only. */
  cwd?: string | undefined;
  /** On this machine; without it, where the conversation's last shell is, or the agent's first machine. */
  machine?: string | undefined;
}

export interface BorrowedShell {
  terminal: TerminalInfo;
  /** Whether it was started for this command. */
  isNew: boolean;
  /** The folder for the command; undefined: the shell's current one. */
  cwd: string | undefined;
  /** Notes for the agent about the shell, one sentence each. */
  notes: string[];
  /** Releases the reservation: the command has reached the shell, or never will. */
  giveBack(): void;
}

interface NewShell extends Partial<CarriedState>, Pick<TerminalInfo, "machine"> {
  name: string | null;
  cwd: string;
  from?: TerminalId;
}

/** How long to wait for a shell with a quick command before starting another one. */
const PATIENCE_MS = 1_000;
const LOOK_EVERY_MS = 3;
/** How often the last use of a shell by a conversation is stored. */
const USED_EVERY_MS = 60_000;
/** How many idle shells a conversation keeps. */
const MAX_IDLE_SHELLS = 4;

interface Deps {
  terminals: TerminalPool;
  spawner: AgentSpawner;
  audit: AuditLog;
  db: Db;
  shellState: ShellState;
  places: Places;
  now: () => number;
}

/**
 * Finds the shell for each conversation.
 *
 * The default is the shell that the conversation used last, so `cd` affects the next command. While it is busy,
 * the next command gets a new shell in the same folder, which becomes the default.
 */
export class AgentTerminals {
  readonly #deps: Deps;
  /** Shells whose command has not started yet, and since when: a command that waits for a person keeps its shell. */
  readonly #taken = new Map<TerminalId, number>();
  readonly #folders = new CallFolders();
  /** The shell that each conversation used last, and when that was stored. */
  readonly #lastUsed = new Map<string, { terminalId: TerminalId; usedAt: number }>();
  /** Calls of one conversation choose their shells one at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reserves a shell until it is released. */
  borrow(conversation: Conversation, choice: ShellChoice = {}): Promise<BorrowedShell> {
    return this.#inTurn(conversation, async () => {
      const { terminal, isNew, notes } = await this.#choose(conversation, choice);
      this.#taken.set(terminal.id, this.#deps.now());
      try {
        await this.#use(conversation, terminal.id);
        const real = (path: string) => this.#deps.places.folderAt(terminal, path).then(({ cwd: found }) => found);
        const cwd = await this.#folders.next(terminal, choice.cwd, real);
        return { terminal, isNew, cwd, notes, giveBack: () => void this.#taken.delete(terminal.id) };
      } catch (error) {
        this.#taken.delete(terminal.id);
        throw error;
      }
    });
  }

  /** After a restart: reserves the terminal of a waiting command. */
  keep(terminalId: TerminalId): () => void {
    this.#taken.set(terminalId, this.#deps.now());
    return () => void this.#taken.delete(terminalId);
  }

  /** After a restart: drops shells that no longer exist. */
  async keepOnly(terminalIds: TerminalId[]): Promise<void> {
    await deleteOtherConversationShells(this.#deps.db, terminalIds);
  }

  async forget(terminalId: TerminalId): Promise<void> {
    this.#folders.forget(terminalId);
    for (const [key, last] of this.#lastUsed) if (last.terminalId === terminalId) this.#lastUsed.delete(key);
    await deleteConversationShell(this.#deps.db, terminalId);
  }

  /** Starts a shell in the workspace. A named one is only found by its name. */
  open(agent: AgentRow, name: string | null, machine?: string): Promise<TerminalInfo> {
    return this.#open(agent, { name, ...this.#deps.places.startOf(agent, machine) });
  }

  async #choose(conversation: Conversation, { terminalId, isNew, machine }: ShellChoice) {
    const { agent } = conversation;
    if (terminalId !== undefined) {
      return { terminal: await this.#chosen(agent, terminalId), isNew: false, notes: [] };
    }
    const current = isNew ? null : await this.#currentShellOf(conversation, machine);
    if (!current) {
      return { terminal: await this.open(agent, null, machine), isNew: true, notes: firstNotes(conversation) };
    }
    this.#deps.places.requireUsable(agent, current);
    const free = this.#busySince(current) === null ? current : await this.#becomesFree(current);
    return free ? { terminal: free, isNew: false, notes: [] } : this.#openBeside(conversation, current);
  }

  async #chosen(agent: AgentRow, id: TerminalId): Promise<TerminalInfo> {
    const terminal = await this.#deps.terminals.get(id);
    assertMayUse(agent, terminal);
    this.#deps.places.requireUsable(agent, terminal);
    const free = await this.#becomesFree(terminal);
    if (free) return free;
    throw new GatewayError(
      "bad-request",
      `${id} is busy: ${whatBusyWith(terminal)}. Wait for that, or leave terminal_id out to use another shell.`,
    );
  }

  /** A new shell with the busy shell's folder and exported variables. */
  async #openBeside(conversation: Conversation, busy: TerminalInfo) {
    const { shellState } = this.#deps;
    const state = await shellState.carry(busy, conversation.agent, (cwd) => this.#folders.homeOf({ ...busy, cwd }));
    await this.#closeIdle(conversation, busy.id);
    const on = busy.machine === undefined ? {} : { machine: busy.machine };
    const terminal = await this.#open(conversation.agent, { ...state, ...on, name: null, from: busy.id });
    await shellState.remember(busy.id, terminal.id, state);
    const dropped =
      state.dropped.length === 0 ? "" : ` without ${state.dropped.join(", ")}, which the policy does not allow`;
    const note =
      `${busy.id} is busy (${whatBusyWith(busy)}), so this is ${terminal.id}, started with its folder and exported ` +
      `variables${dropped}. It is your default shell from now on; terminal_id chooses another.`;
    return { terminal, isNew: true, notes: [note] };
  }

  async #open(agent: AgentRow, { name, cwd, env = {}, from, machine }: NewShell): Promise<TerminalInfo> {
    // Not a login shell: login files would overwrite the inherited variables.
    const marked = from === undefined ? env : { ...env, [CARRIED_VARIABLE]: Object.keys(env).join(" ") };
    const on = machine === undefined ? {} : { machine };
    const request = { ...agentShellRequest({ name, cwd, login: from === undefined }), ...on, env: marked };
    const terminal = await this.#deps.spawner.spawn(agent, request).catch(async (error: unknown) => {
      if (!isFull(error) || !(await this.#closeOldest(agent))) throw error;
      return this.#deps.spawner.spawn(agent, request);
    });
    await this.#deps.audit.append({
      type: "terminal.created",
      actor: { type: "agent", id: agent.id },
      terminalId: terminal.id,
      detail: {
        shell: terminal.shell,
        cwd: terminal.cwd,
        name,
        ...(machine !== undefined && { machine }),
        ...(from === undefined ? {} : { from, env: Object.keys(env) }),
      },
    });
    return terminal;
  }

  /** The shell, if it is at its prompt now or within a moment. */
  async #becomesFree({ id }: TerminalInfo): Promise<TerminalInfo | null> {
    const startedAt = this.#deps.now();
    for (;;) {
      const terminal = await this.#deps.terminals.get(id);
      const since = this.#busySince(terminal);
      if (since === null) return terminal;
      const isAsking = terminal.activity.kind === "busy" && terminal.activity.wants !== "nothing";
      // The clock of another machine may be ahead, and this one may be set back: neither prolongs the wait.
      if (isAsking || this.#deps.now() - Math.min(since, startedAt) >= PATIENCE_MS) return null;
      await delay(LOOK_EVERY_MS);
    }
  }

  #busySince({ id, activity }: TerminalInfo): number | null {
    return activity.kind === "busy" ? activity.since : (this.#taken.get(id) ?? null);
  }

  /** The open shell that a conversation used last. */
  async #currentShellOf({ agent, id }: Conversation, machine: string | undefined): Promise<TerminalInfo | null> {
    const isThere = (terminal: TerminalInfo) => machine === undefined || (terminal.machine ?? OWN_MACHINE) === machine;
    // The last known state is enough to choose a shell at its prompt: it is checked again before anything is judged and run.
    const freeShell = (terminalId: TerminalId | undefined) => {
      const known = terminalId === undefined ? null : this.#deps.terminals.lastKnown(terminalId);
      return known && isUsable(known) && isThere(known) && this.#busySince(known) === null ? known : null;
    };
    // Usually the same as before, which needs no look into the database.
    const same = freeShell(this.#lastUsed.get(keyOf({ agent, id }))?.terminalId);
    if (same) return same;
    for (const { conversationId, terminalId } of await listConversationShells(this.#deps.db, agent.id)) {
      if (conversationId !== (id ?? "")) continue;
      const known = freeShell(terminalId);
      if (known) return known;
      const terminal = await this.#find(terminalId);
      if (terminal && isUsable(terminal) && isThere(terminal)) return terminal;
    }
    return null;
  }

  /** The open shells of a conversation, most recently used first. */
  async #shellsOf({ agent, id }: Conversation): Promise<TerminalInfo[]> {
    const rows = await listConversationShells(this.#deps.db, agent.id);
    const own = rows.filter(({ conversationId }) => conversationId === (id ?? ""));
    return this.#openOnes(own.map(({ terminalId }) => terminalId));
  }

  async #openOnes(ids: TerminalId[]): Promise<TerminalInfo[]> {
    const open = new Map((await this.#deps.terminals.list()).map((terminal) => [terminal.id, terminal]));
    return ids.flatMap((id) => {
      const terminal = open.get(id);
      return terminal && isUsable(terminal) ? [terminal] : [];
    });
  }

  async #find(id: TerminalId): Promise<TerminalInfo | null> {
    return this.#deps.terminals.get(id).catch((error: unknown) => {
      if (error instanceof CoreError && error.code === "terminal-not-found") return null;
      throw error;
    });
  }

  async #use({ agent, id }: Conversation, terminalId: TerminalId): Promise<void> {
    const key = keyOf({ agent, id });
    const usedAt = this.#deps.now();
    const last = this.#lastUsed.get(key);
    // Writing to disk takes longer than most commands, and usually nothing has changed.
    if (last?.terminalId === terminalId && usedAt - last.usedAt < USED_EVERY_MS) return;
    const shell = { terminalId, agentId: agent.id, conversationId: id ?? "", usedAt };
    // Only later calls need it. If the disk is full, the record refuses the command and says so.
    await saveConversationShell(this.#deps.db, shell).then(
      () => void this.#lastUsed.set(key, { terminalId, usedAt }),
      () => {},
    );
  }

  /** Ends idle shells that are no longer the default. */
  async #closeIdle(conversation: Conversation, kept: TerminalId): Promise<void> {
    const idle = (await this.#shellsOf(conversation)).filter((shell) => shell.id !== kept && this.#isIdle(shell));
    for (const { id } of idle.slice(MAX_IDLE_SHELLS - 1)) await this.#deps.terminals.kill(id, { reason: "idle" });
  }

  /** Makes room for a new shell by ending the least recently used idle one. */
  async #closeOldest(agent: AgentRow): Promise<boolean> {
    const rows = await listConversationShells(this.#deps.db, agent.id);
    const idle = (await this.#openOnes(rows.map(({ terminalId }) => terminalId))).filter((one) => this.#isIdle(one));
    const oldest = idle.at(-1);
    if (oldest) await this.#deps.terminals.kill(oldest.id, { reason: "idle" });
    return oldest !== undefined;
  }

  #isIdle(terminal: TerminalInfo): boolean {
    return terminal.name === null && !terminal.visible && this.#busySince(terminal) === null;
  }

  async #inTurn<Result>({ agent, id }: Conversation, work: () => Promise<Result>): Promise<Result> {
    const key = keyOf({ agent, id });
    const before = this.#turns.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#turns.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(key) === mine) this.#turns.delete(key);
    }
  }
}

function keyOf({ agent, id }: Conversation): string {
  return `${agent.id} ${id ?? ""}`;
}

function isUsable({ owner, state }: TerminalInfo): boolean {
  return owner === "agent" && state.status === "running";
}

function firstNotes({ id }: Conversation): string[] {
  if (id !== null) return [];
  return ["The client does not name its conversation, so all clients with this token share this shell."];
}

function whatBusyWith({ activity }: TerminalInfo): string {
  if (activity.kind !== "busy") return "a command for it waits for a person";
  return activity.line.length > 60 ? `${activity.line.slice(0, 57)}…` : activity.line;
}

function isFull(error: unknown): boolean {
  return error instanceof GatewayError && error.code === "too-many-terminals";
}
