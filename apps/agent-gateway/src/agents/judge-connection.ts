import { basename } from "node:path";
import { displayCommand, isHostListed, redactSecrets } from "@belay/core";
import { hostsOf, type SecuritySettings } from "@belay/policy";
import { type Decision, quoteWordIfNeeded, type RuleMatch, type Verdict } from "@belay/protocol";
import type { ConnectAct } from "../commands/act.ts";

/**
 * The verdict on a connection from behind a wall. A team's own rules for `connect-to HOST:PORT` apply, which is what
 * "always" creates; the built-in rules do not know it as a program and would only ask.
 */
export function verdictOnConnection(act: ConnectAct, judged: Verdict, settings: SecuritySettings): Verdict {
  const { host, port, kind } = act;
  const where = `${host}:${port}`;
  const program = act.program[0] === undefined ? "A program" : basename(act.program[0]);
  const built = (rule: string, decision: Decision, reason: string): Verdict => ({
    ...judged,
    decision,
    level: decision === "deny" ? "blocked" : decision === "ask" ? "unknown" : "safe",
    layer: decision === "deny" ? "hard-block" : "wall",
    matches: [{ rule, layer: decision === "deny" ? "hard-block" : "wall", decision, reason, span: null }],
    rewrite: null,
  });
  if (kind === "own") {
    const reason = `${program} wants to reach ${where}, which resolves to this machine itself. Walls never allow that.`;
    return built("own-address", "deny", reason);
  }
  const [first] = judged.matches;
  const isTeams = first?.layer === "security-file" || first?.layer === "profile" || first?.layer === "approval";
  if (isTeams) return judged;
  // The list may have grown since the terminal was started.
  if (kind === "public" && isHostListed(hostsOf(settings.network), { host, port })) {
    return built("listed-host", "allow", `${where} is on the list of hosts.`);
  }
  const note = kind === "private" ? ", which is in a private network" : "";
  const reason = `${program} wants to reach ${where}${note}. It is not on the list of hosts.`;
  const asked = built("new-host", "ask", reason);
  return { ...asked, matches: [...asked.matches, ...commandLineOf(act)] };
}

const COMMAND_LINE = "command-line";
const MAX_COMMAND_CHARS = 400;

/** For the person who is asked: what is about to be sent may only be visible here. */
function commandLineOf({ program }: ConnectAct): RuleMatch[] {
  if (program.length < 2) return [];
  const line = displayCommand(redactSecrets(program.map(quoteWordIfNeeded).join(" ")), MAX_COMMAND_CHARS);
  return [{ rule: COMMAND_LINE, layer: "wall", decision: "ask", reason: `It runs as: ${line}`, span: null }];
}

/** What an answer is about. One that is given for a terminal covers later programs that connect to the same host. */
export function askedReasons({ matches }: Verdict): string[] {
  return matches.filter(({ rule }) => rule !== COMMAND_LINE).map(({ rule, reason }) => `${rule}: ${reason}`);
}
