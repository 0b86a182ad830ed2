import type { AuditRow } from "@belay/agent-gateway/router";
import type { ReachedLimit } from "@belay/protocol";
import type { Tone } from "@/ui/badge.tsx";
import { REACHED_LIMITS } from "../../terminals/wall-words.ts";

export interface RowWords {
  /** What kind of thing happened. */
  what: string;
  /** What it was about, in monospace; null if there is nothing short to say. */
  about: string | null;
  tone: Tone;
}

/** A row in a few words. Types without a description are shown by their name. */
export function describeRow({ type, detail }: Pick<AuditRow, "type" | "detail">): RowWords {
  const text = (key: string) => (typeof detail[key] === "string" ? (detail[key] as string) : null);
  const quiet = { tone: "quiet" as const };
  switch (type) {
    case "command.opened":
      return { what: "asked to run", about: text("line"), ...quiet };
    case "command.judged":
      return judged(detail);
    case "command.asked":
      return { what: "asked a person", about: text("text"), tone: "attention" };
    case "command.answered":
    case "approval.answered": {
      const decision = text("decision") ?? "answered";
      const words = { approve: "approved", deny: "refused" }[decision] ?? decision;
      return { what: words, about: text("message"), ...quiet };
    }
    case "approval.preview-asked":
      return { what: "asked for a preview", about: null, ...quiet };
    case "approval.previewed":
      return { what: "tried on a copy", about: text("words"), ...quiet };
    case "command.started":
      return {
        what: detail.takesPreview === true ? "applied what was shown" : "started",
        about: text("line"),
        ...quiet,
      };
    case "command.closed":
      return closed(detail);
    case "command.changed":
      return { what: "changed files", about: text("words") ?? text("problem"), ...quiet };
    case "changes.preview-asked":
      return { what: "asked for a preview", about: text("line"), ...quiet };
    case "changes.undo-asked":
      return { what: "asked to undo", about: null, ...quiet };
    case "changes.undone":
      return { what: "undid", about: text("words"), ...quiet };
    case "terminal.created":
      return { what: "terminal opened", about: text("cwd"), ...quiet };
    default:
      return { what: wordsOf(type), about: firstText(detail), ...quiet };
  }
}

function judged(detail: AuditRow["detail"]): RowWords {
  const decision = String(detail.decision ?? "");
  const matches = Array.isArray(detail.matches) ? detail.matches : [];
  const [first] = matches as { reason?: string }[];
  const words = { allow: "allowed", ask: "needs a person", deny: "forbidden" }[decision] ?? decision;
  const tone = ({ ask: "attention", deny: "danger" } as const)[decision] ?? "quiet";
  return { what: words, about: decision === "allow" ? runsOf(detail) : (first?.reason ?? null), tone };
}

function closed(detail: AuditRow["detail"]): RowWords {
  const { status, exitCode, limit } = detail;
  if (status !== "ran" && status !== "done") return { what: String(status ?? "ended"), about: null, tone: "quiet" };
  const isFailed = typeof exitCode === "number" && exitCode !== 0;
  const what = typeof exitCode === "number" ? `exit ${exitCode}` : "ended";
  const about = REACHED_LIMITS[limit as ReachedLimit] ?? null;
  return { what, about, tone: isFailed ? "danger" : "quiet" };
}

function runsOf(detail: AuditRow["detail"]): string | null {
  return Array.isArray(detail.runs) ? detail.runs.join("; ") || null : null;
}

/** `policy.edit-waits` reads as "policy edit waits". */
function wordsOf(type: string): string {
  return type.replaceAll(/[.-]/g, " ");
}

const TELLING = ["name", "email", "host", "path", "url", "note", "reason", "message", "scope", "format", "id"];

function firstText(detail: AuditRow["detail"]): string | null {
  for (const key of TELLING) if (typeof detail[key] === "string" && detail[key] !== "") return detail[key] as string;
  return null;
}
