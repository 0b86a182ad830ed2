import { optionValues, parseOptions } from "../../programs/options.ts";
import type { Call, Handled, Shell } from "../grammar/shell.ts";
import { type Field, field, HOLE, NO_INPUT, type Stream, scalar, stream, streamField, TAINT } from "../state/values.ts";
import { setVariable } from "../state/variables.ts";

const DONE: Handled = { output: NO_INPUT, isTransparent: false };

/** Prompts of programs to which people type their own password. */
const IMITATED_PROMPT =
  /\[sudo\]|\bpassword for \S|\bpassphrase for (?:key|\/|')|\b's password:|\bLogin password\b|\(current\) UNIX password/i;

/** `read`: sets the names to the parts of the line, or to something unknown. */
export function readInto(shell: Shell, args: readonly Field[], { stdin, env }: Call): Handled {
  const { operands, options } = parseOptions(args, { short: "adeiknNptuU" });
  if (IMITATED_PROMPT.test(shell.frame.source)) shell.note("imitated-prompt", "read");
  const names = [...operands, ...(options.get("-a") ?? [])].map(({ text }) => text);
  const line = stdin.text?.split("\n")[0] ?? null;
  const separators = env.get("IFS")?.text ?? shell.state.variables.get("IFS")?.items[0] ?? " \t";
  const words = splitLine(line ?? "", separators);
  for (const [at, name] of (names.length > 0 ? names : ["REPLY"]).entries()) {
    const isLast = at === Math.max(names.length, 1) - 1;
    const text = line === null ? HOLE : isLast ? words.slice(at).join(" ") : (words[at] ?? "");
    // A loop reads one line in each round, so only a single line is known.
    const isOnlyLine = line !== null && (stdin.text ?? "").trimEnd() === line.trimEnd();
    const isLead = at === 0 && !isLast && stdin.lead !== undefined && separators.includes(stdin.lead.before);
    // `kubectl get pods -o json | jq -r … | while read -r name`: the whole line is one name.
    const isName = at === 0 && isLast && line === null && (stdin.isName === true || stdin.isNumber === true);
    const unknown = isLead ? leadingWord(stdin) : isName ? streamField(stdin) : unknownLine(stdin, separators);
    const value = isOnlyLine ? field(text, stdin.taint) : unknown;
    setVariable(shell, name, scalar(value.text, value.taint));
  }
  return DONE;
}

function splitLine(line: string, separators: string): string[] {
  const words = [""];
  for (const char of line.trim()) {
    if (!separators.includes(char)) words[words.length - 1] += char;
    else if (words.at(-1) !== "") words.push("");
  }
  return words;
}

/** An unknown line. If the input is a list of files, it is one of them; if its text is known, no word may be an option. */
function unknownLine(stdin: Stream, separators = " "): Field {
  if (stdin.listing !== null) return streamField(stdin);
  const { text, taint } = stdin;
  const hasOptions =
    text === null || text.includes(HOLE) || /(?<![A-Za-z0-9])-/.test(text) || /[A-Za-z0-9]/.test(separators);
  return field(HOLE, taint | (hasOptions ? TAINT.data : TAINT.name));
}

/** `git log --oneline | while read -r hash rest`: the first word of each line. */
function leadingWord({ lead, taint }: Stream): Field {
  return streamField({ ...stream(null, taint), ...(lead?.is === "number" ? { isNumber: true } : { isName: true }) });
}

/** With more lines than this, the items are not tracked. */
const MAX_LINES = 100;

/** `mapfile`, `readarray`. */
export function readArray(shell: Shell, args: readonly Field[], stdin: Stream): Handled {
  const parsed = parseOptions(args, { short: "cCdnOsu" });
  // `-C` names a command that runs while lines are read.
  for (const callback of optionValues(parsed, "-C")) shell.runText(callback, stream(""), "mapfile -C");
  const name = parsed.operands[0]?.text ?? "MAPFILE";
  const lines = stdin.text?.split("\n").filter((line) => line !== "") ?? [unknownLine(stdin).text];
  const items = lines.length > MAX_LINES ? [HOLE] : lines;
  const isUnordered = items.some((item) => item.includes(HOLE));
  setVariable(shell, name, {
    items,
    isArray: true,
    taint: stdin.taint | TAINT.data | (stdin.listing === null ? 0 : TAINT.listing),
    ...(isUnordered && { isUnordered }),
  });
  return DONE;
}
