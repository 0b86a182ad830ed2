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

export interface ReplayMarks {
  marks: ReplayMark[];
  /** Set if there are more than a page can list: the marks of this moment and later ones are left out. */
  marksEndMs: number | null;
}

/** The console keeps them all in one list. */
const MOST_MARKS = 5_000;

/** Commands and changes of the pen from the recording; questions and answers from the record. The first ones, if there are many. */
export async function readMarks(db: Db, recording: RecordingReader, most = MOST_MARKS): Promise<ReplayMarks> {
  const { startedAt, terminalId } = recording.header;
  const marks: ReplayMark[] = [];
  for await (const { timeMs, mark } of recording.marks()) {
    marks.push({ timeMs, ...fromMark(mark) });
    if (marks.length > most) break;
  }
  const endsMs = marks.length > most ? [marks.at(-1)?.timeMs ?? 0] : [];
  const steps = await listApprovalStepsIn(db, terminalId, most + 1);
  const last = steps[most];
  if (last) endsMs.push(Math.max(0, last.at - startedAt));
  for (const { at, type, commandId, detail } of steps) {
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
  const marksEndMs = endsMs.length === 0 ? null : Math.min(...endsMs);
  const listed = marks.filter(({ timeMs }) => marksEndMs === null || timeMs < marksEndMs);
  return { marks: listed.sort((a, b) => a.timeMs - b.timeMs), marksEndMs };
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
