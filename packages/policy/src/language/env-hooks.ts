import type { Shell } from "./shell.ts";
import { type Field, field, NO_INPUT } from "./values.ts";

/** Variables whose value some program runs as a command. */
const COMMAND_VARIABLES = new Set(
  (
    "PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER AWS_PAGER BAT_PAGER PSQL_PAGER DELTA_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR " +
    "SUDO_EDITOR SUDO_ASKPASS GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS BROWSER MANOPT LESSOPEN LESSCLOSE " +
    "PROMPT_COMMAND RSYNC_RSH CVS_RSH SVN_SSH FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND SHELL GIT_EXEC_PATH GIT_TEMPLATE_DIR " +
    "MAKESHELL CC CXX RUSTC_WRAPPER TEXEDIT FCEDIT HISTTIMEFORMAT COMMAND_NOT_FOUND_HANDLE"
  ).split(" "),
);

/** Prompts: not commands, but the substitutions in them run. */
const PROMPT_VARIABLES = new Set("PS0 PS1 PS2 PS3 PS4 PROMPT RPROMPT".split(" "));

/** Variables that make programs load code or look for it elsewhere. */
const LOADING_VARIABLE =
  /^(PATH|LD_.+|DYLD_.+|BASH_ENV|ENV|ZDOTDIR|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|PERL5LIB|PERL5OPT|PERL5DB|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|LUA_PATH|LUA_CPATH|GCONV_PATH|TAR_OPTIONS|MAKEFLAGS|GIT_CONFIG.*|GIT_DIR|GIT_WORK_TREE|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|CDPATH|GLOBIGNORE|INPUTRC|npm_config_.*|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|GOFLAGS|RUSTFLAGS|CMAKE_.*|LESSKEY.*|HISTFILE|HISTCONTROL|TERMINFO|HOME)$/;

/** Whether programs find or load their code by this variable. */
export function isLoadingVariable(name: string): boolean {
  return LOADING_VARIABLE.test(name);
}

/**
 * Variables set for a command or for the shell. A value that some program will run is judged as
 * the command it is; one that changes where code comes from is a matter for a person.
 */
export function judgeEnvironment(shell: Shell, env: ReadonlyMap<string, Field>): void {
  for (const [name, value] of env) {
    if (name.startsWith("BASH_FUNC_")) {
      shell.note("startup-variable", name);
      runHook(shell, field(`f ${value.text}; f`, value.taint), name);
    } else if (PROMPT_VARIABLES.has(name)) {
      if (/[$`]/.test(value.text)) runHook(shell, field(`: "${value.text.replaceAll('"', '\\"')}"`, value.taint), name);
      shell.note("hook-defined", name, value.taint);
    } else if (COMMAND_VARIABLES.has(name)) {
      // Plain readers change nothing: PAGER=cat is how one gets output without a pager.
      if (/^(cat|less|more|true|:|less -[A-Za-z]+|)$/.test(value.text)) continue;
      shell.note("hook-defined", name, value.taint);
      runHook(shell, field(value.text.replace(/^\|+-?/, ""), value.taint), name);
    } else if (LOADING_VARIABLE.test(name)) {
      shell.note("startup-variable", name, value.taint);
      if (/^(BASH_ENV|ENV|PERL5OPT|PYTHONSTARTUP)$/.test(name) && value.text.startsWith("$("))
        runHook(shell, value, name);
    }
  }
}

function runHook(shell: Shell, code: Field, name: string): void {
  shell.inSubshell(() => shell.runText(code, NO_INPUT, name));
}
