import type { Session, Watcher } from "./target.ts";

/** The typed text does not contain the awaited text (the shell assembles it), so the echo does not match. */
const END_COMMAND = "printf 'E''ND''OF''FLOOD\\n'";
const END = Buffer.from("ENDOFFLOOD\r\n");

export interface Flood {
  seconds: number;
  bytes: number;
  missedBytes: number;
}

/** Has a shell print a file, and measures from the first byte to the last as a viewer receives them. */
export async function flood(session: Session, file: string, viewers: readonly (Session | Watcher)[]): Promise<Flood[]> {
  const done = viewers.map((viewer) => untilEnd(viewer));
  session.type(`cat ${file}; ${END_COMMAND}\n`);
  return Promise.all(done);
}

function untilEnd(viewer: Session | Watcher): Promise<Flood> {
  return new Promise((resolve) => {
    const missedBefore = viewer.missedBytes;
    let tail = Buffer.alloc(0);
    let bytes = 0;
    let startedAt = 0;
    viewer.onBytes((piece) => {
      startedAt ||= performance.now();
      bytes += piece.byteLength;
      tail = Buffer.concat([tail, piece.subarray(-64)]).subarray(-64);
      if (!tail.includes(END)) return;
      viewer.onBytes(() => {});
      resolve({
        seconds: (performance.now() - startedAt) / 1000,
        bytes,
        missedBytes: viewer.missedBytes - missedBefore,
      });
    });
  });
}

/** Waits until the shell has started and answers. */
export async function untilReady(session: Session): Promise<void> {
  await new Promise<void>((resolve) => {
    let text = "";
    session.onBytes((bytes) => {
      text += Buffer.from(bytes).toString("latin1");
      if (text.includes("READYNOW")) resolve();
    });
    session.type("printf 'READY''NOW\\n'; stty -echo; PS1=; PS0=\n");
  });
  session.onBytes(() => {});
}

/** Times, in milliseconds, from a key to its echo by `cat`. */
export async function echoTimes(session: Session, count: number): Promise<number[]> {
  const times: number[] = [];
  session.type("stty echo -icanon; cat\n");
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let at = 0; at < count; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 6));
    const heard = new Promise<void>((resolve) => session.onBytes(() => resolve()));
    const startedAt = performance.now();
    session.type("x");
    await heard;
    times.push(performance.now() - startedAt);
  }
  session.onBytes(() => {});
  session.type("\u0003");
  session.type("stty -echo icanon\n");
  return times;
}

/** Interrupts an endless flood with Ctrl-C, and counts the kilobytes that still arrive. */
export function kilobytesAfterInterrupt(session: Session, file: string): Promise<number> {
  return new Promise((resolve) => {
    let before = 0;
    let after: number | null = null;
    let quiet: NodeJS.Timeout | undefined;
    session.onBytes((bytes) => {
      if (after === null) {
        before += bytes.byteLength;
        if (before < 5e6) return;
        after = 0;
        session.type("\u0003");
        return;
      }
      after += bytes.byteLength;
      clearTimeout(quiet);
      quiet = setTimeout(() => resolve((after ?? 0) / 1024), 500);
    });
    session.type(`while :; do cat ${file}; done\n`);
  });
}
