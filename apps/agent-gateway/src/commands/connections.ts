import { AgentNetworks, type AskedConnection, type TerminalPool } from "@belay/core";
import { AgentId, type CommandId } from "@belay/protocol";
import type { Logger } from "pino";
import type { Approvals } from "../approvals/approvals.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import { findAgent } from "../store/tables/agents.ts";
import { findCommand } from "../store/tables/commands.ts";
import type { Commands } from "./commands.ts";

interface Deps {
  terminals: TerminalPool;
  commands: () => Commands;
  approvals: Pick<Approvals, "withdrawOf">;
  db: Db;
  log: Logger;
}

/** Only an answer, an expiry, or the end of the program or its terminal ends the wait. */
const FOR_EVER_MS = 2 ** 31 - 1;

const GONE = "Its program has ended, or has given up connecting.";

/**
 * Connections from behind walls to hosts that are not listed. Each is judged, asked about and recorded like a command
 * of its agent, while the program waits.
 */
export class Connections {
  readonly #deps: Deps;
  readonly #unsubscribe: () => void;
  /** Those of one-shot programs, in this process. */
  readonly #waitingHere = new Map<CommandId, (isAllowed: boolean) => void>();
  /** Ends the wait for the answer about a connection. */
  readonly #gone = new Map<CommandId, AbortController>();
  /** The networks of programs that run once with pipes. */
  readonly networks = new AgentNetworks(async (agentId, { by, ...wanted }, gone) => {
    const id = newId("cmd");
    return new Promise((resolve) => {
      this.#waitingHere.set(id, resolve);
      gone.addEventListener("abort", () => this.#gone.get(id)?.abort());
      const agent = AgentId.safeParse(agentId).data ?? null;
      void this.#handle({ id, terminalId: null, agentId: agent, program: by?.argv ?? [], ...wanted });
    });
  });

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#unsubscribe = deps.terminals.subscribe((event) => {
      if (event.type === "connectionAsked") void this.#handle(event.connection);
      if (event.type === "connectionGone") this.#gone.get(event.id)?.abort();
    });
  }

  /** Allows a connection; false if its program has given up. */
  async letThrough(id: CommandId): Promise<boolean> {
    return this.#answer(id, true);
  }

  /** Whether a program waits for the answer about this connection, as far as is known. */
  isWaiting(id: CommandId): boolean {
    return this.#gone.get(id)?.signal.aborted === false;
  }

  /** The question of an earlier gateway is settled. Unless the connection was let through, its program is told so. */
  settled(id: CommandId): void {
    void this.#answer(id, false);
  }

  close(): void {
    this.#unsubscribe();
    for (const id of this.#waitingHere.keys()) void this.#answer(id, false);
    this.networks.close();
  }

  async #handle({ id, agentId, ...wanted }: AskedConnection): Promise<void> {
    const { db, commands, log } = this.#deps;
    const gone = new AbortController();
    this.#gone.set(id, gone);
    try {
      const known = await findCommand(db, id);
      if (known?.closedAt === null) return this.#takeOver(id, gone.signal);
      // It was refused while its machine was away.
      if (known) return void (await this.#answer(id, false));
      const agent = agentId && (await findAgent(db, agentId));
      const act = { type: "connect" as const, ...wanted };
      const hold = { signal: gone.signal, maxMs: FOR_EVER_MS };
      const outcome = agent && (await commands().submit({ commandId: id, agent, origin: "wall", act }, hold));
      if (agent && gone.signal.aborted) await commands().abandon(agent, id, GONE);
      if (outcome?.status !== "connected") await this.#answer(id, false);
    } catch (error) {
      log.error({ err: error, host: wanted.host }, "a connection could not be judged and is refused");
      await this.#answer(id, false);
    }
  }

  /** An earlier gateway already handled it, and its question is being asked again. */
  #takeOver(id: CommandId, gone: AbortSignal): void {
    const withdraw = async () => {
      await this.#deps.approvals.withdrawOf(id, GONE);
      await this.#answer(id, false);
    };
    const log = (error: unknown) => this.#deps.log.error({ err: error }, "a question could not be withdrawn");
    if (gone.aborted) void withdraw().catch(log);
    else gone.addEventListener("abort", () => void withdraw().catch(log));
  }

  async #answer(id: CommandId, isAllowed: boolean): Promise<boolean> {
    this.#gone.delete(id);
    const here = this.#waitingHere.get(id);
    if (!here) return this.#deps.terminals.answerConnection(id, { isAllowed }).catch(() => false);
    this.#waitingHere.delete(id);
    here(isAllowed);
    return true;
  }
}
