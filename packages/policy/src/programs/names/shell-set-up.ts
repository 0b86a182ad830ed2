import type { JudgeContext } from "../../context.ts";
import { projectOf } from "../../dangers/paths/project-paths.ts";
import { type Field, HOLE, TAINT } from "../../language/state/values.ts";

/**
 * How tool chains are set up in a shell: a script at its usual path that is sourced, or settings that the tool prints
 * for `eval`. Either is as trustworthy as the tool itself, which the next command runs.
 */
const SCRIPTS: readonly RegExp[] = [
  // Where images and people keep environments of Python.
  /^\/(?:(?:opt|usr\/local|root|home\/[^/]+|Users\/[^/]+)\/)?(?:\.?virtualenvs\/[\w.-]+|\.?v?env)\/bin\/activate$/,
  /^\/opt\/[\w.-]+\/(?:\.?v?env\/)?bin\/activate$/,
  /^\/(?:home\/[^/]+|Users\/[^/]+|root)\/\.(?:nvm\/nvm\.sh|asdf\/asdf\.sh|cargo\/env|sdkman\/bin\/sdkman-init\.sh|ghcup\/env|rye\/env|local\/bin\/env|elan\/env|rvm\/scripts\/rvm)$/,
  /^\/usr\/local\/(?:nvm\/nvm\.sh|cargo\/env|sdkman\/bin\/sdkman-init\.sh|rvm\/scripts\/rvm)$/,
  /^\/opt\/ros\/[\w-]+\/setup\.(?:ba)?sh$/,
  /^\/(?:opt|usr\/local|root|home\/[^/]+|Users\/[^/]+)\/\.?(?:(?:mini|ana)?conda3?|(?:mini|mamba)forge3?)\/(?:bin\/activate|etc\/profile\.d\/(?:conda|mamba)\.sh)$/,
];

/** What each tool's own documentation puts into `eval "$(…)"`. */
const PRINTERS: Readonly<Record<string, RegExp>> = {
  pyenv: /^(?:init|virtualenv-init)(?: (?:-|--path|--no-rehash|bash|zsh|sh))*$/,
  rbenv: /^init(?: (?:-|--no-rehash|bash|zsh|sh))*$/,
  nodenv: /^init(?: (?:-|--no-rehash|bash|zsh|sh))*$/,
  goenv: /^init(?: (?:-|--no-rehash|bash|zsh|sh))*$/,
  jenv: /^init(?: -)?$/,
  fnm: /^env(?: (?:--use-on-cd|--shell(?:=| )(?:bash|zsh)))*$/,
  mise: /^activate(?: (?:bash|zsh|--shims|-s))*$/,
  conda: /^shell\.(?:bash|zsh|posix) hook$/,
  mamba: /^shell hook(?: (?:--shell|-s)(?:=| )(?:bash|zsh|posix))?$/,
  micromamba: /^shell hook(?: (?:--shell|-s)(?:=| )(?:bash|zsh|posix))?$/,
  brew: /^shellenv(?: (?:bash|zsh|sh))?$/,
  opam: /^(?:config )?env(?: --(?:shell=(?:bash|zsh|sh)|switch=[\w.+-]+|set-switch|set-root))*$/,
  luarocks: /^path(?: --bin)?$/,
  dircolors: /^(?:-b|--sh|--bourne-shell)?$/,
  direnv: /^hook (?:bash|zsh)$/,
  zoxide: /^init (?:bash|zsh)$/,
};
const BREW = /^(?:\/opt\/homebrew|\/home\/linuxbrew\/\.linuxbrew|\/usr\/local)\/bin\/brew$/;

/** An environment of Python in the project. */
const PROJECT_ENVIRONMENT = /^(?:[\w.-]+\/)*\.?v?env[\w.-]*\/(?:bin|Scripts)\/activate(?:\.\w+)?$/;

export function isSetUpScript(path: string, context: JudgeContext): boolean {
  const project = path.startsWith("/") ? projectOf(path, null, context) : null;
  const inProject = path.startsWith("/") ? path.slice((project ?? path).length + 1) : path.replace(/^\.\//, "");
  return (
    (PROJECT_ENVIRONMENT.test(inProject) && !inProject.includes("..")) || SCRIPTS.some((script) => script.test(path))
  );
}

/** Whether a program of the machine, called by its name, prints settings for the shell. */
export function printsSetUp(path: string, args: readonly Field[]): boolean {
  const name = BREW.test(path) ? "brew" : path;
  const words = Object.hasOwn(PRINTERS, name) ? PRINTERS[name] : undefined;
  return words?.test(args.map(({ text }) => text).join(" ")) === true;
}

/** Whether this code is only what such a program printed: text of any other origin has other taints as well. */
export function isPrintedSetUp({ text, taint }: Field): boolean {
  return text.trim() === HOLE && taint === TAINT.setUp;
}
