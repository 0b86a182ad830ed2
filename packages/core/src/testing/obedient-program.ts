import type { Pty, PtyEvents } from "../pty/pty.ts";
import type { PtyRig } from "./contracts/pty-contract.ts";

/** A program that does what it is told on a line of its input, one line after the other. */
const OBEDIENT = 'stty -echo; printf ready; while read -r line; do eval "$line"; done';

/** Starts it on a real pty, and waits until it listens. */
export async function openObedient(
  open: (argv: [string, ...string[]], events: PtyEvents) => Pty,
  { onOutput, onExit }: PtyEvents,
): Promise<PtyRig> {
  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  let hasStarted = false;
  const pty = open(["/bin/sh", "-c", OBEDIENT], {
    onOutput: (bytes) => {
      if (hasStarted) return onOutput(bytes);
      hasStarted = true;
      isReady();
    },
    onExit,
  });
  await ready;
  return {
    pty,
    print: (text) =>
      text.length > 1000
        ? pty.write(Buffer.from(`head -c ${text.length} /dev/zero | tr '\\0' ${text[0]}\n`))
        : pty.write(Buffer.from(`printf %s '${text}'\n`)),
    exit: (exitCode) => pty.write(Buffer.from(`exit ${exitCode}\n`)),
    fill: (bytes) => pty.write(bytes),
  };
}
