import type { ShellKind } from "./hooks.ts";
import { BASH_TRUSTED } from "./preparation.ts";
import { quote, quoteForFish } from "./quote.ts";
import { stateDump } from "./state-dump.ts";

/** What a shell says of the status of its last command, in the text of its state. */
const STATUS = /^# status (\d+)$/m;

export interface StateReading {
  /** What the shell reads from a file. */
  script: string;
  /** The line that has it read that file. */
  lineFor: (path: string) => string;
}

/**
 * Has a shell write its state to a file and be as it was: the status of its last command (`$?`), that command's last
 * word (`$_`) and the history are those from before. Null if a kind of shell cannot say what it is like.
 *
 * The line hands status and word to the script as arguments, so no variable has to hold them. It begins with a space where
 * that keeps it out of the history. A shell that ends with the first error (`set -e`) must not end with that status.
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
        // In POSIX mode special builtins take precedence over functions. Whether it was on is told with the rest.
        lineFor: (path) =>
          `POSIXLY_CORRECT=$?/$SHELLOPTS/$_; \\. ${quote(path)} "\${POSIXLY_CORRECT%%/*}" "\${POSIXLY_CORRECT#*/}" "\${POSIXLY_CORRECT#*/*/}"`,
      };
    case "zsh":
      return {
        // A function leaves the last word of its own call.
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
        // Fish drops a space before what is pasted, so it has to forget the line itself.
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

/** The status of the last command of the shell whose state it is. */
export function statusIn(state: string): number {
  return Number(STATUS.exec(state)?.[1] ?? 0);
}
