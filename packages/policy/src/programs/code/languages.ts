import { type Field, field } from "../../language/state/values.ts";
import type { LookLanguage } from "./code-look.ts";

/** A general-purpose language, and how its interpreter is told what to run. */
export interface Language {
  readonly programs: RegExp;
  /** Single-letter options that take code, alone or at the end of a group: `-pe`. */
  readonly code: string;
  readonly longCode?: readonly string[];
  /** Groups of letters that take code in the next word, although each letter does so alone: `node -pe code`. */
  readonly codeGroups?: readonly string[];
  /** Options that may stand without code, before the one that takes it: `node -p -e code`. */
  readonly printing?: readonly string[];
  /** Options with a value, so that it is not mistaken for the script. */
  readonly values: string;
  /** Long options that take the next word as their value. */
  readonly longValues?: readonly string[];
  /** Options such as `-m module`: a script by name, not a file. */
  readonly module?: string;
  /** Options with which it only parses the script. */
  readonly parsesWith?: readonly string[];
  /** The option for encoded code, which cannot be reviewed. */
  readonly encoded?: RegExp;
  /** A subcommand that takes code: `deno eval`. */
  readonly verb?: string;
  /** How its code is analysed; without this it needs a person. */
  readonly look?: LookLanguage;
}

const LANGUAGES: readonly Language[] = [
  {
    programs: /^(python|py|pypy|ipython)[\d.]*$/,
    code: "c",
    values: "WXQ",
    longValues: ["--check-hash-based-pycs"],
    module: "m",
    look: "python",
  },
  { programs: /^perl[\d.]*$/, code: "eE", values: "IMm", look: "perl" },
  { programs: /^(ruby|jruby|irb)[\d.]*$/, code: "e", values: "IrCEFKT", parsesWith: ["-c", "-wc"], look: "ruby" },
  {
    programs: /^(node|nodejs|iojs|ts-node|ts-node-esm|tsx)$/,
    code: "ep",
    longCode: ["--eval", "--print"],
    codeGroups: ["-pe", "-ep"],
    printing: ["-p", "--print"],
    values: "rC",
    parsesWith: ["--check", "-c"],
    look: "javascript",
  },
  {
    programs: /^bun$/,
    code: "ep",
    longCode: ["--eval", "--print"],
    codeGroups: ["-pe", "-ep"],
    printing: ["-p", "--print"],
    values: "r",
    look: "javascript",
  },
  { programs: /^deno$/, code: "", values: "", verb: "eval", look: "javascript" },
  { programs: /^php[\d.]*$/, code: "rBRE", values: "dcfztS", parsesWith: ["-l"], look: "php" },
  { programs: /^(lua|luajit|texlua)[\d.]*$/, code: "e", values: "l", look: "lua" },
  { programs: /^octave(-cli)?$/, code: "", longCode: ["--eval"], values: "", look: "octave" },
  { programs: /^(Rscript|R)$/, code: "e", values: "", look: "r" },
  { programs: /^elixir$/, code: "e", longCode: ["--eval"], values: "rSp", look: "elixir" },
  { programs: /^julia$/, code: "eE", longCode: ["--eval", "--print"], values: "", module: "m", look: "julia" },
  {
    programs: /^(groovy|scala|swift|osascript|guile|racket|sbcl)$/,
    code: "ec",
    longCode: ["--eval"],
    values: "",
  },
  { programs: /^(expect|tclsh[\d.]*|wish)$/, code: "c", values: "" },
  {
    programs: /^(pwsh|powershell)(\.exe)?$/i,
    code: "c",
    longCode: ["-Command", "-command", "-EncodedCommand", "-enc"],
    encoded: /^-e(c|nc|ncodedcommand)?$/i,
    values: "",
  },
];

/** One lookup instead of one per language. Most programs are not interpreters. */
const MAY_BE_LANGUAGE =
  /^(py|ipy|perl|ruby|jruby|irb|node|iojs|ts|bun|deno|php|lua|tex|R|julia|groovy|scala|elixir|swift|osa|guile|racket|sbcl|cloj|clj|expect|tcl|wish|pwsh|power|octave)/i;

/** Whether a program is one of them, by its base name. */
export function languageOf(program: string): Language | undefined {
  return MAY_BE_LANGUAGE.test(program) ? LANGUAGES.find(({ programs }) => programs.test(program)) : undefined;
}

/** The names of standard input as a file. */
const INPUT_FILES: ReadonlySet<string> = new Set(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

export type Found =
  | { type: "inline"; codes: readonly Field[] }
  | { type: "file"; path: Field }
  | { type: "stdin" }
  | { type: "module" };

export function findCode(language: Language, args: readonly Field[]): Found {
  const codes: Field[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? field("");
    const { text } = arg;
    if (text === "-") return { type: "stdin" };
    // All words after it are a script and its arguments.
    if (text === "--" && codes.length === 0) {
      const script = args[at + 1];
      return script === undefined || script.text === "-" ? { type: "stdin" } : { type: "file", path: script };
    }
    if (language.printing?.includes(text) && args[at + 1]?.text.startsWith("-")) continue;
    const equals = text.indexOf("=");
    const long = equals > 0 ? text.slice(0, equals) : text;
    if (equals < 0 && language.longValues?.includes(long)) at += 1;
    else if (language.longCode?.includes(long)) {
      codes.push(equals > 0 ? field(text.slice(equals + 1), arg.taint) : (args[++at] ?? field("")));
    } else if (/^-[A-Za-z0-9]/.test(text)) {
      const taken = readLetters(language, text);
      if (taken === "code") codes.push(args[++at] ?? field(""));
      else if (taken === "value") at += 1;
      else if (taken === "module") return { type: "module" };
      else if (typeof taken === "object") codes.push(field(taken.attached, arg.taint));
    } else if (!text.startsWith("--")) {
      if (codes.length > 0) break;
      if (language.verb !== undefined && text === language.verb)
        return { type: "inline", codes: args.slice(at + 1).filter((one) => !one.text.startsWith("-")) };
      return INPUT_FILES.has(text) ? { type: "stdin" } : { type: "file", path: arg };
    }
  }
  if (codes.length > 0) return { type: "inline", codes };
  // `-v` usually prints the version, but in Python it only increases verbosity.
  const isVerbose = language.look === "python";
  return args.some(
    ({ text }) =>
      /^(--version|--help|-V|-h|--test|--run(=.*)?)$/.test(text) ||
      (text === "-v" && !isVerbose) ||
      (/^(?:-m|-i|--ini|--ri|--rz)$/.test(text) && language.look === "php") ||
      // A server, which runs the project's own files.
      (text === "-S" && language.look === "php"),
  )
    ? { type: "module" }
    : { type: "stdin" };
}

function readLetters(language: Language, text: string): "code" | "value" | "module" | "flag" | { attached: string } {
  if (language.codeGroups?.includes(text)) return "code";
  for (let index = 1; index < text.length; index += 1) {
    const letter = text.charAt(index);
    const isLast = index === text.length - 1;
    if (language.code.includes(letter)) return isLast ? "code" : { attached: text.slice(index + 1) };
    if (letter === language.module) return "module";
    if (language.values.includes(letter)) return isLast ? "value" : "flag";
  }
  return "flag";
}
