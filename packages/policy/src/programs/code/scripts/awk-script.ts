/** What an awk program does besides computing and printing. */
export interface AwkScript {
  /** It runs commands, or reads their output. */
  readonly runsCommands: boolean;
  /** It writes to files other than the terminal and /dev/null. */
  readonly writesFiles: boolean;
  /** Its literal output paths; a path may be longer than its literal part. */
  readonly targets: readonly string[];
  /** Strings that could be paths: it may read them, by `ARGV` or `getline`. */
  readonly paths: readonly string[];
  /** It reads the environment. */
  readonly readsEnvironment: boolean;
}

const HARMLESS_TARGET = /^\/dev\/(null|stdout|stderr|fd\/[12])$/;

/** Reads the program token by token: strings and regular expressions hide nothing, and a `>` in brackets is a comparison. */
export function readAwkScript(source: string): AwkScript {
  let runsCommands = false;
  let writesFiles = false;
  const targets = new Set<string>();
  const paths = new Set<string>();
  /** Without a slash they are names of files only if the program says what it reads. */
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
      } else if (word === "system") runsCommands = true;
      else if (word === "getline") {
        // From a pipe it runs a command, which the bar says; from a file it reads it.
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
        else runsCommands = true;
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
    writesFiles,
    targets: [...targets],
    paths: [...paths, ...(setsFiles ? words : [])],
    readsEnvironment,
  };
}

function skipQuoted(source: string, from: number, quote: string): number {
  let at = from;
  while (at < source.length && source[at] !== quote && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}
