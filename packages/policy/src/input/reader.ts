import { field } from "../language/state/values.ts";
import { findCode, languageOf } from "../programs/code/languages.ts";
import { parseShellOptions, SHELL_PROGRAMS } from "../programs/code/shells.ts";
import { type KeyFamily, keyFamilyOf } from "./navigation-keys.ts";

/** What a program does with typed input. */
export type InputReader =
  /** It runs lines as commands: a shell, here or on another machine. */
  | { kind: "shell"; program: string }
  /** It runs lines as code: a REPL, a debugger, a database client. */
  | { kind: "code"; program: string }
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
  if (CODE_CLIENTS.has(program)) return { kind: "code", program };
  const language = languageOf(program);
  if (language !== undefined) {
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
