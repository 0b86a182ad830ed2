import type { ShellKind } from "./hooks.ts";
import { BASH_TRUSTED } from "./preparation.ts";
import { quote, quoteForFish } from "./quote.ts";
import { stateDump } from "./state-dump.ts";

/** The exit status of the last command, as a shell's state records it. */
const STATUS = /^# status (\d+)$/m;

export interface StateReading {
  /** What the shell reads from a file. */
  script: string;
  /** The line that makes the shell read that file. */
  lineFor: (path: string) => string;
}

/**
 * Makes a shell write its state to a file and changes nothing in it: the exit status of its last command (`$?`), that
 * command's last word (`$_`) and the history stay the same. Null if this kind of shell cannot report its state.
 *
 * The line passes the status and the word to the script as arguments, so that no variable has to hold them. It begins
 * with a space where that keeps it out of the history. Under `set -e`, the script must not return the status, which
 * would end the shell.
 */
export function stateReading(kind: ShellKind, file: string): StateReading | null {
  const dump = stateDump(kind);
  if (dump === null) return null;
  switch (kind) {
    case "bash":
      return {
        script: `${BASH_TRUSTED}
case \${2%%/*} in posix|posix:*|*:posix|*:posix:*) \\builtin set -o posix ;; esac
{ ${dump}
\\builtin printf '# status %s\\n' "$1"
if [[ $(HISTTIMEFORMAT= \\builtin history 1) == *"$BASH_SOURCE"* ]]; then \\builtin history -d -1 || :; fi
} >${quote(file)} 2>/dev/null
[[ $- == *e* ]] || \\builtin return "$1"`,
        // In POSIX mode, special builtins take precedence over functions. SHELLOPTS says whether it was on.
        lineFor: (path) =>
          `POSIXLY_CORRECT=$?/$SHELLOPTS/$_; \\. ${quote(path)} "\${POSIXLY_CORRECT%%/*}" "\${POSIXLY_CORRECT#*/}" "\${POSIXLY_CORRECT#*/*/}"`,
      };
    case "zsh":
      return {
        // Calling a function sets `$_` to the last argument of the call.
        script: `{ ${dump}
\\builtin printf '# status %s\\n' "$1"
} >${quote(file)} 2>/dev/null
() { [[ -o errexit ]] || \\builtin return "$1" } "$1" "$2"`,
        lineFor: (path) => ` . ${quote(path)} "$?" "$_"`,
      };
    case "fish":
      return {
        script: `begin
${dump}
builtin printf '# status %s\\n' $argv[1]
builtin history delete --exact --case-sensitive -- "source '"(status filename)"' \\$status"
end >${quoteForFish(file)} 2>/dev/null
return $argv[1]`,
        // Fish drops a space before pasted text, so the script deletes the line from the history.
        lineFor: (path) => `source ${quoteForFish(path)} $status`,
      };
    default:
      return {
        script: `__belay_status=$?
{ ${dump}
\\command printf '# status %s\\n' "$__belay_status"
} >${quote(file)} 2>/dev/null
case $- in *e*) __belay_status=0 ;; esac
\\eval "\\\\unset __belay_status; \\\\return $__belay_status"`,
        lineFor: (path) => `. ${quote(path)}`,
      };
  }
}

/** The exit status of the last command in the shell whose state this is. */
export function statusIn(state: string): number {
  return Number(STATUS.exec(state)?.[1] ?? 0);
}
