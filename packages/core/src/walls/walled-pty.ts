import { readProcFile } from "../processes/proc.ts";
import type { Pty } from "../pty/pty.ts";

export interface WalledPtyOptions {
  /** How many processes of the wall are between the first one and the program. */
  depth: number;
  /** Called once, when the terminal is closed. */
  onReleased: () => void;
}

/** A PTY whose program is not the process that was started: the sandbox's own processes are above it. */
export function walledPty(pty: Pty, { depth, onReleased }: WalledPtyOptions): Pty {
  let programPid: number | null = null;
  return {
    get pid() {
      programPid ??= descend(pty.leaderPid, depth);
      return programPid ?? pty.leaderPid;
    },
    leaderPid: pty.leaderPid,
    device: pty.device,
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
function descend(pid: number, depth: number): number | null {
  let at = pid;
  for (let step = 0; step < depth; step++) {
    const [child] = (readProcFile(at, `task/${at}/children`) ?? "").split(" ").filter(Boolean).map(Number);
    if (child === undefined) return null;
    at = child;
  }
  return at;
}
