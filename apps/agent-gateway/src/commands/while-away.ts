import type { AgentId, CommandId, TerminalId } from "@belay/protocol";
import type { Db } from "../store/database.ts";
import { listCommandsClosedSince } from "../store/tables/commands.ts";
import type { CommandOutcome } from "./outcome.ts";

/** The most lines in a summary. */
const MOST_LINES = 5;
/** A day of a busy team; of more, the newest. */
const MOST_COMMANDS = 5_000;

export interface AwayLine {
  commandId: CommandId;
  agentId: AgentId;
  terminalId: TerminalId | null;
  line: string;
  at: number;
  kind: "failed" | "denied" | "refused" | "ran";
  exitCode: number | null;
  /** Where its output begins; null if it has none. */
  position: number | null;
}

export interface WhileAway {
  ran: number;
  failed: number;
  denied: number;
  refused: number;
  /** The most notable first: denied and refused, then failed, then what ran last. */
  lines: AwayLine[];
}

const RANK = { denied: 0, refused: 1, failed: 2, ran: 3 } as const;

/** What agents, or one of them, did since a person's last visit. */
export async function readWhileAway(db: Db, since: number, agentId: AgentId | null = null): Promise<WhileAway> {
  const rows = await listCommandsClosedSince(db, { since, agentId }, MOST_COMMANDS);
  const lines = rows.flatMap(({ id, agentId, terminalId, line, closedAt, outcome }): AwayLine[] => {
    if (outcome === null || closedAt === null) return [];
    const seen = lookAt(JSON.parse(outcome) as CommandOutcome);
    return seen ? [{ commandId: id, agentId, terminalId, line, at: closedAt, ...seen }] : [];
  });
  const count = (kind: AwayLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return {
    ran: count("ran") + count("failed"),
    failed: count("failed"),
    denied: count("denied"),
    refused: count("refused"),
    // Rows come newest first, and a stable sort keeps that within each kind.
    lines: lines.sort((a, b) => RANK[a.kind] - RANK[b.kind]).slice(0, MOST_LINES),
  };
}

function lookAt(outcome: CommandOutcome): Pick<AwayLine, "kind" | "exitCode" | "position"> | null {
  const nothing = { exitCode: null, position: null };
  switch (outcome.status) {
    case "ran": {
      const { exitCode, startPosition } = outcome.report;
      return { kind: exitCode !== null && exitCode !== 0 ? "failed" : "ran", exitCode, position: startPosition };
    }
    case "done": {
      const { exitCode } = outcome.result;
      return { kind: exitCode !== null && exitCode !== 0 ? "failed" : "ran", exitCode, position: null };
    }
    case "undo":
    case "spawned":
    case "connected":
    case "cleared":
      return { kind: "ran", ...nothing };
    case "failed":
      return { kind: "failed", ...nothing };
    case "denied":
      return { kind: "denied", ...nothing };
    case "refused":
    case "frozen":
      return { kind: "refused", ...nothing };
    case "incomplete":
    case "unreadable":
      return null; // the agent's own mistake, which it was told at once
    case "previewed":
      return null; // nothing was run for real
    case "leftToClient":
      return null; // the client's user decided
    case "undelivered":
      return null; // the client no longer waited for the answer
    case "waiting":
    case "running":
      return null; // not over
  }
}
