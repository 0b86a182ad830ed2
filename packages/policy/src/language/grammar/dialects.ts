import { baseName } from "../words/paths.ts";

/**
 * `posix` is a plain `sh`, which may be dash or bash; where they differ, both readings count. `other` is a shell with a
 * different grammar.
 */
export type Dialect = "bash" | "posix" | "zsh" | "fish" | "other";

/** The grammar of a shell, by its name or path. */
export function dialectOf(shell: string): Dialect {
  const name = baseName(shell.replaceAll("\\", "/")).replace(/^-/, "").toLowerCase();
  if (/^(r?bash)(\.exe)?$/.test(name)) return "bash";
  if (/^zsh/.test(name)) return "zsh";
  if (/^fish/.test(name)) return "fish";
  if (/^(sh|dash|ash|ksh|ksh93|mksh|lksh|oksh|posh|yash|busybox|toybox)$/.test(name)) return "posix";
  return /^(pwsh|powershell|cmd|csh|tcsh|nu|elvish|xonsh|rc|es|ion|murex|oil|ysh)(-preview)?(\.exe)?$/.test(name)
    ? "other"
    : "bash";
}

/** Syntax that only zsh understands, or understands differently, outside quotes. */
const ZSH_SYNTAX: readonly RegExp[] = [
  // `${(e)x}`, `${${x}}`, `${=x}`, `$~x`: flags and nested expansions
  /\$\{[(~=^+$]|\$[~=^+](?=[A-Za-z_{])/,
  // `$a[1]`: a subscript without braces
  /\$[A-Za-z_]\w*\[/,
  // `*(e:'cmd':)`, `x(.)`, `<->(#q…)`: glob qualifiers run code
  /[^\s;|&()<>$=`{]\((?!\))/,
  // `=cmd`, `=(cmd)` and `<=(cmd)`
  /(?:^|[\s;|&(])=[A-Za-z_/(]|[<>]=\(/,
  // `{ls}`: a group, where bash would see a word
  /(?:^|[;|&()\n`]|\b(?:then|do|else|elif|if|while|until|time|always)\s|[!{]\s)\s*\{[^\s}]/,
  // `repeat 3 {ls}`, `function f {ls}`: the same behind a word, unless it is a list such as `{a,b}` or `{1..3}`
  /\s\{(?![^\s{}]*(?:,|\.\.)[^\s{}]*\})[^\s}]/,
  // `~[name]`: expanded by a shell function
  /~\[/,
  // `>! file`, `cmd &| cmd`
  />>?[!|]!?|&>[!|]|&[!|]/,
  // `rm ^x`, `*~y`, `x#`, `(#i)x`: extended wildcards
  /(?:^|[\s/])\^\S|\*\S*~[^\s/]|\(#/,
];

/** Whether zsh reads something in a text differently. */
export function hasZshSyntax(text: string): boolean {
  if (!/[$(=!^~#|{]/.test(text)) return false;
  const active = withoutQuoted(text);
  return ZSH_SYNTAX.some((syntax) => syntax.test(active));
}

/**
 * The text with quoted parts blanked out. Expansions in double quotes stay, and a substitution in them is code again,
 * with quotes of its own.
 */
function withoutQuoted(text: string): string {
  // In `case x)` the bracket closes nothing, so bracket counting cannot find the end of a substitution.
  const findsEnds = !/\bcase\b/.test(text);
  const quotes: Quoting[] = [{ isDouble: false, depth: 0 }];
  let active = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const inner = quotes.at(-1) ?? { isDouble: false, depth: 0 };
    if (char === "\\") {
      active += "__";
      at += 1;
    } else if (char === "'" && !inner.isDouble) {
      const end = text.indexOf("'", at + 1);
      const stop = end < 0 ? text.length : end;
      active += "_".repeat(stop - at + 1);
      at = stop;
    } else if (char === '"') {
      if (inner.isDouble) quotes.pop();
      else quotes.push({ isDouble: true, depth: 0 });
      active += "_";
    } else if (inner.isDouble && text.startsWith("$(", at)) {
      quotes.push({ isDouble: false, depth: 0 });
      active += "$(";
      at += 1;
    } else if (inner.isDouble && /[({=^~#<>&|!*]/.test(char) && !/[${]/.test(text.charAt(at - 1))) active += "_";
    else {
      if (!inner.isDouble && char === "(") inner.depth += 1;
      if (!inner.isDouble && char === ")" && findsEnds) {
        if (inner.depth > 0) inner.depth -= 1;
        else if (quotes.length > 1) quotes.pop();
      }
      active += char;
    }
  }
  return active;
}

/** A state of the scanner: inside double quotes, or inside a substitution with this many open brackets. */
interface Quoting {
  readonly isDouble: boolean;
  depth: number;
}

/** Words that start a fish command and have another meaning, or none, in other shells. */
const FISH_WORDS = new Set(
  (
    "abbr alias and argparse begin bg bind block break builtin case command commandline complete contains continue count disown else emit end eval exec fg for funced funcsave " +
    "function functions history if isatty math nextd not or path prevd random read return set set_color source status string suspend switch test time trap while ."
  ).split(" "),
);

/** Whether fish reads a text as bash does: plain words, pipes, lists and redirections. */
export function isPlainFish(text: string): boolean {
  if (!/^[\w\s./:,@+'"|&;<>~*=-]*$/.test(text)) return false;
  return text.split(/&&|\|\||[;|&\n]/).every((command) => {
    const first = command.trim().split(/\s+/)[0] ?? "";
    return !FISH_WORDS.has(first.replace(/['"]/g, "")) && !/^fish_/.test(first) && !first.includes("=");
  });
}
