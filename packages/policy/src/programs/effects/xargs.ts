import type { Call, Handled, Shell } from "../../language/grammar/shell.ts";
import { type Field, field, HOLE, has, type Stream, stream, streamField, TAINT } from "../../language/state/values.ts";
import { programNamed } from "../catalog/index.ts";
import { hasOption, optionValues, type ParsedOptions, parseOptions } from "../options.ts";
import { readPath } from "./file-streams.ts";
import { printedSources } from "./output/source-files.ts";
import { readUse } from "./read-use.ts";

/** `-i`, `-l` and `-e` take a value only if it is attached. */
const XARGS_OPTIONS = {
  short: "adEILnPsR",
  long: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "process-slot-var"],
  stopsAtOperand: true,
};
/** With more items than this, they count as one unknown item. */
export const MAX_ITEMS = 50;

/** Stands for a number in the text of a command: `seq 3 | xargs -I{} sh -c 'echo {}'`. */
const NUMBERS = [field("1"), field("65535")];

/** `xargs` runs its command for every item, or for as many as `-n` and `-L` say, or once with all of them. */
export function runXargs(shell: Shell, args: readonly Field[], call: Call): Handled {
  const parsed = parseOptions(args, XARGS_OPTIONS);
  const known = programNamed("xargs");
  const isTransparent = known !== undefined && readUse(known, "xargs", args).unknown === null;
  const file = optionValues(parsed, "-a", "--arg-file")[0];
  const input = file ? readPath(shell, file) : call.stdin;
  // Only its own options: in `xargs sed -i s/a/b/` the last one belongs to sed.
  const own = args.slice(0, args.length - parsed.rest.length);
  const replace =
    optionValues(parsed, "-I", "--replace")[0]?.text ??
    own.flatMap(({ text }) => (/^-i/.test(text) ? [text.slice(2) || "{}"] : text === "--replace" ? ["{}"] : []))[0];
  const command = parsed.rest.length > 0 ? parsed.rest : [field("echo")];
  const rest = { ...call, stdin: stream("") };
  const run = (argv: readonly Field[]) =>
    shell.under({ wrappers: [...shell.how.wrappers, "xargs"] }, () =>
      shell.inSubshell(() => shell.runArgv(argv, rest)),
    );
  if (replace !== undefined && replace !== "") {
    const items = input.isNumber ? NUMBERS : itemsOf(input, parsed, { isByLine: true });
    const outputs = (items.length > 0 ? items : [field(HOLE)]).map((item) =>
      run(
        command.map((word) =>
          word.text.includes(replace)
            ? field(word.text.replaceAll(replace, nameWithin(word.text, replace, item)), word.taint | item.taint)
            : word,
        ),
      ),
    );
    return { output: outputs[0] ?? stream(null), isTransparent };
  }
  const printed = printedSources(command[0], input);
  const items = printed === null ? itemsOf(input, parsed, { isByLine: false }) : [printed];
  const outputs = inGroups(items, parsed).map((group) => run([...command, ...group]));
  return { output: outputs[0] ?? stream(null), isTransparent };
}

/** `ls ~ | xargs -I{} rm -rf ~/{}`: after a folder, a listed item is a name in that folder. */
function nameWithin(word: string, placeholder: string, { text, taint }: Field): string {
  const isBehindFolder = word.includes(`/${placeholder}`);
  return isBehindFolder && has(taint, TAINT.listing) ? text.slice(text.lastIndexOf("/") + 1) : text;
}

/** `-n 2` takes two items for each run. A line (`-L`) may have several items, so both readings count. */
function inGroups(items: readonly Field[], parsed: ParsedOptions): (readonly Field[])[] {
  const isLimited = hasOption(parsed, "-n", "--max-args", "-L", "-l", "--max-lines");
  if (!isLimited || items.length < 2) return [items];
  const given = Number(optionValues(parsed, "-n", "--max-args")[0]?.text ?? "1");
  const size = Number.isInteger(given) && given > 0 ? given : 1;
  const groups: (readonly Field[])[] = [items];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

function itemsOf(input: Stream, parsed: ParsedOptions, { isByLine }: { isByLine: boolean }): Field[] {
  if (input.text === null) return [streamField(input)];
  const words = splitItems(input.text, delimiterOf(parsed), isByLine);
  if (words.length > MAX_ITEMS) return [field(HOLE, input.taint | TAINT.data)];
  return words.map((word) => field(word, input.taint));
}

const ESCAPED: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\0": "\0", "\\r": "\r", "\\\\": "\\" };

/** The separator of items, if one is given. Quotes then have no meaning. */
function delimiterOf(parsed: ParsedOptions): string | null {
  if (hasOption(parsed, "-0", "--null")) return "\0";
  const given = optionValues(parsed, "-d", "--delimiter")[0]?.text;
  return given === undefined || given === "" ? null : (ESCAPED[given] ?? given.charAt(0));
}

function splitItems(text: string, delimiter: string | null, isByLine: boolean): string[] {
  if (delimiter !== null) return text.split(delimiter).filter((item) => item !== "");
  const found: string[] = [];
  let item = "";
  let isOpen = false;
  const close = () => {
    if (isOpen) found.push(item);
    item = "";
    isOpen = false;
  };
  for (let at = 0; at < text.length && found.length <= MAX_ITEMS; at += 1) {
    const char = text.charAt(at);
    if (char === "\n" || char === "\0" || (!isByLine && /\s/.test(char))) close();
    else if (isByLine && !isOpen && /\s/.test(char)) continue;
    else {
      isOpen = true;
      const end = char === "'" || char === '"' ? text.indexOf(char, at + 1) : -1;
      if (end >= 0) {
        item += text.slice(at + 1, end);
        at = end;
      } else if (char === "\\") item += text.charAt(++at);
      else item += char;
    }
  }
  close();
  return found;
}
