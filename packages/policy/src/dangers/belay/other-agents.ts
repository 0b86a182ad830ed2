import type { Invocation } from "../../language/commands/invocation.ts";
import { asks } from "../rule.ts";

/** Other coding agents. The commands that they run do not go through Belay. */
const AGENTS =
  "claude codex gemini aider goose opencode amp crush cursor-agent copilot qwen cline openhands droid plandex mentat auggie kilocode gptme".split(
    " ",
  );

/** Verbs and options with which these programs only print information about themselves. */
const ONLY_LOOKS = new Set("--version -v -V --help -h help version doctor status".split(" "));

export const OTHER_AGENTS = [
  asks({
    id: "other-agent",
    level: "dangerous",
    reason: "Starts or sets up another agent, whose commands are not judged or recorded by Belay.",
    programs: AGENTS,
    fires: ({ args }: Invocation) => {
      const [first, second] = args.map(({ text }) => text);
      if (first === undefined) return true;
      if (first === "mcp" && (second === "list" || second === "get")) return false;
      return !(args.length === 1 && ONLY_LOOKS.has(first));
    },
  }),
];
