import type { Field } from "../../../language/state/values.ts";
import type { ProgramUse } from "../../define-program.ts";
import { hasOption, optionValues, parseOptions } from "../../options.ts";

/** What a sed script does besides editing text. Parsed by hand, because a regex for this takes cubic time. */
export interface SedScript {
  /** Commands that GNU sed passes to a shell. */
  readonly commands: readonly string[];
  /** True if it runs the text that it edits. */
  readonly runsText: boolean;
  readonly writes: readonly string[];
  /** Files that it inserts into its output. */
  readonly reads: readonly string[];
}

/** The scripts among the arguments of sed: the values of `-e`, otherwise the first operand. The rest are files. */
export function sedScripts(args: readonly Field[]): readonly Field[] {
  const parsed = parseOptions(args, { short: "ef", long: ["expression", "file"] });
  if (hasOption(parsed, "-f", "--file", "-e", "--expression")) return optionValues(parsed, "-e", "--expression");
  return leadingScripts(parsed.operands);
}

/**
 * `sed -i '' s/a/b/ f`: on BSD the empty word belongs to the option, and the script comes next. Elsewhere the script is
 * empty and the next word is a file, which stays as it is unless `-n` keeps its lines back.
 */
export function leadingScripts(operands: readonly Field[]): readonly Field[] {
  return operands.slice(0, operands[0]?.text === "" ? 2 : 1);
}

/** The same, of options that were parsed by its table. */
export function sedSources({ operands, options }: Pick<ProgramUse, "operands" | "options">): readonly Field[] {
  const scripts = options.filter(({ name }) => /^(?:-e|--expression)$/.test(name)).flatMap(({ value }) => value ?? []);
  return options.some(({ name }) => /^(?:-e|-f|--expression|--file)$/.test(name)) ? scripts : leadingScripts(operands);
}

export function readSedScript(script: string): SedScript {
  const commands: string[] = [];
  const writes: string[] = [];
  const reads: string[] = [];
  let runsText = false;
  let at = 0;
  const restOfLine = () => {
    const end = script.indexOf("\n", at);
    const rest = script.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? script.length : end + 1;
    return rest.trim();
  };
  while (at < script.length) {
    at = skipAddress(script, at);
    const command = script[at];
    at += 1;
    switch (command) {
      case "s":
      case "y": {
        const delimiter = script[at] ?? "";
        const replacementAt = skipField(script, at + 1, delimiter);
        const flagsAt = skipField(script, replacementAt, delimiter);
        at = flagsAt;
        const flags = /^[gipmIMe0-9]*/.exec(script.slice(flagsAt, flagsAt + 20))?.[0] ?? "";
        at += flags.length;
        if (command === "s" && flags.includes("e")) {
          runsText = true;
          commands.push(script.slice(replacementAt, flagsAt - 1).replace(/\\([/|,#@])/g, "$1"));
        }
        if (command === "s" && script[at] === "w") {
          at += 1;
          writes.push(restOfLine());
        }
        break;
      }
      case "e": {
        const code = restOfLine();
        runsText = true;
        if (code !== "") commands.push(code);
        break;
      }
      case "w":
      case "W":
        writes.push(restOfLine());
        break;
      case "r":
      case "R":
        reads.push(restOfLine());
        break;
      case "a":
      case "i":
      case "c":
      case "#":
        restOfLine();
    }
  }
  return { commands, runsText, writes, reads };
}

function skipAddress(script: string, from: number): number {
  let at = from;
  while (at < script.length) {
    const char = script[at] ?? "";
    if (/[\s;{}0-9$,~+!]/.test(char)) at += 1;
    else if (char === "/") at = skipField(script, at + 1, "/");
    else if (char === "\\") at = skipField(script, at + 2, script[at + 1] ?? "");
    else break;
  }
  return at;
}

/** The position after the next unescaped delimiter. */
function skipField(script: string, from: number, delimiter: string): number {
  let at = from;
  while (at < script.length && script[at] !== delimiter) at += script[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, script.length);
}
