import { redactSecrets } from "../secrets/redact-secrets.ts";
import type { OpenTap } from "../terminal/tap.ts";
import { openRecorder, type Recorder } from "./recorder.ts";

const RETRY_MS = 2_000;

export interface RecordingTapOptions {
  dir: string;
  /** A recording cannot be started or continued. Its terminal keeps running, and the disk is retried. */
  onFailed: (terminalId: string, error: Error) => void;
  /** It has resumed, without this many bytes. */
  onResumed: (terminalId: string, gap: { missedBytes: number }) => void;
  /** This terminal is no longer recorded. */
  onEnded: (terminalId: string) => void;
}

/** Records every terminal of a pool, from its first byte to its last. Secrets in titles and marks are redacted. */
export function recordingTap({ dir, onFailed, onResumed, onEnded }: RecordingTapOptions): OpenTap {
  return (terminal) => {
    const { id: terminalId, createdAt: startedAt, cols, rows } = terminal;
    const title = redactSecrets(terminal.command?.join(" ") ?? terminal.shell ?? "");
    const openedAt = performance.now();
    // On the monotonic clock, or the recording would stand still after the system clock is set back.
    const now = () => Math.round(startedAt + performance.now() - openedAt);
    let recorder: Recorder | null = null;
    let missedBytes = 0;
    let retry: NodeJS.Timeout | null = null;
    let isClosed = false;

    const tryToOpen = async () => {
      try {
        const opened = await openRecorder({
          dir,
          header: { terminalId, startedAt, cols, rows, title },
          now,
          maxBytes: terminal.limits?.recordingBytes ?? null,
          onFailed: (error) => onFailed(terminalId, error),
          onResumed: (gap) => onResumed(terminalId, gap),
        });
        opened.skip(missedBytes);
        recorder = opened;
        if (retry) onResumed(terminalId, { missedBytes });
      } catch (error) {
        onFailed(terminalId, error as Error);
        if (!isClosed) retry = setTimeout(() => void tryToOpen(), RETRY_MS).unref();
      }
    };
    const opening = tryToOpen();
    // In the order of the calls, including those made while the files were being opened.
    const then = (act: (recorder: Recorder) => void | Promise<void>) =>
      opening.then(() => (recorder ? act(recorder) : undefined));
    return {
      output: (bytes) =>
        opening.then(() => {
          if (recorder) return recorder.append(bytes);
          missedBytes += bytes.byteLength;
        }),
      resized: (size) => void then((open) => open.resize(size)),
      commandTyped: ({ commandId, line }) =>
        void then((open) => open.mark({ kind: "commandStarted", commandId, line: redactSecrets(line) })),
      commandFinished: ({ commandId, exitCode }) =>
        void then((open) => open.mark({ kind: "commandFinished", commandId, exitCode })),
      ownerChanged: (owner) => void then((open) => open.mark({ kind: "ownerChanged", to: owner })),
      closed: async (exitCode) => {
        isClosed = true;
        if (retry) clearTimeout(retry);
        await then((open) => open.close({ exitCode }));
        onEnded(terminalId);
      },
    };
  };
}
