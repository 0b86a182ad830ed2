import type { Shell } from "../../../language/grammar/shell.ts";
import { type Field, type Stream, stream } from "../../../language/state/values.ts";

/** A question to a tool about where it keeps something. */
interface Question {
  readonly program: string;
  readonly words: RegExp;
  /** A stand-in for the folder: of the same kind, and as far from anything secret. */
  readonly folder: string;
  /** Variables that move the folder. */
  readonly movedBy: RegExp;
}

const QUESTIONS: readonly Question[] = [
  { program: "go", words: /^env GOPATH$/, folder: "~/go", movedBy: /^GO\w*$/ },
  { program: "go", words: /^env GOBIN$/, folder: "~/go/bin", movedBy: /^GO\w*$/ },
  { program: "go", words: /^env GOMODCACHE$/, folder: "~/go/pkg/mod", movedBy: /^GO\w*$/ },
  { program: "go", words: /^env GOROOT$/, folder: "/usr/local/go", movedBy: /^GO\w*$/ },
  {
    program: "npm",
    words: /^root (?:-g|--global)$/,
    folder: "/usr/local/lib/node_modules",
    movedBy: /^npm_config_\w+$/i,
  },
  { program: "npm", words: /^(?:config get )?prefix(?: -g)?$/, folder: "/usr/local", movedBy: /^npm_config_\w+$/i },
  { program: "brew", words: /^--prefix(?: [\w@.+-]+)?$/, folder: "/opt/homebrew/opt/x", movedBy: /^HOMEBREW_\w+$/ },
  { program: "conda", words: /^info --base$/, folder: "/opt/conda", movedBy: /^CONDA\w*$/ },
  {
    program: "rustc",
    words: /^--print(?: |=)sysroot$/,
    folder: "~/.rustup/toolchains/x",
    movedBy: /^(?:RUSTUP|CARGO)\w*$/,
  },
  { program: "gem", words: /^env (?:gemdir|home)$/, folder: "/usr/lib/ruby/gems", movedBy: /^GEM_\w+$/ },
  {
    program: "bundle",
    words: /^(?:show|info --path) [\w-]+$|^info [\w-]+ --path$/,
    folder: "/usr/lib/ruby/gems/gems/x",
    movedBy: /^(?:GEM|BUNDLE)_\w+$/,
  },
  { program: "java_home", words: /^(?:-v ?[\d.+]+)?$/, folder: "/usr/lib/jvm/x", movedBy: /^JAVA\w*$/ },
];

/** The folder that a tool prints, as a path of the same kind. Null if a variable moves it, or for any other output. */
export function printedFolder(shell: Shell, program: string, args: readonly Field[]): Stream | null {
  const words = args.map(({ text }) => text).join(" ");
  const asked = QUESTIONS.find((question) => question.program === program && question.words.test(words));
  if (asked === undefined) return null;
  const set = [...shell.state.variables.keys(), ...Object.keys(shell.context.env)];
  if (set.some((name) => asked.movedBy.test(name))) return null;
  return stream(`${asked.folder.replace("~", shell.context.home)}\n`);
}
