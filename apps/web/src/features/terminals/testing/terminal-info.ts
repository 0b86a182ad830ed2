import type { TerminalInfo } from "@belay/protocol";

/** A shell of an agent at its prompt, changed as a test needs it. */
export function terminalInfo(change: Partial<TerminalInfo> = {}): TerminalInfo {
  return {
    id: "pty-1",
    owner: "agent",
    visible: true,
    agentId: "agt-1",
    name: null,
    title: "",
    cwd: "/",
    command: null,
    shell: "/bin/bash",
    createdAt: 0,
    cols: 80,
    rows: 24,
    state: { status: "running", pid: 1 },
    activity: { kind: "idle" },
    position: 0,
    ...change,
  };
}
