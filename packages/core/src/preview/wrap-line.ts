import type { ShellKind } from "../shell/hooks.ts";
import { quote, quoteForFish } from "../shell/quote.ts";
import { stateDump } from "../shell/state-dump.ts";

export const BEFORE_FILE = "before";
export const AFTER_FILE = "after";

export interface WrappedLine {
  argv: [string, ...string[]];
  /** Written into `inDir` before the start. */
  files: Record<string, string>;
}

interface Options {
  kind: ShellKind;
  shellPath: string;
  line: string;
  /** What `stateDump` gave of the shell that the line is for; null where there is no such shell. */
  state: string | null;
  /** On top of the state: where the line runs, and what its environment has besides. */
  cwd: string;
  env: Record<string, string>;
  inDir: string;
  outDir: string;
}

const STATE_FILE = "state";
const LINE_FILE = "line";

/**
 * A line for a shell that is like another one: it reads the other's state, says what it is like, reads the line as if it
 * had been typed, and says what it is like afterwards. Without that last word, the line has ended its shell.
 */
export function wrapLine({ kind, shellPath, line, state, cwd, env, inDir, outDir }: Options): WrappedLine {
  const files = { [STATE_FILE]: restorable(kind, state ?? ""), [LINE_FILE]: `${line}\n` };
  const q = kind === "fish" ? quoteForFish : quote;
  const dump = stateDump(kind);
  const tell = (file: string) => (dump === null ? ":" : block(kind, dump, q(`${outDir}/${file}`)));
  const read = kind === "fish" ? "source" : ".";
  const status =
    kind === "fish"
      ? ["set -g __belay_status $status", "exit $__belay_status"]
      : ["__belay_status=$?", "\\exit $__belay_status"];
  // A trap for the end of the shell is for the end of the other one.
  const noLastWords = kind === "fish" ? "" : "\\trap - EXIT";
  const text = [
    `${read} ${q(`${inDir}/${STATE_FILE}`)} >/dev/null 2>&1`,
    noLastWords,
    kind === "fish" ? `builtin cd -- ${q(cwd)}` : `CDPATH= \\command cd -- ${q(cwd)}`,
    ...Object.entries(env).map(([name, value]) =>
      kind === "fish" ? `set -gx ${name} ${q(value)}` : `\\export ${name}=${q(value)}`,
    ),
    tell(BEFORE_FILE),
    `${read} ${q(`${inDir}/${LINE_FILE}`)}`,
    status[0],
    tell(AFTER_FILE),
    noLastWords,
    status[1],
  ].join("\n");
  return { argv: [shellPath, ...PLAIN[kind], "-c", text, shellPath], files };
}

function block(kind: ShellKind, dump: string, file: string): string {
  const folder = kind === "fish" ? `builtin printf '# cwd %s\\n' $PWD` : `\\command printf '# cwd %s\\n' "$PWD"`;
  return kind === "fish"
    ? `begin\n${dump}\n${folder}\nend >${file} 2>/dev/null`
    : `{ ${dump}\n${folder}\n} >${file} 2>/dev/null`;
}

/** Without the files that a shell reads by itself: what they set is in the state. */
const PLAIN: Record<ShellKind, string[]> = {
  bash: ["--noprofile", "--norc"],
  zsh: ["-f"],
  fish: ["--no-config"],
  sh: [],
  other: [],
};

/** To assign some variables ends a plain shell. */
function restorable(kind: ShellKind, state: string): string {
  if (kind !== "sh") return `${state}\n`;
  return `${state.replaceAll(/^(?:PPID|OPTIND|LINENO|_|IFS)=(?:'[^']*'|[^'\n]*)$/gm, "")}\n`;
}
