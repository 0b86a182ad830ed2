import type { HookOptions, ShellStart } from "../hooks.ts";
import { MARKER_KINDS, markerPrefix } from "../markers.ts";
import { quote } from "../quote.ts";
import { posixShims } from "./shims.ts";

/**
 * Zsh with our hooks.
 *
 * It reads its files from ZDOTDIR, so that points to ours during start-up. Each of
 * ours reads the person's own with the person's ZDOTDIR, and the last one
 * restores it.
 *
 * The prompt carries a marker with the exit code. The start of a command is detected from the end of
 * bracketed paste, which the line editor turns off before it runs a line. So an agent's shell
 * needs no function of ours: zsh has no readonly functions, and the agent could replace them.
 */
export function startZsh(options: HookOptions): ShellStart {
  const { shellPath, rcDir, isLogin } = options;
  return {
    argv: [shellPath, ...(isLogin ? ["-l"] : []), "-i"],
    env: { ZDOTDIR: rcDir },
    files: {
      ".zshenv": readOwn(options, ".zshenv"),
      ".zprofile": readOwn(options, ".zprofile"),
      ".zshrc": zshRc(options),
    },
  };
}

function readOwn({ rcDir, env }: HookOptions, file: string): string {
  const restore =
    file === ".zshenv"
      ? `__belay_zdotdir=${quote(env.ZDOTDIR ?? "")}`
      : "# .zshenv may have moved the others, so what it left is remembered.";
  return `${restore}
[[ -n $__belay_zdotdir ]] && ZDOTDIR=$__belay_zdotdir || unset ZDOTDIR
[[ -r \${ZDOTDIR:-$HOME}/${file} ]] && . "\${ZDOTDIR:-$HOME}/${file}"
__belay_zdotdir=\${ZDOTDIR-}
ZDOTDIR=${quote(rcDir)}
`;
}

function zshRc({ nonce, isAgents, historyFile, shims }: HookOptions): string {
  const prefix = markerPrefix(nonce);
  // The time tells a new prompt from a repainted one.
  const shown = (kind: string) => `%{\\e${prefix}${kind};'$$$';zsh;%?;%D{%s%6.}\\a%}`;
  return `[[ -n $__belay_zdotdir ]] && export ZDOTDIR=$__belay_zdotdir || unset ZDOTDIR
unset __belay_zdotdir
[[ -r \${ZDOTDIR:-$HOME}/.zshrc ]] && . "\${ZDOTDIR:-$HOME}/.zshrc"
${historyFile === null ? "" : `HISTFILE=${quote(historyFile)}`}
# Zsh marks a missing line end before it shows the prompt, which would be taken for output.
unsetopt prompt_sp prompt_cr
${isAgents ? AGENT_SETTINGS : ""}
${posixShims(shims)}
PS1=$'${shown(MARKER_KINDS.prompt)}'$PS1
PS2=$'%{\\e${prefix}${MARKER_KINDS.continuation};'$$$'\\a%}'$PS2
${isAgents ? agentHook(shown(MARKER_KINDS.promptAgain)) : personHook(shown(MARKER_KINDS.prompt))}
`;
}

/** A second marker that cannot be reassigned, in case the agent has changed PS1. */
function agentHook(shown: string): string {
  return `typeset -gr RPS1=$'${shown}'`;
}

/** Prompts that are rebuilt for every command get the marker again. */
function personHook(shown: string): string {
  return `__belay_shown=$'${shown}'
__belay_wrap() { { [[ $PS1 == *"$__belay_shown"* ]] || PS1=$__belay_shown$PS1 } 2>/dev/null }
typeset -ga precmd_functions
precmd_functions+=(__belay_wrap)`;
}

// Only judged text may run: no history expansion, comments are comments, no code in prompts, and none of the
// functions that zsh or its line editor calls by itself, which the agent could replace. Pasted text is not highlighted.
const AGENT_SETTINGS = `setopt no_bang_hist hist_ignore_space interactive_comments no_prompt_subst no_prompt_bang
unset precmd_functions preexec_functions chpwd_functions periodic_functions zshexit_functions zshaddhistory_functions
unfunction precmd preexec chpwd periodic zshexit zshaddhistory 2>/dev/null
[[ $PS1 == *[\\$\\\`]* || -z $PS1 ]] && PS1='%n@%m %~ %# '
for __belay_widget in \${(k)widgets[(R)user:*]}; do
  zle -A .$__belay_widget $__belay_widget 2>/dev/null || zle -D $__belay_widget
done
unset __belay_widget
zle_highlight+=(paste:none)`;
