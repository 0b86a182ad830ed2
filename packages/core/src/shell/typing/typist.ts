import type { ShellKind } from "../hooks.ts";
import { CLEAR_SCREEN, ENTER, INTERRUPT, readFileLine, typingOf } from "./typing.ts";

export interface TypistOptions {
  write: (bytes: Uint8Array) => void;
  writeScript: (text: string) => Promise<Script>;
}

/** A text in a file that the shell can read. */
export interface Script {
  path: string;
  remove: () => Promise<void>;
}

/** Types into a shell. */
export class Typist {
  readonly #options: TypistOptions;
  #scripts: Script[] = [];

  constructor(options: TypistOptions) {
    this.#options = options;
  }

  /** The keys for a text. Separate from pressing them, because it may have to write a file. */
  async keysFor(kind: ShellKind, text: string): Promise<Buffer> {
    const typing = typingOf(kind, text);
    return typing.type === "keys" ? typing.bytes : Buffer.from((await this.scriptLine(kind, text)) + ENTER);
  }

  /** The line that makes the shell read a text from a file. */
  async scriptLine(kind: ShellKind, text: string): Promise<string> {
    return readFileLine(kind, await this.scriptPath(text));
  }

  /** A file with a text, for as long as the shell is busy with it. */
  async scriptPath(text: string): Promise<string> {
    const script = await this.#options.writeScript(text);
    this.#scripts.push(script);
    return script.path;
  }

  /** Deletes the files after the shell has read them, because one may hold secrets. */
  removeScripts(): void {
    for (const script of this.#scripts.splice(0)) void script.remove();
  }

  press(keys: Buffer): void {
    this.#options.write(keys);
  }

  interrupt(): void {
    this.#options.write(Buffer.from(INTERRUPT));
  }

  repaint(kind: ShellKind): "same prompt" | "new prompt" {
    const canClear = kind !== "sh" && kind !== "other";
    this.#options.write(Buffer.from(canClear ? CLEAR_SCREEN : ENTER));
    return canClear ? "same prompt" : "new prompt";
  }
}
