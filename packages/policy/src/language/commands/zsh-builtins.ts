import type { Call, Handled, Shell } from "../grammar/shell.ts";
import { type Field, field, stream } from "../state/values.ts";

/** Prefixes that only change how the next command is parsed. */
const MODIFIERS = new Set(["noglob", "nocorrect", "-"]);

/** Builtins that change zsh itself, load code into it, or run text. */
const BUILTINS = new Set(
  (
    "autoload zmodload zle bindkey zpty sched vared print pushln emulate setopt unsetopt unhash disable enable whence compdef compctl zstyle zparseopts zformat zregexparse " +
    "zcompile add-zsh-hook add-zle-hook-widget sysopen syswrite sysread zsystem ztcp zsocket zselect zprof functions foreach repeat coproc limit unlimit rehash where echotc echoti " +
    "fc r zmv zcp zln zargs zcalc private integer float chpwd precmd preexec"
  ).split(" "),
);

/**
 * Runs a builtin of zsh, which may run its arguments. Every word that could be a command is judged, and a person
 * decides about the rest.
 */
export function runZshBuiltin(shell: Shell, name: string, args: readonly Field[], call: Call): Handled | null {
  if (shell.state.dialect !== "zsh") return null;
  const [first, ...rest] = args;
  if (MODIFIERS.has(name)) {
    if (first === undefined) return null;
    return { output: shell.runArgv(args, { ...call, effects: [] }), isTransparent: true };
  }
  const plain = /^zf_(\w+)$/.exec(name)?.[1];
  if (plain !== undefined) {
    shell.note("other-shell", name);
    return { output: shell.runArgv([field(plain), ...args], { ...call, effects: [] }), isTransparent: true };
  }
  if (!BUILTINS.has(name)) return null;
  if (name === "print" && !args.some(({ text }) => /^-\w*[PzsSvfCRDec]/.test(text))) return null;
  shell.note("other-shell", name);
  shell.inSubshell(() => {
    // `repeat 3 cmd`, `zpty name cmd`, `sched +1 cmd`; and a whole command as one word: `emulate sh -c '…'`.
    shell.runArgv(rest, { ...call, effects: [] });
    for (const { text, taint } of args) {
      const isCode = /\s|\$\(|`/.test(text);
      if (isCode)
        shell.runText(
          field(/[$`]/.test(text) ? `: "${text.replaceAll('"', "")}"\n${text}` : text, taint),
          stream(""),
          name,
        );
    }
  });
  return { output: stream(null), isTransparent: false };
}

/** Tables of zsh through which a name gets another meaning. */
const MEANING_TABLES =
  /^(?:dis_)?(?:functions|aliases|galiases|saliases|commands|nameddirs|options|widgets|keymaps|builtins|parameters)$/;

/** `functions[ls]='…'` defines a function, `aliases[ls]=…` an alias; so does `BASH_ALIASES[ls]=…` in bash. */
export function judgeTableEntry(shell: Shell, name: string, value: Field): void {
  if (/^BASH_(?:ALIASES|CMDS)$/.test(name)) {
    shell.note("hook-defined", name, value.taint);
    if (name === "BASH_ALIASES") shell.inSubshell(() => shell.runText(value, stream(null), name));
    return;
  }
  if (shell.state.dialect !== "zsh" || !MEANING_TABLES.test(name)) return;
  shell.note("other-shell", name, value.taint);
  if (/functions|aliases/.test(name)) shell.inSubshell(() => shell.runText(value, stream(null), name));
}
