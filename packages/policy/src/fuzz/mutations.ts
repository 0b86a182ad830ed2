import { quoteWord } from "@belay/protocol";
import { parseCompoundCommand } from "../language/commands/compound.ts";
import { parseText } from "../language/grammar/parse.ts";

/** An equivalent spelling of a command; null if it does not apply. */
export interface Mutation {
  readonly name: string;
  apply(line: string): string | null;
}

/** The first word and the rest, for a line that is one plain command. */
function splitFirst(line: string): { first: string; rest: string } | null {
  const match = /^([a-z][a-z0-9_.-]*)(\s[\s\S]*)?$/.exec(line);
  if (match?.[1] === undefined || parseCompoundCommand(line).length !== 1 || KEYWORDS.test(match[1])) return null;
  return { first: match[1], rest: match[2] ?? "" };
}

/** Keywords, which lose their meaning in quotes, and builtins, which a wrapper program cannot start. */
const KEYWORDS =
  /^(if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|alias|unalias|export|declare|typeset|local|readonly|set|unset|shopt|source|eval|exec|trap|cd|pushd|popd|read|mapfile|readarray|printf|let|test|hash|bind|complete|compgen|enable|builtin|command|getopts|wait|shift|return|exit|break|continue|ulimit|umask|fc|history|true|false|echo|kill|type|noglob|nocorrect)$/;

