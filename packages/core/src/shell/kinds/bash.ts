import type { HookOptions, ShellStart } from "../hooks.ts";
import { MARKER_KINDS, markerPrefix } from "../markers.ts";
import { quote } from "../quote.ts";
import { posixShims } from "./shims.ts";

/**
 * Bash with our hooks.
 *
 * PROMPT_COMMAND puts the exit code into a marker in PS1, which the prompt prints. When several
 * lines are pasted at once, bash runs PROMPT_COMMAND after each, but prints the prompt only when it
 * has run them all. A digit that changes with every run tells a new prompt from a repainted one.
 *
 * An agent can assign any variable and define any function, even one named like a builtin. So
 * the hooks consist of readonly functions that use only keywords, patterns and their own arguments,
 * and nothing that they read is expanded a second time. In an agent's shell the prompt itself
 * expands nothing, and hooks from the person's own files are removed, because they call functions
 * that the agent could replace.
 */
export function startBash(options: HookOptions): ShellStart {
  return {
    argv: [options.shellPath, "--noprofile", "--rcfile", `${options.rcDir}/rc.bash`, "-i"],
    env: {},
    files: { "rc.bash": bashRc(options) },
  };
}

function bashRc({ nonce, isLogin, isAgents, historyFile, shims }: HookOptions): string {
  const prefix = markerPrefix(nonce);
  return `${isLogin ? LOGIN_FILES : INTERACTIVE_FILES}
${historyFile === null ? "" : `HISTFILE=${quote(historyFile)}`}
# bash 5.1 pastes in brackets by itself; older ones know how.
bind 'set enable-bracketed-paste on' 2>/dev/null
${isAgents ? AGENT_SETTINGS : ""}
${posixShims(shims)}
${hookFunctions(prefix, isAgents)}
PS0='\\e${prefix}${MARKER_KINDS.started};'$$'\\a'${isAgents ? "" : `\${PS0-}`}
${isAgents ? AGENT_HOOK : PERSON_HOOK}
`;
}

function hookFunctions(prefix: string, isAgents: boolean): string {
  const open = `\\[\\e${prefix}${MARKER_KINDS.prompt};`;
  const more = `\\[\\e${prefix}${MARKER_KINDS.continuation};`;
  const close = "\\a\\]";
  const turns = Array.from("0123456789", (turn, at) => `*';${turn}${close}'*) \\__belay_show "$1" ${(at + 1) % 10} ;;`);
  return `__belay_prompt() {
  if ! \\__belay_cannot_assign; then
    ${isAgents ? NO_CODE_IN_PROMPTS : ""}
    case \${PS1-} in
      ${turns.join("\n      ")}
      *'${open}'*) \\__belay_show "$1" 0 ;;
      # PS1 was set anew, so the last turn is not known.
      *) if [[ \${SECONDS-x} != *[!0-9]* ]]; then \\__belay_show "$1" "t$SECONDS"; else \\__belay_show "$1" t; fi ;;
    esac
  fi
}
# To read or assign a name reference evaluates what it refers to, and a number its text. Each since a version of bash
# that has a way to tell.
__belay_cannot_assign() { [[ 1 == 0 ]]; }
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
  eval '__belay_cannot_assign() {
    [[ -R PS1 || -R PS2 || \${PS1+\${PS1@a}}\${PS2+\${PS2@a}} == *[ir]* ]]
  }'
fi
__belay_show() {
  if [[ \${PS1-} == *'${open}'*'${close}'* ]]; then
    PS1='${open}'"$$;bash;$1;$2"'${close}'\${PS1%%'${open}'*}\${PS1#*'${open}'*'${close}'}
  else
    PS1='${open}'"$$;bash;$1;$2"'${close}'\${PS1-}
  fi
  if [[ \${PS2-} != *'${more}'* ]]; then
    PS2='${more}'$$'${close}'\${PS2-}
  fi
}
readonly -f __belay_prompt __belay_show __belay_cannot_assign
__belay_prompt 0`;
}

/**
 * What a prompt would execute if an agent turned "promptvars" on again: a dollar sign other than "\\$", a backtick, and
 * both as octal escapes.
 */
const NO_CODE_IN_PROMPTS = ["PS1", "PS2"]
  .map(
    (name) =>
      `case \${${name}-} in '$'*|*[!\\\\]'$'*|*'\\\\$'*|*'\`'*|*'\\44'*|*'\\044'*|*'\\140'*) ${name}='${name === "PS1" ? "\\u@\\h:\\w\\$ " : "+ "}' ;; esac`,
  )
  .join("\n    ");

// Behind a redirection, or "set -x" would trace it. The backslash bypasses aliases.
const CALL = (status: string) => `{ \\__belay_prompt "${status}"; } 2>/dev/null`;

const AGENT_HOOK = `unset PROMPT_COMMAND
PROMPT_COMMAND='${CALL("$?")}'
PS4='+ '
readonly PROMPT_COMMAND PS0 PS4`;

// The person's own prompt commands run in between and see the exit code, unless "set -e" would then end the shell.
const PERSON_HOOK = `__belay_keep() {
  __belay_status=$?
  [[ $- == *e* ]] || return "$__belay_status"
}
__belay_own=$(IFS=$'\\n'; builtin printf '%s' "\${PROMPT_COMMAND[*]-}")
unset PROMPT_COMMAND
PROMPT_COMMAND=$'{ __belay_keep; } 2>/dev/null\\n'$__belay_own$'\\n${CALL("$__belay_status").replaceAll("\\", "\\\\")}'
unset __belay_own`;

const INTERACTIVE_FILES = `[ -r ~/.bashrc ] && . ~/.bashrc`;

// The files that "bash --login" reads; with --login it would not read our own file, so our file reads these.
const LOGIN_FILES = `[ -r /etc/profile ] && . /etc/profile
if [ -r ~/.bash_profile ]; then . ~/.bash_profile
elif [ -r ~/.bash_login ]; then . ~/.bash_login
elif [ -r ~/.profile ]; then . ~/.profile
fi`;

// Only judged text may run: no history expansion, no code in prompts or traps. And pasted text is not highlighted.
const AGENT_SETTINGS = `set +H
shopt -u promptvars
trap - DEBUG ERR RETURN
bind 'set enable-active-region off' 2>/dev/null`;
