import type { ShellKind } from "./hooks.ts";

/**
 * Commands that write a shell's state as text that the same kind of shell can read back: variables, functions, aliases,
 * traps, umask and options. Options come last: with some of them on, reading the rest would fail.
 *
 * They inspect an agent's shell, so none of them can be a function that the agent has defined. Null if only the
 * environment of a shell is known.
 */
export function stateDump(kind: ShellKind): string | null {
  return DUMPS[kind];
}

/** What the state of this kind of shell does not include, in words for people. */
export function missingState(kind: ShellKind): string[] {
  switch (kind) {
    case "bash":
    case "zsh":
      return [];
    case "fish":
      return ["variables that are only local", "abbreviations and key bindings"];
    case "sh":
      return ["functions"];
    case "other":
      return ["everything but its folder"];
  }
}

const DUMPS: Record<ShellKind, string | null> = {
  bash: `\\builtin shopt -p
\\builtin declare -p
\\builtin declare -f
\\builtin declare -F
\\builtin alias -p
\\builtin trap -p
\\builtin umask -p
\\builtin jobs -p | while \\builtin read -r; do \\builtin printf '# job\\n'; done
\\builtin shopt -po`,
  zsh: `\\builtin export -p
for __belay_name in \${(k)parameters}; do
  case $parameters[$__belay_name] in
    *special*|*hide*|*readonly*|*local*) ;;
    *) \\builtin typeset -p -- $__belay_name ;;
  esac
done
\\builtin functions
\\builtin alias -L
\\builtin trap
\\builtin printf 'umask %s\\n' "$(\\builtin umask)"
[[ \${#jobstates} == 0 ]] || \\builtin printf '# job\\n'
for __belay_option in \${(k)options}; do
  if [[ $options[$__belay_option] == on ]]; then \\builtin printf 'setopt %s\\n' $__belay_option
  else \\builtin printf 'unsetopt %s\\n' $__belay_option; fi
done`,
  fish: `for __belay_name in (set -gn | builtin string match -rv '^(__|fish_|_$)|^(PWD|SHLVL|history|status|pipestatus|hostname|version|FISH_VERSION|EUID|CMD_DURATION|umask|argv|COLUMNS|LINES|IFS)$')
  set -l __belay_flags -g
  set -gxq $__belay_name; and set __belay_flags -gx
  builtin printf 'set %s %s %s\\n' $__belay_flags $__belay_name (builtin string join ' ' -- (builtin string escape -- $$__belay_name))
end
for __belay_name in (functions -an | builtin string match -rv '^(__|fish_)')
  builtin contains -- (functions --details $__belay_name) stdin -; and builtin printf '%s\\n' (functions $__belay_name | builtin string collect)
end
builtin printf 'umask %s\\n' (umask)
jobs -q; and builtin printf '# job\\n'`,
  sh: `\\command export -p
\\command set
\\command alias
\\command printf 'umask %s\\n' "$(\\command umask)"
\\command set +o`,
  other: null,
};
