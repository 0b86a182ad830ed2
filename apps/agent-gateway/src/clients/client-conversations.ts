import type { TerminalPool } from "@belay/core";
import type { AuditLog } from "../audit/audit-log.ts";
import { readEntries, type TimelineEntry } from "../commands/timeline.ts";
import type { Db } from "../store/database.ts";
import {
  type ClientConversationKey,
  type ClientConversationRow,
  findUnreportedCall,
  listClientConversations,
  listCommandsOfConversation,
  markReported,
} from "../store/tables/client-calls.ts";

/** How a command ended in the client's own shell, as reported by the client. */
export interface ClientReport {
  callId: string | null;
  line: string | null;
  /** Null if the client does not say. */
  exitCode: number | null;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  terminals: TerminalPool;
  now: () => number;
}

/** Conversations of clients that run commands in their own shells and ask Belay first. */
export class ClientConversations {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(limit: number): Promise<ClientConversationRow[]> {
    return listClientConversations(this.#deps.db, limit);
  }

  /** The commands of a conversation, newest first. */
  async timeline(key: ClientConversationKey, limit: number): Promise<TimelineEntry[]> {
    const { db, terminals } = this.#deps;
    return readEntries(db, terminals, await listCommandsOfConversation(db, key, limit));
  }

  /** Records how a command ended. A report about an unknown command is dropped. */
  async report(key: ClientConversationKey, { callId, line, exitCode }: ClientReport): Promise<void> {
    const { db, audit, now } = this.#deps;
    const commandId = await findUnreportedCall(db, key, { callId, line });
    if (commandId === null) return;
    const actor = { type: "agent", id: key.agentId } as const;
    await audit.append({ type: "command.reported", actor, commandId, detail: { exitCode } }, (tx) => [
      markReported(tx, commandId, now()),
    ]);
  }
}
