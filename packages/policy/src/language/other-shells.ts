import { baseName } from "./paths.ts";
import type { Shell } from "./shell.ts";
import { field, type Stream } from "./values.ts";

/** PowerShell and fish have a grammar of their own; this package reads only the shape of their commands. */
export function isForeignShell(shell: string): boolean {
  return /^(fish|pwsh|powershell|cmd|csh|tcsh|nu|elvish|xonsh)(\.exe)?$/i.test(baseName(shell.replaceAll("\\", "/")));
}

/** PowerShell's own names for what the rules know under another. */
const SAME_AS: Readonly<Record<string, readonly string[]>> = {
  "remove-item": ["rm", "-r"],
  ri: ["rm", "-r"],
  rd: ["rm", "-r"],
  del: ["rm"],
  erase: ["rm"],
  "clear-disk": ["wipefs"],
  "format-volume": ["mkfs"],
  "stop-computer": ["shutdown"],
  "restart-computer": ["reboot"],
  "invoke-expression": ["eval"],
  iex: ["eval"],
  "invoke-webrequest": ["curl"],
  iwr: ["curl"],
  "invoke-restmethod": ["curl"],
  irm: ["curl"],
};

/**
 * Splits at separators outside quotes and runs each piece as one simple command.
 * Never more permissive than `unknown`: the note makes sure that a person is asked.
 */
export function readForeignShell(shell: Shell, text: string, stdin: Stream): void {
  shell.note("other-shell", shell.context.shell);
  for (const pipeline of splitOutsideQuotes(text, /^(?:;|\n|&&|\|\||&)/)) {
    shell.under({ isInPipeline: true }, () => {
      splitOutsideQuotes(pipeline, /^\|/).reduce((input, piece) => {
        const words = splitWords(piece.replace(/^[\s({]+|[\s)}]+$/g, ""));
        const first = words[0]?.toLowerCase() ?? "";
        const argv = [...(SAME_AS[first] ?? words.slice(0, 1)), ...words.slice(1)];
        return shell.runArgv(
          argv.map((word) => field(expandHome(word, shell))),
          { stdin: input, env: new Map(), effects: [] },
        );
      }, stdin);
    });
  }
}

function expandHome(word: string, shell: Shell): string {
  const { home } = shell.context;
  const expanded = word.replace(/^~(?=[/\\]|$)/, home).replace(/^\$(?:env:)?(?:HOME|USERPROFILE)/i, home);
  return /^[A-Za-z]:[\\/]?\*?$/.test(expanded) ? "/" : expanded.replace(/^-(Recurse|Force)$/i, "-rf");
}

function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const pieces: string[] = [];
  let quote = "";
  let piece = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else {
      const match = separator.exec(text.slice(at, at + 2));
      if (match) {
        pieces.push(piece);
        piece = "";
        at += match[0].length - 1;
        continue;
      }
    }
    piece += char;
  }
  return [...pieces, piece].filter((one) => one.trim() !== "");
}

function splitWords(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
