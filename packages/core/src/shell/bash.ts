import { MARKER_KINDS, markerPrefix } from "./markers.ts";
import type { HookOptions, ShellStart } from "./shells.ts";

/**
 * Bash with our hooks.
 *
 * PROMPT_COMMAND tells the exit code; the marker in PS1 says that the prompt is
 * really shown. Both are needed: of several lines pasted at once, bash runs
 * PROMPT_COMMAND after each, but shows the prompt only when it has run them all.
 * They also stand in for one another: whoever empties PROMPT_COMMAND leaves PS1,
 * which carries the exit code too, and a PS1 that was replaced is wrapped again by
 * PROMPT_COMMAND.
 */
export function startBash({ shellPath, rcDir, ...options }: HookOptions): ShellStart {
  return {
    argv: [shellPath, "--noprofile", "--rcfile", `${rcDir}/rc.bash`, "-i"],
    env: {},
    files: { "rc.bash": bashRc(options) },
  };
}

function bashRc({ nonce, isLogin, isAgents, historyFile }: Omit<HookOptions, "shellPath" | "rcDir">): string {
  const prefix = markerPrefix(nonce);
  return `${isLogin ? LOGIN_FILES : INTERACTIVE_FILES}
${historyFile === null ? "" : `HISTFILE='${historyFile}'`}
# bash 5.1 pastes in brackets by itself; older ones know how.
bind 'set enable-bracketed-paste on' 2>/dev/null
${isAgents ? AGENT_SETTINGS : ""}
__belay_control='\\[\\e${prefix}${MARKER_KINDS.prompt};$?;\${PWD//[[:cntrl:]]/?}\\a\\]'
__belay_more='\\[\\e${prefix}${MARKER_KINDS.continuation}\\a\\]'
__belay_start='\\e${prefix}${MARKER_KINDS.started}\\a'
__belay_ended() {
  local status=$?
  builtin printf '\\e${prefix}${MARKER_KINDS.ended};%s;%s\\a' "$status" "\${PWD//[[:cntrl:]]/?}"
  # A failing hook would end a shell that runs with set -e.
  [[ $- == *e* ]] || return "$status"
}
__belay_wrap() {
  local status=$?
  [[ \${PS1-} == *"$__belay_control"* ]] || PS1=$__belay_control\${PS1-}
  [[ \${PS2-} == *"$__belay_more"* ]] || PS2=$__belay_more\${PS2-}
  [[ \${PS0-} == *"$__belay_start"* ]] || PS0=$__belay_start\${PS0-}
  [[ $- == *e* ]] || return "$status"
}
# Behind a redirection, or "set -x" would trace them.
__belay_user_prompt_command=$(IFS=$'\\n'; builtin printf '%s' "\${PROMPT_COMMAND[*]-}")
unset PROMPT_COMMAND
PROMPT_COMMAND=$'{ __belay_ended; } 2>/dev/null\\n'\${__belay_user_prompt_command}$'\\n{ __belay_wrap; } 2>/dev/null'
unset __belay_user_prompt_command
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
