import type { HookOptions, ShellStart } from "../hooks.ts";
import { MARKER_KINDS, markerPrefix } from "../markers.ts";
import { quote } from "../quote.ts";
import { posixShims } from "./shims.ts";

/**
 * A plain POSIX shell with our hooks: only the prompt can be hooked. The start of a
 * command is detected from the echo of its line.
 */
export function startSh(options: HookOptions): ShellStart {
  return {
    argv: [options.shellPath, ...(options.isLogin ? ["-l"] : []), "-i"],
    env: {},
    files: {},
  };
}

/**
 * The file that every interactive `sh` reads when it starts. Every terminal has it, so
 * that `exec sh` from another shell keeps the hooks.
 */
export function envFileOf({ nonce, env, shims }: Pick<HookOptions, "nonce" | "env" | "shims">): string {
  const prefix = markerPrefix(nonce);
  const esc = String.fromCharCode(0x1b);
  const bel = String.fromCharCode(0x07);
  return `${env.ENV === undefined ? "" : `[ -r ${quote(env.ENV)} ] && . ${quote(env.ENV)}`}
${posixShims(shims)}
case $- in *i*)
  # An old PS1 of another shell may be in the environment, with words that sh does not know.
  case \${PS1-} in *\\\\*|*%*|'') PS1='$ ' ;; esac
  PS1='${esc}${prefix}${MARKER_KINDS.prompt};$$;sh;$?${bel}'$PS1
  PS2='${esc}${prefix}${MARKER_KINDS.continuation};$$${bel}'\${PS2-> }
;; esac
`;
}
