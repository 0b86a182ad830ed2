import { createHash } from "node:crypto";
import type { CommandId, TerminalId, TerminalInfo } from "@belay/protocol";
import type { TerminalHost } from "../../host/terminal-host.ts";
import type { OutputConsumer } from "../../pool/terminal-pool.ts";

/** What a follower got of a terminal. */
export interface Drained {
  text: string;
  first: number | null;
  missed: number;
  /** Checks that the chunks are contiguous. */
  isInOrder: boolean;
  exitCode: number | null;
  end: number;
}

/** Everything that a terminal prints, from a position to its end. */
export function drainOf(
  { terminals }: TerminalHost,
  id: TerminalId,
  from: number,
  take: () => void | Promise<void> = () => {},
): Promise<Drained> {
  return new Promise((resolve) => {
    const drained: Drained = { text: "", first: null, missed: 0, isInOrder: true, exitCode: null, end: 0 };
    let position = from;
    terminals.follow(id, from, {
      onOutput: ({ position: at, bytes }) => {
        drained.first ??= at;
        drained.isInOrder &&= at === position;
        position = at + bytes.byteLength;
        drained.text += Buffer.from(bytes).toString("latin1");
        return take();
      },
      onGap: ({ from: begin, to }) => {
        drained.isInOrder &&= begin === position;
        drained.missed += to - begin;
        position = to;
      },
      onEnd: ({ position: end, exitCode }) => {
        drained.isInOrder &&= end === position;
        resolve({ ...drained, exitCode, end });
      },
    });
  });
}

export async function textOf(
  host: TerminalHost,
  id: TerminalId,
  report: { startPosition: number; endPosition: number },
) {
  const maxBytes = report.endPosition - report.startPosition;
  const { bytes } = await host.terminals.read(id, { fromPosition: report.startPosition, maxBytes });
  return Buffer.from(bytes).toString();
}

export function consumer(onText: (text: string) => void | Promise<void>): OutputConsumer {
  return { onOutput: ({ bytes }) => onText(Buffer.from(bytes).toString()), onGap: () => {}, onEnd: () => {} };
}

export function untilReached({ terminals }: TerminalHost, id: TerminalId, position: number): Promise<void> {
  return new Promise((resolve) => {
    const following = terminals.follow(id, 0, {
      onOutput: (slice) => {
        if (slice.position + slice.bytes.byteLength < position) return;
        following.stop();
        resolve();
      },
      onGap: () => {},
      onEnd: () => resolve(),
    });
  });
}

export function untilActivity({ terminals }: TerminalHost, id: TerminalId, commandId: CommandId): Promise<void> {
  const isIt = ({ id: at, activity }: TerminalInfo) =>
    at === id && activity.kind === "busy" && activity.commandId === commandId;
  return new Promise((resolve) => {
    const stop = terminals.subscribe((event) => {
      if (event.type !== "changed" || !isIt(event.terminal)) return;
      stop();
      resolve();
    });
  });
}

export function lines(count: number): string {
  return Array.from({ length: count }, (_, at) => `${at + 1}\r\n`).join("");
}

export function digest(text: string): string {
  return createHash("sha256").update(text, "latin1").digest("hex");
}
