import type { CloseReason, TerminalState } from "@belay/protocol";

export type TerminalStateEvent =
  | { type: "spawned"; pid: number }
  | { type: "close"; reason: CloseReason }
  | { type: "exited"; exitCode: number | null };

/** What a terminal becomes. A late or repeated event changes nothing. */
export function nextState(state: TerminalState, event: TerminalStateEvent): TerminalState {
  if (state.status === "closed") return state;
  switch (event.type) {
    case "spawned":
      return state.status === "starting" ? { status: "running", pid: event.pid } : state;
    case "close":
      return state.status === "closing" ? state : { status: "closing", reason: event.reason };
    case "exited":
      return {
        status: "closed",
        reason: state.status === "closing" ? state.reason : "exited",
        exitCode: event.exitCode,
      };
  }
}
