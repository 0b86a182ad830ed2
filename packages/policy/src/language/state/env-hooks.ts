import { isSecretPath } from "../../dangers/paths/secret-paths.ts";
import { isRemoteDatabase } from "../../programs/production.ts";
import type { Shell } from "../grammar/shell.ts";
import { isInside } from "../words/paths.ts";
import { couldLoadCode } from "./harmless-variables.ts";
import { type Field, field, isKnown, NO_INPUT } from "./values.ts";

/** Variables whose value a program runs as a command. */
const COMMAND_VARIABLES = new Set(
  (
    "PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER AWS_PAGER BAT_PAGER PSQL_PAGER DELTA_PAGER GH_PAGER GLAB_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR " +
    "SUDO_EDITOR SUDO_ASKPASS GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS BROWSER MANOPT LESSOPEN LESSCLOSE LESSEDIT " +
    "PROMPT_COMMAND RSYNC_RSH CVS_RSH SVN_SSH SVN_EDITOR HGEDITOR KUBE_EDITOR PSQL_EDITOR FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND FZF_DEFAULT_OPTS SHELL GIT_EXEC_PATH GIT_TEMPLATE_DIR " +
    "MAKESHELL CC CXX LD AR AS RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTDOC M4 PKG_CONFIG TEXEDIT FCEDIT HISTTIMEFORMAT COMMAND_NOT_FOUND_HANDLE NULLCMD READNULLCMD ZLE_REMOVE_SUFFIX_CHARS"
  ).split(" "),
);

/** Prompt variables. They are not commands, but substitutions in them run. */
const PROMPT_VARIABLES = new Set(
  "PS0 PS1 PS2 PS3 PS4 PROMPT PROMPT2 PROMPT3 PROMPT4 RPROMPT RPS1 RPS2 SPROMPT".split(" "),
);

/** Lists of functions that zsh calls automatically. */
const HOOK_LISTS = /^(?:precmd|preexec|chpwd|periodic|zshexit|zshaddhistory|zsh_directory_name)_functions$|^watch$/;

/** Lists of folders in zsh, which other shells spell in capitals. */
const ZSH_LISTS: ReadonlySet<string> = new Set(["path", "fpath", "cdpath", "manpath", "module_path"]);

/**
 * Variables that a shell runs or prints around every command. Belay's markers are in them, so they must be neither set
 * nor removed.
 */
export function isPromptHook(name: string): boolean {
  return name === "PROMPT_COMMAND" || PROMPT_VARIABLES.has(name) || HOOK_LISTS.test(name);
}

/** Belay's own variables: the gateway's settings, and the names that its shell hooks use. */
export function isOwnName(name: string): boolean {
  return /^(?:__belay|BELAY_)/i.test(name);
}

/**
 * Variables set for a command or for the shell. A value that a program will run is judged as
 * a command; one that changes where code comes from needs a person.
 */
export function judgeEnvironment(
  shell: Shell,
  env: ReadonlyMap<string, Field>,
  { isExported = true }: { isExported?: boolean } = {},
): void {
  const { workspace, projectFolders, home } = shell.context;
  const place = { cwd: shell.state.cwd, projects: [workspace, ...projectFolders], home };
  for (const [name, value] of env) {
    if (isOwnName(name)) shell.note("own-name", name);
    else if (!isKnown(name)) shell.note("startup-variable", "a variable whose name is not known", value.taint);
    else if (name.startsWith("BASH_FUNC_")) {
      shell.note("startup-variable", name);
      runHook(shell, field(`f ${value.text}; f`, value.taint), name);
    } else if (PROMPT_VARIABLES.has(name)) {
      if (/[$`]/.test(value.text)) runHook(shell, field(`: "${value.text.replaceAll('"', '\\"')}"`, value.taint), name);
      shell.note("hook-defined", name, value.taint);
    } else if (COMMAND_VARIABLES.has(name) || HOOK_LISTS.test(name)) {
      // Plain readers are harmless: `PAGER=cat` only disables paging. An empty hook still replaces the previous one.
      if (!isPromptHook(name) && /^(cat|less|more|true|:|less -[A-Za-z]+|)$/.test(value.text)) continue;
      if (/^(CC|CXX)$/.test(name) && /^(gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(-\d+)?$/.test(value.text)) continue;
      shell.note("hook-defined", name, value.taint);
      runHook(shell, field(value.text.replace(/^\|+-?/, ""), value.taint), name);
    } else if (ZSH_LISTS.has(name) && shell.state.dialect !== "zsh" && !isExported) {
      // `for path in src/*`: only zsh takes this for the folders of programs.
    } else if (couldLoadCode(name, value.text, place, isExported)) {
      shell.note("startup-variable", name, value.taint);
      if (/^(BASH_ENV|ENV|PERL5OPT|PYTHONSTARTUP)$/.test(name) && value.text.startsWith("$("))
        runHook(shell, value, name);
    } else if (isExported && isRemoteDatabase(value.text)) shell.note("remote-database", name, value.taint);
    else if (isExported && namesPrivateFile(value.text, home)) shell.note("startup-variable", name, value.taint);
  }
}

/** `X_HISTFILE=/home/me/.bashrc`: whatever the variable is for, its file may be read and written. */
function namesPrivateFile(value: string, home: string): boolean {
  if (!value.includes("/")) return false;
  return value.split(/[=:,;\s]/).some((part) => {
    const path = part.startsWith("~/") ? home + part.slice(1) : part;
    if (!path.startsWith("/")) return false;
    return isSecretPath(path, home) || (isInside(path, home) && STARTUP_FILE.test(path.slice(home.length)));
  });
}

/** Files of a home that shells and other programs run or follow when they start. */
const STARTUP_FILE = /^\/+\.(?:\w*rc|\w*profile|bash_\w+|z\w+|gitconfig|tmux\.conf|inputrc)$/;

function runHook(shell: Shell, code: Field, name: string): void {
  shell.inSubshell(() => shell.runText(code, NO_INPUT, name));
}
