import { redactSecrets } from "../secrets/redact-secrets.ts";
import type { OpenTap } from "../terminal/tap.ts";
import { openRecorder, type Recorder } from "./recorder.ts";

export interface RecordingTapOptions {
  dir: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** A recording could not be started, or not be continued. Its terminal goes on. */
  onFailed: (terminalId: string, error: Error) => void;
}

/** Records every terminal of a pool, from its first byte to its last. Its title and marks name no secrets. */
export function recordingTap({ dir, now, onFailed }: RecordingTapOptions): OpenTap {
  return (terminal) => {
    const { id: terminalId, createdAt: startedAt, cols, rows } = terminal;
    const title = redactSecrets(terminal.command?.join(" ") ?? terminal.shell ?? "");
    const fail = (error: Error) => onFailed(terminalId, error);
    const opening = openRecorder({
      dir,
      header: { terminalId, startedAt, cols, rows, title },
      now,
      onFailed: fail,
    }).catch((error: Error) => {
      fail(error);
      return null;
    });
    // In the order of the calls, also of those that came while the files were being opened.
    const then = (act: (recorder: Recorder) => void | Promise<void>) =>
      opening.then((recorder) => (recorder ? act(recorder) : undefined));
    return {
      output: (bytes) => then((recorder) => recorder.append(bytes)),
      resized: (size) => void then((recorder) => recorder.resize(size)),
      commandTyped: ({ commandId, line }) =>
        void then((recorder) => recorder.mark({ kind: "commandStarted", commandId, line: redactSecrets(line) })),
      commandFinished: ({ commandId, exitCode }) =>
        void then((recorder) => recorder.mark({ kind: "commandFinished", commandId, exitCode })),
      promoted: () => void then((recorder) => recorder.mark({ kind: "penMoved", to: "user" })),
      handedBack: () => void then((recorder) => recorder.mark({ kind: "penMoved", to: "agent" })),
      closed: (exitCode) => then((recorder) => recorder.close({ exitCode })),
    };
  };
}
