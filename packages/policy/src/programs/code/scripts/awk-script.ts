import type { ProgramUse } from "../../define-program.ts";

/** What an awk program does besides computing and printing. */
export interface AwkScript {
  /** It runs commands, or reads their output. */
  readonly runsCommands: boolean;
  /** It gives a shell or an interpreter the text that it reads or computes. */
  readonly runsText: boolean;
  /** It writes to files other than the terminal and /dev/null. */
  readonly writesFiles: boolean;
  /** Its literal output paths; a path may be longer than its literal part. */
  readonly targets: readonly string[];
  /** Strings that could be paths: it may read them, by `ARGV` or `getline`. */
  readonly paths: readonly string[];
  /** It reads the environment. */
  readonly readsEnvironment: boolean;
}

/** The programs among its words: the values of `-e`, otherwise the first operand. */
export function awkSources({ operands, options }: Pick<ProgramUse, "operands" | "options">): string[] {
  const sources = options.filter(({ name }) => /^(-e|--source)$/.test(name)).flatMap(({ value }) => value?.text ?? []);
  return sources.length > 0 ? sources : operands.slice(0, 1).map(({ text }) => text);
}

const HARMLESS_TARGET = /^\/dev\/(null|stdout|stderr|fd\/[12])$/;

/**
 * Parses the program token by token. Text in strings and regular expressions is not mistaken for code, and a `>` in
 * parentheses is a comparison.
 */
export function readAwkScript(source: string): AwkScript {
  let runsCommands = false;
  let runsText = false;
  let writesFiles = false;
  const targets = new Set<string>();
  const paths = new Set<string>();
  /** Without a slash, they count as file names only if the program opens files. */
  const words = new Set<string>();
  let setsFiles = false;
  let readsEnvironment = false;
  let isPrinting = false;
  let depth = 0;
  let before = "";
  for (let at = 0; at < source.length; ) {
    const char = source[at] ?? "";
    if (char === '"') {
      const end = skipQuoted(source, at + 1, '"');
      const text = source.slice(at + 1, end - 1);
      if (/^[^\s\\]*\/[^\s\\]*$/.test(text)) paths.add(text);
      else if (/^[^\s\\]+$/.test(text)) words.add(text);
      at = end;
      before = '"';
    } else if (char === "#") {
      const end = source.indexOf("\n", at);
      at = end < 0 ? source.length : end;
    } else if (char === "/" && !/[\w)\]"$.]/.test(before)) {
      at = skipQuoted(source, at + 1, "/");
      before = "/";
    } else if (/[A-Za-z_]/.test(char)) {
      const word = /^\w+/.exec(source.slice(at, at + 64))?.[0] ?? char;
      if (word === "print" || word === "printf") {
        isPrinting = true;
        depth = 0;
      } else if (word === "system") {
        runsCommands = true;
        runsText ||= !/^system\s*\(\s*"[^"\\]*"\s*\)/.test(source.slice(at, at + 4_096));
      } else if (word === "getline") {
        // `getline` from a pipe runs a command, which the `|` already shows. From a file, it reads the file.
        const file = /^getline(?:\s+\w+(?:\[[^\]\n]*\])?)?\s*<\s*("(?:[^"\\]*)"(?=\s*[;)}\n]|$))?/.exec(
          source.slice(at, at + 300),
        );
        if (file?.[1] !== undefined) paths.add(file[1].slice(1, -1));
        else if (file !== null) runsCommands = true;
      } else if (word === "ARGV") setsFiles = true;
      else if (word === "ENVIRON" || word === "PROCINFO") readsEnvironment = true;
      at += word.length;
      before = "w";
    } else {
      if (char === "@") runsCommands = true;
      if (char === "(" || char === "[") depth += 1;
      if (char === ")" || char === "]") depth -= 1;
      if (/[;{}\n]/.test(char)) isPrinting = false;
      if (char === "|") {
        if (source[at + 1] === "|") at += 1;
        else {
          runsCommands = true;
          const command = /^\|\s*"([^"\\]*)"\s*(?=[;}\n]|$)/.exec(source.slice(at, at + 200))?.[1];
          // A command before `getline` gets no text.
          if (isPrinting && (command === undefined || readsCode(command))) runsText = true;
        }
      } else if (char === ">" && isPrinting && depth <= 0) {
        const target = /^>{1,2}\s*"([^"\\]*)"\s*(?=[;}\n]|$)/.exec(source.slice(at, at + 200))?.[1];
        if (target === undefined || !HARMLESS_TARGET.test(target)) writesFiles = true;
        const begun = target ?? /^>{1,2}\s*"([^"\\]*)"/.exec(source.slice(at, at + 4_096))?.[1];
        if (begun !== undefined && begun !== "") targets.add(begun);
        isPrinting = false;
      }
      if (!/\s/.test(char)) before = char;
      at += 1;
    }
  }
  return {
    runsCommands,
    runsText,
    writesFiles,
    targets: [...targets],
    paths: [...paths, ...(setsFiles ? words : [])],
    readsEnvironment,
  };
}

/** Whether the first program is one that takes its input as code. */
function readsCode(command: string): boolean {
  const [program = ""] = command.trim().split(/\s+/);
  const name = program.slice(program.lastIndexOf("/") + 1);
  return CODE_READERS.has(name.replace(/[\d.]+$/, ""));
}

const CODE_READERS: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh mksh ash csh tcsh fish python perl ruby node php lua xargs parallel sudo env at batch ssh psql mysql sqlite redis-cli".split(
    " ",
  ),
);

function skipQuoted(source: string, from: number, quote: string): number {
  let at = from;
  while (at < source.length && source[at] !== quote && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}
