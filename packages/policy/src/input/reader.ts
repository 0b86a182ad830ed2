import { type Field, field } from "../language/state/values.ts";
import { findCode, type Language, languageOf } from "../programs/code/languages.ts";
import { parseShellOptions, SHELL_PROGRAMS } from "../programs/code/shells.ts";
import { type KeyFamily, keyFamilyOf } from "./navigation-keys.ts";

/** What a program does with typed input. */
export type InputReader =
  /** It runs lines as commands: a shell, here or on another machine. */
  | { kind: "shell"; program: string }
  /** It runs lines as code: a REPL, a debugger, a database client. */
  | { kind: "code"; program: string; asArgv?: readonly string[] }
  /** Each key is a command, and some of them start programs: a pager, an editor, a file manager. */
  | { kind: "keys"; program: string; family: KeyFamily }
  /** It reads one line as an answer, or only a few bytes of it, so that only a single key is certain to be read. */
  | { kind: "answer"; program: string; takesBytes?: boolean };

/** Programs that pass the keyboard to a shell that Belay cannot see. */
const PASSES_ON = new Set(
  "ssh mosh telnet rlogin docker podman kubectl oc nsenter chroot unshare su sudo doas machinectl virsh lxc incus screen tmux zellij script adb vagrant multipass wsl expect socat nc ncat netcat minicom picocom cu".split(
    " ",
  ),
);

const CODE_CLIENTS = new Set(
  (
    "psql mysql mariadb sqlite3 sqlplus mongosh mongo redis-cli valkey-cli cqlsh duckdb clickhouse-client clickhouse usql litecli pgcli mycli iredis " +
    "gdb lldb rust-gdb rust-lldb cgdb pdb pdb3 ipdb pudb dlv jdb rdbg byebug pry ipython ipython3 jupyter-console jupyter bpython ptpython ghci ocaml utop iex erl jshell kotlinc " +
    "scala amm bc dc gnuplot octave maxima gp sage ftp sftp lftp smbclient psysh tinker rails flask gosh xonsh nu elvish node-inspect"
  ).split(" "),
);

const MODULES = new Set("pdb ipdb pudb code IPython ptpython bpython idlelib asyncio sqlite3 trace".split(" "));
const RUBY_CONSOLES = new Set("debug byebug pry irb".split(" "));
const NODE_CONSOLES = new Set("inspect debug repl -i --interactive".split(" "));
const DJANGO_CONSOLES = new Set("shell shell_plus dbshell".split(" "));

/** `python3 -m pdb`, `node inspect`, `perl -d`, `php -a`: although a script is named, typed input is code. */
function readsCode(program: string, words: readonly string[]): boolean {
  /** The value of an option with one letter, attached or in the next word. */
  const values = (letter: string) =>
    words.flatMap((word, at) => {
      const found = word.startsWith("-") && !word.startsWith("--") ? word.indexOf(letter) : -1;
      return found < 0 ? [] : [word.slice(found + 1) || (words[at + 1] ?? "")];
    });
  const follows = (script: string, tasks: ReadonlySet<string>) =>
    words.some((word, at) => word.split("/").at(-1) === script && tasks.has(words[at + 1] ?? ""));
  switch (languageOf(program)?.look) {
    case "python":
      return values("m").some((name) => MODULES.has(name)) || follows("manage.py", DJANGO_CONSOLES);
    case "javascript":
      return words.some((word) => NODE_CONSOLES.has(word));
    case "perl":
      return words.some((word) => /^-[a-zA-Z]*d/.test(word));
    case "ruby":
      return values("r").some((name) => RUBY_CONSOLES.has(name));
    case "php":
      return words.includes("-a") || words.includes("--interactive") || follows("artisan", new Set(["tinker"]));
    default:
      return false;
  }
}

/**
 * The reader of typed input, by the argument list of the foreground program and, if the kernel provides it,
 * its executable: a program can choose its own name, so the stricter of the two counts.
 */
export function inputReaderOf(argv: readonly string[], path: string | null = null): InputReader {
  const byName = readerOf(programName(argv[0] ?? ""), argv);
  if (path === null) return byName;
  const byPath = readerOf(programName(path), argv);
  return STRICTNESS.indexOf(byPath.kind) < STRICTNESS.indexOf(byName.kind) ? byPath : byName;
}

const STRICTNESS: readonly InputReader["kind"][] = ["shell", "code", "keys", "answer"];

