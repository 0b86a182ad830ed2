import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ReadStream, WriteStream } from "node:tty";
import type { Credentials } from "./connection.ts";

/** Asks the person at this terminal for address and password; null if there is no terminal. */
export async function askPerson(given: { email?: string } = {}): Promise<Credentials | null> {
  const terminal = openTerminal();
  if (!terminal) return null;
  const { input, output, close } = terminal;
  try {
    output.write("This needs a person: sign in to Belay.\n");
    const email = given.email ?? (await askLine(input, output, "Email: "));
    return { email, password: await askHidden(input, output, "Password: ") };
  } finally {
    close();
  }
}

/** Asks for a secret without echo; null if there is no terminal. */
export async function askSecret(question: string): Promise<string | null> {
  const terminal = openTerminal();
  if (!terminal) return null;
  try {
    return await askHidden(terminal.input, terminal.output, question);
  } finally {
    terminal.close();
  }
}

/** Opens the terminal itself, so that it works even if stdin and stdout are redirected. */
function openTerminal(): { input: ReadStream; output: WriteStream; close(): void } | null {
  const descriptors: number[] = [];
  try {
    descriptors.push(openSync("/dev/tty", "r"), openSync("/dev/tty", "w"));
    const [readable = -1, writable = -1] = descriptors;
    const input = new ReadStream(readable);
    const output = new WriteStream(writable);
    return {
      input,
      output,
      close: () => {
        input.destroy();
        output.destroy();
      },
    };
  } catch {
    for (const descriptor of descriptors) closeSync(descriptor);
    return null; // a script or a service without a terminal
  }
}

async function askLine(input: ReadStream, output: Writable, question: string): Promise<string> {
  const lines = createInterface({ input, output, terminal: true });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** The line editor writes its echo to nowhere, so that typed text is not shown. */
async function askHidden(input: ReadStream, output: Writable, question: string): Promise<string> {
  output.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    output.write("\n");
  }
}