const onFirst = (name: string, change: (first: string, rest: string) => string): Mutation => ({
  name,
  apply: (line) => {
    const parts = splitFirst(line);
    return parts === null ? null : change(parts.first, parts.rest);
  },
});
const around = (name: string, wrap: (line: string) => string): Mutation => ({ name, apply: wrap });
/** In a new shell `$1` is empty, and the keyboard may belong to another program. */
const inNewShell = (name: string, wrap: (line: string) => string | null): Mutation => ({
  name,
  apply: (line) => (/\$[{]?[@*#1-9]|\bread\b/.test(line) ? null : wrap(line)),
});

/** Quoting, wrapping, splitting and variables. In bash, the changed line does at least the same as the original. */
export const MUTATIONS: readonly Mutation[] = [
  onFirst("half in quotes", (first, rest) => `${first.slice(0, 1)}"${first.slice(1)}"${rest}`),
  onFirst("in single quotes", (first, rest) => `'${first}'${rest}`),
  onFirst("a backslash in front", (first, rest) => `\\${first}${rest}`),
  onFirst("as an escape", (first, rest) => `$'\\x${first.charCodeAt(0).toString(16)}'${first.slice(1)}${rest}`),
  onFirst(
    "an empty expansion in it",
    (first, rest) => `${first.slice(0, 1)}\${nothing_set_this+x}${first.slice(1)}${rest}`,
  ),
  onFirst("out of a variable", (first, rest) => `v=${first}; $v${rest}`),
  onFirst("out of two variables", (first, rest) => `v=${first.slice(0, 1)} w=${first.slice(1)}; $v$w${rest}`),
  onFirst("out of an array", (first, rest) => `v=(x ${first}); "\${v[1]}"${rest}`),
  onFirst("out of a substitution", (first, rest) => `$(echo ${first})${rest}`),
  onFirst("cut out of a value", (first, rest) => `v=xx${first}; \${v#xx}${rest}`),
  onFirst("replaced in a value", (first, rest) => `v=${first.slice(0, 1)}Q${first.slice(1)}; \${v/Q/}${rest}`),
  onFirst("as a default", (first, rest) => `\${nothing_set_this:-${first}}${rest}`),
  onFirst("by printf -v", (first, rest) => `printf -v v %s ${first}; $v${rest}`),
  onFirst("by read", (first, rest) => `read -r v <<< ${first}; $v${rest}`),
  onFirst("by a reference", (first, rest) => `v=${first}; declare -n r=v; $r${rest}`),
  onFirst("by a loop variable", (first, rest) => `for v in ${first}; do $v${rest}\ndone`),
  onFirst("by braces", (first, rest) => `{${first},}${rest}`),
  onFirst("by command", (first, rest) => `command ${first}${rest}`),
  onFirst("by env", (first, rest) => `env ${first}${rest}`),
  onFirst("by env with a setting", (first, rest) => `env LC_ALL=C ${first}${rest}`),
  onFirst("by nohup", (first, rest) => `nohup ${first}${rest}`),
  onFirst("by nice", (first, rest) => `nice -n 5 ${first}${rest}`),
  onFirst("by timeout", (first, rest) => `timeout 5 ${first}${rest}`),
  onFirst("by three wrappers", (first, rest) => `nice timeout 5 env ${first}${rest}`),
  onFirst("by exec in a subshell", (first, rest) => `(exec ${first}${rest}\n)`),
  onFirst("with a setting in front", (first, rest) => `LC_ALL=C ${first}${rest}`),
  onFirst("spaced out", (first, rest) => `  ${first}  ${rest}`),
  onFirst("over two lines", (first, rest) => `${first} \\\n${rest}`),
  onFirst("negated", (first, rest) => `! ${first}${rest}`),
  around("in a subshell", (line) => `( ${line}\n)`),
  around("in a group", (line) => `{ ${line}\n}`),
  around("behind &&", (line) => `true && { ${line}\n}`),
  around("behind ||", (line) => `false || { ${line}\n}`),
  around("in a branch", (line) => `if true; then ${line}\nfi`),
  around("in the other branch", (line) => `if false; then :; else ${line}\nfi`),
  around("in a case", (line) => `case a in a) ${line}\n;; esac`),
  around("in a loop", (line) => `for i in 1 2; do ${line}\ndone`),
  around("in a while", (line) => `while true; do ${line}\nbreak; done`),
  inNewShell("in a function", (line) => `f() { ${line}\n}; f`),
  around("in a substitution", (line) => `: $(${line}\n)`),
  around("in a quoted substitution", (line) => `echo "$(${line}\n)"`),
  around("in a process substitution", (line) => `cat <(${line}\n)`),
  around("in a test", (line) => `[[ -n $(${line}\n) ]]`),
  around("in a default", (line) => `: \${nothing_set_this:-$(${line}\n)}`),
  around("in arithmetic", (line) => `: $((0 + $(${line}\n)))`),
  around("in an array", (line) => `a=($(${line}\n))`),
  around("in a here-document", (line) => {
    const end = endOf(line);
    return `cat <<${end}\n$(${line}\n)\n${end}`;
  }),
  around("before something", (line) => `${line}\nls`),
  around("behind something", (line) => `ls\n${line}`),
  around("behind a comment", (line) => `# nothing to see\n${line}`),
  around("in the background", (line) => `{ ${line}\n} &`),
  around("beside a pipe", (line) => `{ ${line}\n} | cat`),
  around("by eval", (line) => `eval ${quoteWord(line)}`),
  around("by eval twice", (line) => `eval eval ${quoteWord(quoteWord(line))}`),
  inNewShell("by bash -c", (line) => `bash -c ${quoteWord(line)}`),
  inNewShell("by sh -c in env", (line) => `env bash -c ${quoteWord(line)}`),
  around("by a variable and eval", (line) => `v=${quoteWord(line)}; eval "$v"`),
  inNewShell("by a variable and bash", (line) => `v=${quoteWord(line)}; bash -c "$v"`),
  inNewShell("by a here-string", (line) => `bash <<< ${quoteWord(line)}`),
  around("by a trap", (line) => `trap ${quoteWord(line)} EXIT`),
  // `xargs` gives its command empty input, so a nested one would do nothing.
  inNewShell("by xargs", (line) =>
    /\b(?:xargs|parallel)\b/.test(line) ? null : `echo x | xargs -I@@ bash -c ${quoteWord(line)}`,
  ),
  inNewShell("by find", (line) => (line.includes("{}") ? null : `find . -exec bash -c ${quoteWord(line)} \\;`)),
];

/** A word that ends no here-document inside: the first line with it would end this one. */
function endOf(line: string): string {
  let end = "E";
  while (line.includes(end)) end += "E";
  return end;
}

/** Lines that mean the same in any context: complete, without history, and without `exit`. */
export function isMovable(line: string): boolean {
  if (!/^[ -~]+$/.test(line) || /!|<<|^\s*#|\\$|\bexit\b|\breturn\b/.test(line)) return false;
  return parseText(line).syntax === "complete" && !/(^|\s)#|&\s*$/.test(line);
}
