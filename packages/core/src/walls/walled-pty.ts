import { readProcFile } from "../processes/proc.ts";
import type { Pty } from "../pty/pty.ts";

export interface WalledPtyOptions {
  /** The program's process; null until it has started. Called until the process is known. */
  findPid: () => number | null;
  /** The program's own terminal device, if it is not the one that Belay opened. */
  deviceOf?: (pid: number) => string;
  /** Called once, when the terminal is closed. */
  onReleased: () => void;
}

/** A PTY whose program is not the process that was started: the wall's own processes are between them. */
export function walledPty(pty: Pty, { findPid, deviceOf, onReleased }: WalledPtyOptions): Pty {
  let found: number | null = null;
  const programPid = () => {
    found ??= findPid();
    return found;
  };
  return {
    get pid() {
      return programPid() ?? pty.leaderPid;
    },
    leaderPid: pty.leaderPid,
    ...(deviceOf ? { isRelayed: true as const } : {}),
    get device() {
      if (!deviceOf) return pty.device;
      const pid = programPid();
      return pid === null ? null : deviceOf(pid);
    },
    get hasPendingInput() {
      return pty.hasPendingInput;
    },
    write: (bytes) => pty.write(bytes),
    discardInput: () => pty.discardInput(),
    resize: (size) => pty.resize(size),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    drain: () => pty.drain(),
    close: () => {
      pty.close();
      onReleased();
    },
  };
}

/** The only child of the only child, and so on; null while one of them has not started yet. */
export function descend(pid: number, depth: number): number | null {
  let at = pid;
  for (let step = 0; step < depth; step++) {
    const [child] = (readProcFile(at, `task/${at}/children`) ?? "").split(" ").filter(Boolean).map(Number);
    if (child === undefined) return null;
    at = child;
  }
  return at;
}
