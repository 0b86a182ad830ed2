import type { HookOptions, ShellStart } from "./hooks.ts";
import { MARKER_KINDS, markerPrefix } from "./markers.ts";
import { quote } from "./quote.ts";
import { posixStandIns } from "./stand-ins.ts";

/**
 * Zsh with our hooks.
 *
 * It reads its files from ZDOTDIR, so that points at ours while it starts. Each of
 * them reads the person's own with ZDOTDIR as the person had it, and the last one
 * leaves it that way. As in bash, `precmd` tells the exit code and the marker in the
 * prompt says that the prompt is shown.
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

function zshRc({ nonce, isAgents, historyFile, standIns }: HookOptions): string {
  const prefix = markerPrefix(nonce);
  return `[[ -n $__belay_zdotdir ]] && export ZDOTDIR=$__belay_zdotdir || unset ZDOTDIR
unset __belay_zdotdir
[[ -r \${ZDOTDIR:-$HOME}/.zshrc ]] && . "\${ZDOTDIR:-$HOME}/.zshrc"
${historyFile === null ? "" : `HISTFILE=${quote(historyFile)}`}
${isAgents ? AGENT_SETTINGS : ""}
${posixStandIns(standIns)}
__belay_shown=$'%{\\e${prefix}${MARKER_KINDS.prompt};'$$$';zsh;%?;%/\\a%}'
__belay_more=$'%{\\e${prefix}${MARKER_KINDS.continuation};'$$$'\\a%}'
# Behind redirections, or "set -x" would trace them.
__belay_started() { { builtin print -n "\\e${prefix}${MARKER_KINDS.started};$$\\a" } 2>/dev/null }
__belay_ended() { {
  builtin printf '\\e${prefix}${MARKER_KINDS.ended};%s;zsh;%s;%s\\a' "$$" "$?" "\${PWD//[[:cntrl:]]/?}"
  [[ -z $__belay_prompt_sp ]] || builtin print -n -- "\${(%)PROMPT_EOL_MARK-%B%S%#%s%b}\${(l:COLUMNS-1:: :)}\\r \\r"
} 2>/dev/null }
__belay_wrap() { {
  [[ $PS1 == *"$__belay_shown"* ]] || PS1=$__belay_shown$PS1
  [[ $PS2 == *"$__belay_more"* ]] || PS2=$__belay_more$PS2
  # Zsh marks a missing line end before it calls anybody. So that this is not taken for output, we do it after our marker.
  if [[ -o prompt_sp ]]; then __belay_prompt_sp=1; unsetopt prompt_sp; fi
} 2>/dev/null }
typeset -ga precmd_functions preexec_functions
precmd_functions=(__belay_ended $precmd_functions __belay_wrap)
preexec_functions+=(__belay_started)
`;
}

// What was judged is what runs: no history expansion, and comments are comments. A paste is not highlighted.
const AGENT_SETTINGS = `setopt no_bang_hist interactive_comments
zle_highlight+=(paste:none)`;
