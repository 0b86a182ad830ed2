import type { HookOptions, ShellStart } from "../hooks.ts";
import { MARKER_KINDS, markerPrefix } from "../markers.ts";
import { fishShims } from "./shims.ts";

/** Fish with our hooks: it has events for everything we need, and reads our file after the person's. */
export function startFish(options: HookOptions): ShellStart {
  const { shellPath, rcDir, isLogin, isAgents } = options;
  return {
    argv: [shellPath, ...(isLogin ? ["-l"] : []), "-i", "-C", `source '${rcDir}/rc.fish'`],
    // Read before any of its files. An empty name keeps the history in memory.
    env: isAgents ? { fish_history: "" } : {},
    files: { "rc.fish": fishRc(options) },
  };
}

function fishRc({ nonce, isAgents, shims }: HookOptions): string {
  const prefix = markerPrefix(nonce);
  // "builtin" cannot be redefined as a function.
  const status = (kind: string) => `builtin printf '\\e${prefix}${kind};%s;fish;%s\\a' $fish_pid $last`;
  return `${isAgents ? AGENT_SETTINGS : ""}
${fishShims(shims)}
function __belay_started --on-event fish_preexec
  builtin printf '\\e${prefix}${MARKER_KINDS.started};%s\\a' $fish_pid
end
function __belay_ended --on-event fish_postexec
  set -l last $status
  ${status(MARKER_KINDS.ended)}
end
function __belay_mistyped --on-event fish_posterror
  set -l last $status
  ${status(MARKER_KINDS.refused)}
end
function __belay_shown --on-event fish_prompt --on-event fish_cancel
  set -l last $status
  ${status(MARKER_KINDS.prompt)}
end
`;
}

// No autosuggestions in the output. And a prompt that calls no function, which the agent could replace.
const AGENT_SETTINGS = `set -g fish_autosuggestion_enabled 0
function fish_prompt; builtin echo -n "$PWD> "; end
function fish_right_prompt; end
function fish_mode_prompt; end
function fish_title; end
# These call "printf", which a function may stand in for. They come with the first prompt, so that has to be now.
functions -q __fish_on_interactive; and __fish_on_interactive
if functions -q __fish_enable_bracketed_paste
  function __fish_enable_bracketed_paste --on-event fish_prompt; builtin printf '\\e[?2004h'; end
end
if functions -q __fish_disable_bracketed_paste
  function __fish_disable_bracketed_paste --on-event fish_preexec --on-event fish_exit; builtin printf '\\e[?2004l'; end
end
functions -e __update_cwd_osc`;
