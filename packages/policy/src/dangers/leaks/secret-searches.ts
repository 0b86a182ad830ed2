import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import { STAR, type Stream } from "../../language/state/values.ts";
import { isInside } from "../../language/words/paths.ts";
import { printsHeld, SETTINGS_FILE } from "../../programs/effects/output/output-kinds.ts";
import { isProjectPath } from "../paths/project-paths.ts";
import { asks } from "../rule.ts";

const SEARCHES = /^(?:[efz]?grep|rg|ag|ack|ugrep|awk|gawk|mawk|sed|jq|yq)$/;

/** Words with which one looks for a credential. In settings `auth` is one; in a log it is a part of the service. */
const LOOKED_FOR: Readonly<Record<NonNullable<Stream["mayHold"]>, RegExp>> = {
  settings: /token|secret|passw|\bpass\b|credential|auth(?!or)|api.?key|private.?key|extraheader|\bEnv\b/i,
  logs: /token(?!i[sz])|secret|passw(?!\w{0,9}auth)|credential|bearer|api.?key|access.?key|private.?key/i,
  rows: /token(?!i[sz])|secret|passw|credential|api.?key|private.?key|hash\b/i,
};

/**
 * Looking for credentials in what is not the project: settings, logs, processes, rows of a database, the machine's own
 * folders. Reading any of it is ordinary work, and so is looking for the same words in source code.
 */
export const SECRET_SEARCHES = [
  asks({
    id: "sensitive-read",
    level: "dangerous",
    reason: "Searches settings or logs for secrets.",
    fires: (invocation, context) => {
      if (!SEARCHES.test(invocation.program)) return searchesItself(invocation);
      // A number, or only whether there is one.
      if (invocation.args.some(({ text }) => /^(?:-[a-zA-Z]*[cqL][a-zA-Z]*|--count|--quiet|--silent)$/.test(text)))
        return false;
      const held = heldBy(invocation, context);
      const files = new Set(invocation.effects.map(({ path }) => path.text));
      return held !== undefined && invocation.args.some(({ text }) => !files.has(text) && looksFor(text, held));
    },
  }),
];

/** `journalctl -g password`, `aws logs filter-log-events --filter-pattern secret`. */
function searchesItself({ program, args }: Invocation): boolean {
  return (
    args.some(({ text }, at) => looksFor(text, "logs") && FILTERS.test(args[at - 1]?.text ?? text)) &&
    printsHeld(program, args) === "logs"
  );
}

const FILTERS = /^(?:-g|--(?:grep|filter|filter-pattern|pattern|query|search|match))(?:=|$)/;

function heldBy({ stdin, effects, cwd }: Invocation, context: JudgeContext): Stream["mayHold"] {
  if (stdin.mayHold !== undefined) return stdin.mayHold;
  const read = effects.filter(({ type }) => type === "read");
  if (read.some(({ path }) => SETTINGS_FILE.test(path.text))) return "settings";
  // A project may be in `/var/www` or `/srv`.
  const isOfMachine = (path: string) =>
    (MACHINE_FOLDER.test(path) && !isProjectPath(path, cwd, context)) || isAboveHome(path, context);
  return read.some(({ paths }) => paths.some(isOfMachine)) ? "logs" : undefined;
}

/** `/`, or all of the home: not a project, but everything. */
function isAboveHome(path: string, { home }: JudgeContext): boolean {
  const [folder = ""] = path.split(STAR);
  return isInside(home, folder.replace(/\/+$/, "") || "/");
}

/** Folders with the settings, logs and data of the machine's services. */
const MACHINE_FOLDER = /^\/(?:etc|var|srv|run|boot)(?:\/|$)(?!tmp\/|folders\/)/;

/** One alternative of the pattern is such a word. A phrase of several words is a message: `Failed password`. */
function looksFor(pattern: string, held: NonNullable<Stream["mayHold"]>): boolean {
  const words = LOOKED_FOR[held];
  if (!words.test(pattern)) return false;
  return (
    held === "settings" || pattern.split(/\\?\|/).some((one) => words.test(one) && !/[a-z]{3} [a-z]{2}/i.test(one))
  );
}
