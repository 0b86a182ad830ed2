import { type Field, field } from "../../../language/state/values.ts";

/** What PowerShell is told to run: a command line, an encoded one, a file, its input, or nothing. */
export type PowerShellCode =
  | { readonly type: "inline"; readonly codes: readonly Field[] }
  | { readonly type: "file"; readonly path: Field }
  | { readonly type: "stdin" }
  | { readonly type: "module" };

/** Options with a value. Any prefix abbreviates them, and letters cannot be combined. */
const WITH_VALUE = [
  "executionpolicy",
  "ep",
  "windowstyle",
  "workingdirectory",
  "wd",
  "version",
  "inputformat",
  "outputformat",
  "configurationname",
  "configurationfile",
  "custompipename",
  "settingsfile",
  "psconsolefile",
];

export function findPowerShellCode(args: readonly Field[]): PowerShellCode {
  for (let at = 0; at < args.length; at += 1) {
    const { text = "" } = args[at] ?? {};
    if (text === "-") return { type: "stdin" };
    const rest = args.slice(at + 1);
    if (!/^[-/]{1,2}[a-z]/i.test(text)) return fileOrCode(args.slice(at));
    const name = text.replace(/^[-/]{1,2}/, "").toLowerCase();
    if (name === "help" || name === "?" || name === "h") return { type: "module" };
    if (isPrefix(name, "command", "commandwithargs", "encodedcommand", "ec", "enc")) {
      if (rest[0] === undefined || rest[0].text === "-") return { type: "stdin" };
      return { type: "inline", codes: [joined(rest)] };
    }
    if (isPrefix(name, "file")) return rest[0] === undefined ? { type: "stdin" } : fileOf(rest[0]);
    if (isPrefix(name, ...WITH_VALUE) && !isPrefix(name, "noprofile", "nologo", "noexit", "noninteractive")) at += 1;
  }
  return args.some(({ text }) => /^--?version$/i.test(text)) ? { type: "module" } : { type: "stdin" };
}

const isPrefix = (name: string, ...options: readonly string[]) => options.some((option) => option.startsWith(name));

/** Windows PowerShell treats a word without an option as a command, its successor as a file. */
function fileOrCode(words: readonly Field[]): PowerShellCode {
  const [first] = words;
  return first !== undefined && /\.ps1$/i.test(first.text) ? fileOf(first) : { type: "inline", codes: [joined(words)] };
}

function fileOf(path: Field): PowerShellCode {
  return path.text === "-" ? { type: "stdin" } : { type: "file", path };
}

function joined(words: readonly Field[]): Field {
  return field(
    words.map(({ text }) => text).join(" "),
    words.reduce((all, { taint }) => all | taint, 0),
  );
}
