import type { TerminalPool } from "@belay/core";
import type { TerminalInfo } from "@belay/protocol";
import type { Logger } from "pino";
import type { Approvals } from "../approvals/approvals.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Changes } from "../changes/changes.ts";
import type { FinishedCommands } from "../commands/finished.ts";
import type { EventBus } from "../events.ts";
import type { RecordingCopies } from "../machines/recording-copies.ts";
import type { ShellMemories } from "../policy/memories/shell-memories.ts";
import type { OpenedPorts } from "../ports/opened-ports.ts";
import type { AgentTerminals } from "./shells/agent-terminals.ts";
import type { SharedTerminals } from "./watching/shared.ts";

interface Deps {
  terminals: TerminalPool;
  audit: AuditLog;
  events: EventBus;
  approvals: Approvals;
  changes: Changes;
  finished: FinishedCommands;
  ports: OpenedPorts;
  recordingCopies: RecordingCopies;
  shellMemories: ShellMemories;
  agentTerminals: AgentTerminals;
  sharedTerminals: SharedTerminals;
  log: Logger;
}

/** Tells every domain what happens in terminals: a command finishes, a terminal closes, the host is lost. Returns how to stop. */
export function followTerminals(deps: Deps): () => void {
  const { terminals, events, changes, finished, ports, recordingCopies, log } = deps;
  return terminals.subscribe((event) => {
    if (event.type === "commandFinished") {
      finished.add(event.report);
      return;
    }
    // Only now is its recording complete; "closed" comes before its programs are ended.
    if (event.type === "changed" && event.terminal.state.status === "closed") recordingCopies.closed(event.terminal.id);
    if (event.type === "closed") {
      changes.terminalClosed(event.terminal.id);
      ports.terminalClosed(event.terminal.id);
      void forgetTerminal(event.terminal, deps);
    }
    if (event.type === "hostLost") {
      log.error("the host has died and its terminals with it; starting a new one");
      events.publish(event);
    } else if ("terminal" in event) events.publish({ type: "terminal", event: event.type, terminal: event.terminal });
  });
}

async function forgetTerminal({ id, state }: TerminalInfo, deps: Deps): Promise<void> {
  try {
    await Promise.all([
      deps.audit.append({ type: "terminal.closed", actor: { type: "system" }, terminalId: id, detail: { ...state } }),
      deps.shellMemories.forget(id),
      deps.agentTerminals.forget(id),
      deps.sharedTerminals.forget(id),
      deps.approvals.withdrawOfTerminal(id, "Its terminal was closed."),
    ]);
  } catch (error) {
    deps.log.error(
      { err: error, terminalId: id },
      "the end of a terminal could not be recorded, or not everything that belongs to it was removed",
    );
  }
}
