import { field, type Stream, stream, TAINT } from "../state/values.ts";
import { expandBraces } from "../words/braces.ts";
import type { Shell } from "./shell.ts";
import { readTranslated } from "./translate.ts";

/** PowerShell's names for commands that the rules know by another name. */
const SAME_AS: Readonly<Record<string, readonly string[]>> = {
  "remove-item": ["rm", "-r"],
  ri: ["rm", "-r"],
  rd: ["rm", "-r"],
  rmdir: ["rm", "-r"],
  del: ["rm"],
  erase: ["rm"],
  "clear-disk": ["wipefs"],
  "clear-content": ["truncate", "-s0"],
  "format-volume": ["mkfs"],
  "initialize-disk": ["mkfs"],
  "stop-computer": ["shutdown"],
  "restart-computer": ["reboot"],
  "stop-process": ["kill"],
  spps: ["kill"],
  "invoke-expression": ["eval"],
  iex: ["eval"],
  "invoke-webrequest": ["curl"],
  iwr: ["curl"],
  "invoke-restmethod": ["curl"],
  irm: ["curl"],
  "start-bitstransfer": ["curl", "-O"],
  "get-childitem": ["ls"],
  gci: ["ls"],
  "get-content": ["cat"],
  gc: ["cat"],
  type: ["cat"],
  "set-content": ["tee"],
  "add-content": ["tee", "-a"],
  "out-file": ["tee"],
  "copy-item": ["cp", "-r"],
  cpi: ["cp", "-r"],
  "move-item": ["mv"],
  mi: ["mv"],
  "start-process": [],
  saps: [],
  start: [],
};

/** Prefixes that do not change a command. */
const IN_FRONT = /^(?:and|or|not|begin|if|else|while|then|do|time|command|builtin|exec|&|\.|!|noglob|nocorrect)$/;

const FETCHES = /\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient)\b/i;

/** Words that exist only in PowerShell. */
const EVALUATES = /\b(?:iex|invoke-expression)\b|\[scriptblock\]::create/i;

const MAX_COMMANDS = 200;

/**
 * Splits at separators outside quotes and runs each piece as one simple command, and the contents of brackets as well.
 * This is only an approximation, so the note makes sure that a person is asked.
 */
export function readForeignShell(shell: Shell, text: string, stdin: Stream): void {
  shell.note("other-shell", shell.context.shell);
  let left = MAX_COMMANDS;
  const texts = [text, ...bracketed(text)];
  for (const pipeline of texts.flatMap((one) => splitOutsideQuotes(one, /^(?:;|\n|&&|\|\||&(?!>)|\band\b|\bor\b)/))) {
    if (EVALUATES.test(pipeline) && FETCHES.test(pipeline))
      shell.note("tainted-code", "a downloaded script", TAINT.network);
    shell.under({ isInPipeline: true }, () => {
      splitOutsideQuotes(pipeline, /^\|/).reduce((input, piece, at) => {
        left -= 1;
        return left < 0 ? stream(null) : runPiece(shell, piece, input, at > 0);
      }, stdin);
    });
  }
  if (left < 0) shell.note("too-complex", "more commands than can be tried");
  readTranslated(shell, text, stdin);
}

function runPiece(shell: Shell, piece: string, input: Stream, isFed: boolean): Stream {
  const words = splitWords(withoutStrayBrackets(piece));
  while (words[0] !== undefined && IN_FRONT.test(words[0])) words.shift();
  const first = words[0]?.toLowerCase() ?? "";
  const same = SAME_AS[first] ?? words.slice(0, 1);
  const expanded = words.slice(1).flatMap((word) => (/[{}]/.test(word) ? expandBraces(word) : [word]));
  const argv = [...same, ...expanded].map((word) => expandHome(word, shell));
  // A command that runs text or deletes files takes its input as arguments.
  const isEval = argv[0] === "eval" || argv[0] === "source" || argv[0] === ".";
  if (isEval && FETCHES.test(piece)) shell.note("tainted-code", first, TAINT.network);
  if (isFed && isEval && argv.length === 1)
    return shell.runArgv([field("bash")], { stdin: input, env: new Map(), effects: [] });
  const fed = isFed && input.listing !== null && argv[0] === "rm" ? ["xargs", ...argv] : argv;
  return shell.runArgv(
    fed.map((word) => field(word)),
    { stdin: input, env: new Map(), effects: [] },
  );
}

/** A piece that was cut out of a group may contain one of its brackets. */
function withoutStrayBrackets(piece: string): string {
  const opened = piece.match(/[({]/g)?.length ?? 0;
  const closed = piece.match(/[)}]/g)?.length ?? 0;
  if (opened > closed) return piece.replace(/^[\s({]+/, "");
  return closed > opened ? piece.replace(/[\s)}]+$/, "") : piece.trim().replace(/^[({](.*)[)}]$/s, "$1");
}

/** The contents of round brackets, and of double quotes within them: substitutions of fish and PowerShell. */
function bracketed(text: string): string[] {
  const found: string[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length && found.length < MAX_COMMANDS; at += 1) {
    if (text[at] === "(" || text[at] === "{") open.push(at + 1);
    else if (text[at] === ")" || text[at] === "}") {
      const start = open.pop();
      if (start !== undefined && at > start) found.push(text.slice(start, at));
    }
  }
  return found;
}

function expandHome(word: string, shell: Shell): string {
  const { home } = shell.context;
  const expanded = word.replace(/^~(?=[/\\]|$)/, home).replace(/^\$(?:env:)?\{?(?:HOME|USERPROFILE)\}?/i, home);
  return /^[A-Za-z]:[\\/]?\*?$/.test(expanded)
    ? "/"
    : expanded.replace(/^-(?:r|re\w*|fo\w*)$/i, (flag) => (/^-r/i.test(flag) ? "-r" : "-f"));
}

function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const pieces: string[] = [];
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if (/[;\n&|ao]/.test(char)) {
      const match = separator.exec(text.slice(at, at + 4));
      const isWord = /^[ao]/.test(match?.[0] ?? "") && /\S/.test(text[at - 1] ?? "");
      if (match === null || isWord) continue;
      pieces.push(text.slice(from, at));
      at += match[0].length - 1;
      from = at + 1;
    }
  }
  return [...pieces, text.slice(from)].filter((one) => one.trim() !== "");
}

function splitWords(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
