import type { HookOptions, ShellStart } from "./hooks.ts";
import { MARKER_KINDS, markerPrefix } from "./markers.ts";
import { fishStandIns } from "./stand-ins.ts";

/** Fish with our hooks: it has events for all that we want to know, and reads our file after the person's. */
export function startFish(options: HookOptions): ShellStart {
  const { shellPath, rcDir, isLogin, isAgents } = options;
  return {
    argv: [shellPath, ...(isLogin ? ["-l"] : []), "-i", "-C", `source '${rcDir}/rc.fish'`],
    // Read before any of its files. An empty name keeps the history in memory.
    env: isAgents ? { fish_history: "" } : {},
    files: { "rc.fish": fishRc(options) },
  };
}

function fishRc({ nonce, isAgents, standIns }: HookOptions): string {
  const prefix = markerPrefix(nonce);
  const cwd = "(string replace -ra '[[:cntrl:]]' '?' -- $PWD)";
  const tell = (kind: string) => `printf '\\e${prefix}${kind};%s;fish;%s;%s\\a' $fish_pid $last ${cwd}`;
  return `${isAgents ? AGENT_SETTINGS : ""}
${fishStandIns(standIns)}
function __belay_started --on-event fish_preexec
  printf '\\e${prefix}${MARKER_KINDS.started};%s\\a' $fish_pid
end
function __belay_ended --on-event fish_postexec
  set -l last $status
  ${tell(MARKER_KINDS.ended)}
end
function __belay_mistyped --on-event fish_posterror
  set -l last $status
  ${tell(MARKER_KINDS.refused)}
end
function __belay_shown --on-event fish_prompt --on-event fish_cancel
  set -l last $status
  ${tell(MARKER_KINDS.prompt)}
end
`;
}

// Guesses in grey are not output.
const AGENT_SETTINGS = `set -g fish_autosuggestion_enabled 0`;