/** Of several concurrent readers, the most powerful one. */
export function strictestReader(readers: readonly InputReader[]): InputReader {
  const first = STRICTNESS.flatMap((kind) => readers.filter((reader) => reader.kind === kind))[0];
  return first ?? { kind: "shell", program: "" };
}

function readerOf(program: string, argv: readonly string[]): InputReader {
  const words = argv.slice(1);
  const args = words.map((word) => field(word));
  if (SHELL_PROGRAMS.has(program)) {
    // `bash -O extglob` has no script.
    const [operand] = parseShellOptions(args).rest;
    // A shell with a script reads answers for it; one without reads commands.
    const hasScript = operand !== undefined && !words.some((word) => /^-[a-zA-Z]*[is]/.test(word));
    return { kind: hasScript ? "answer" : "shell", program };
  }
  if (PASSES_ON.has(program)) return { kind: "shell", program };
  const task = taskShell(program, words);
  if (task !== null) return { kind: "code", program, asArgv: task };
  if (CODE_CLIENTS.has(program)) return { kind: "code", program };
  const language = languageOf(program);
  if (language !== undefined) {
    // The first line of `/usr/bin/ipython` makes it `python3 /usr/bin/ipython`.
    const inner = scriptReader(words, args, language);
    if (inner !== null) return inner;
    // `python3 -X dev` names no script: `dev` is the value of an option.
    const hasScript = findCode(language, args).type !== "stdin" && !words.some((word) => /^-[a-zA-Z]*i/.test(word));
    return { kind: hasScript && !readsCode(program, words) ? "answer" : "code", program };
  }
  const counts = COUNTS_BYTES.get(program);
  if (counts !== undefined && words.some((word) => counts.test(word)))
    return { kind: "answer", program, takesBytes: true };
  const family = keyFamilyOf(program);
  return family === null ? { kind: "answer", program } : { kind: "keys", program, family };
}

/** The reader that a script or a module is by its own name; null if it is an ordinary one. */
function scriptReader(words: readonly string[], args: readonly Field[], language: Language): InputReader | null {
  const found = findCode(language, args);
  const module = language.look === "python" ? words.indexOf("-m") + 1 : 0;
  const at = found.type === "file" ? args.indexOf(found.path) : module > 0 ? module : -1;
  const script = words[at];
  if (script === undefined) return null;
  const reader = readerOf(programName(script), words.slice(at));
  return reader.kind === "answer" ? null : reader;
}

/** The command that runs the same code: what the console of a framework reads is in another language than its program. */
function taskShell(program: string, words: readonly string[]): readonly string[] | null {
  const names = words.filter((word) => !word.startsWith("-")).map((word) => word.split("/").at(-1) ?? "");
  const follows = (script: string, tasks: RegExp) =>
    program === script
      ? tasks.test(names[0] ?? "")
      : names.some((name, at) => name === script && tasks.test(names[at + 1] ?? ""));
  if (follows("rails", /^(?:dbconsole|db)$/) || follows("manage.py", /^dbshell$/)) return ["psql", "-c"];
  if (follows("rails", /^(?:console|c)$/)) return ["rails", "runner"];
  if (follows("manage.py", /^shell/)) return ["python", "manage.py", "shell", "-c"];
  if (follows("artisan", /^tinker$/)) return ["php", "artisan", "tinker", "--execute"];
  return program === "flask" || program === "django-admin" ? ["python3", "-c"] : null;
}

/** Programs that may stop reading in the middle of a line; the shell reads the rest. */
const COUNTS_BYTES: ReadonlyMap<string, RegExp> = new Map([
  ["head", /^(?:-[a-zA-Z]*c|--bytes)/],
  ["dd", /^./],
  ["od", /^(?:-[a-zA-Z]*N|--read-bytes)/],
  ["xxd", /^(?:-[a-z]*l|-len)/],
  ["hexdump", /^-[a-zA-Z]*n/],
]);

/** A login shell's name starts with a dash, and Debian's editors have a suffix for their build. */
function programName(path: string): string {
  const name = (path.split("/").at(-1) ?? "").replace(/^-/, "").replace(/ \(deleted\)$/, "");
  return name.replace(/\.(basic|tiny|nox|gtk3?|athena|traditional|openbsd|gnu|real|bin)$|-(gtk|nox|lucid|x|pgtk)$/, "");
}
