import type { RecordingMark, RecordingReader } from "@belay/core";
import type { Db } from "../store/database.ts";
import { listApprovalStepsIn } from "../store/tables/command-timeline.ts";

/** A place in a recording to jump to. */
export interface ReplayMark {
  timeMs: number;
  kind: "command" | "exit" | "asked" | "answered" | "person" | "agent" | "note";
  text: string;
  /** Links to its rows in the audit. */
  commandId: string | null;
  /** For an exit. */
  exitCode: number | null;
}

/** At most this many marks, the first ones. */
const MOST_MARKS = 5_000;

/** Commands and changes of the pen from the recording; questions and answers from the record. */
export async function readMarks(db: Db, recording: RecordingReader): Promise<ReplayMark[]> {
  const { startedAt, terminalId } = recording.header;
  const marks: ReplayMark[] = [];
  for await (const { timeMs, mark } of recording.marks()) {
    marks.push({ timeMs, ...fromMark(mark) });
    if (marks.length >= MOST_MARKS) break;
  }
  for (const { at, type, commandId, detail } of await listApprovalStepsIn(db, terminalId, MOST_MARKS)) {
    const { decision } = JSON.parse(detail) as { decision?: string };
    marks.push({
      timeMs: Math.max(0, at - startedAt),
      kind: type === "command.asked" ? "asked" : "answered",
      text:
        type === "command.asked" ? "asked a person" : decision === "approve" ? "approved" : (decision ?? "answered"),
      commandId,
      exitCode: null,
    });
  }
  return marks.sort((a, b) => a.timeMs - b.timeMs);
}

function fromMark(mark: RecordingMark): Omit<ReplayMark, "timeMs"> {
  const none = { commandId: null, exitCode: null };
  switch (mark.kind) {
    case "commandStarted":
      return { kind: "command", text: mark.line, commandId: mark.commandId, exitCode: null };
    case "commandFinished": {
      const text = mark.exitCode === null ? "ended" : `exit ${mark.exitCode}`;
      return { kind: "exit", text, commandId: mark.commandId, exitCode: mark.exitCode };
    }
    case "ownerChanged":
      return mark.to === "user"
        ? { kind: "person", text: "a person took over", ...none }
        : { kind: "agent", text: "given to the agent", ...none };
    case "note":
      return { kind: "note", text: mark.text, ...none };
  }
}
