import type { HookOptions, ShellStart } from "./hooks.ts";
import { MARKER_KINDS, markerPrefix } from "./markers.ts";
import { quote } from "./quote.ts";
import { posixStandIns } from "./stand-ins.ts";

/**
 * Bash with our hooks.
 *
 * PROMPT_COMMAND tells the exit code; the marker in PS1 says that the prompt is
 * really shown. Both are needed: of several lines pasted at once, bash runs
 * PROMPT_COMMAND after each, but shows the prompt only when it has run them all.
 * They also stand in for one another: a PS1 that was replaced is wrapped again by
 * PROMPT_COMMAND, and a PROMPT_COMMAND that was emptied is filled again when PS1 is
 * shown, which carries the exit code too. (A subscript is expanded, assignment and
 * all, and what it then finds in an empty map is nothing.)
 */
export function startBash(options: HookOptions): ShellStart {
  return {
    argv: [options.shellPath, "--noprofile", "--rcfile", `${options.rcDir}/rc.bash`, "-i"],
    env: {},
    files: { "rc.bash": bashRc(options) },
  };
}

function bashRc({ nonce, isLogin, isAgents, historyFile, standIns }: HookOptions): string {
  const prefix = markerPrefix(nonce);
  const cwd = `\${PWD//[[:cntrl:]]/?}`;
  return `${isLogin ? LOGIN_FILES : INTERACTIVE_FILES}
${historyFile === null ? "" : `HISTFILE=${quote(historyFile)}`}
# bash 5.1 pastes in brackets by itself; older ones know how.
bind 'set enable-bracketed-paste on' 2>/dev/null
${isAgents ? AGENT_SETTINGS : ""}
${posixStandIns(standIns)}
declare -A __belay_none=()
__belay_shown='\\[\\e${prefix}${MARKER_KINDS.prompt};$$;bash;$?;${cwd}\\a\${__belay_none[\${PROMPT_COMMAND:=$__belay_hook}]-}\\]'
__belay_more='\\[\\e${prefix}${MARKER_KINDS.continuation};$$\\a\\]'
__belay_start='\\e${prefix}${MARKER_KINDS.started};$$\\a'
__belay_ended() {
  local status=$?
  builtin printf '\\e${prefix}${MARKER_KINDS.ended};%s;bash;%s;%s\\a' "$$" "$status" "${cwd}"
  # A failing hook would end a shell that runs with set -e.
  [[ $- == *e* ]] || return "$status"
}
__belay_wrap() {
  local status=$?
  [[ \${PS1-} == *"$__belay_shown"* ]] || PS1=$__belay_shown\${PS1-}
  [[ \${PS2-} == *"$__belay_more"* ]] || PS2=$__belay_more\${PS2-}
  [[ \${PS0-} == *"$__belay_start"* ]] || PS0=$__belay_start\${PS0-}
  [[ $- == *e* ]] || return "$status"
}
# Behind redirections, or "set -x" would trace them.
__belay_hook=$'{ __belay_ended; } 2>/dev/null\\n'$(IFS=$'\\n'; builtin printf '%s' "\${PROMPT_COMMAND[*]-}")$'\\n{ __belay_wrap; } 2>/dev/null'
unset PROMPT_COMMAND
PROMPT_COMMAND=$__belay_hook
`;
}

const INTERACTIVE_FILES = `[ -r ~/.bashrc ] && . ~/.bashrc`;

// What "bash --login" reads; it would not read our own file, so our file reads these.
const LOGIN_FILES = `[ -r /etc/profile ] && . /etc/profile
if [ -r ~/.bash_profile ]; then . ~/.bash_profile
elif [ -r ~/.bash_login ]; then . ~/.bash_login
elif [ -r ~/.profile ]; then . ~/.profile
fi`;

// What was judged is what runs: no history expansion. And a paste is not shown in inverse video.
const AGENT_SETTINGS = `set +H
bind 'set enable-active-region off' 2>/dev/null`;
