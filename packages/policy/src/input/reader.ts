import { languageOf } from "../programs/code/interpreters.ts";
import { SHELL_PROGRAMS } from "../programs/code/shells.ts";
import { type KeyFamily, keyFamilyOf } from "./navigation-keys.ts";

/** What a program does with what is typed into it. */
export type InputReader =
  /** It runs lines as commands: a shell, here or on another machine. */
  | { kind: "shell"; program: string }
  /** It runs lines as code of its own: a REPL, a debugger, a database client. */
  | { kind: "code"; program: string }
  /** Each key is a command of its own, and some of them start programs: a pager, an editor, a file manager. */
  | { kind: "keys"; program: string; family: KeyFamily }
  /** It takes one line as an answer, or so many bytes of it that only a single key is sure to be all its own. */
  | { kind: "answer"; program: string; takesBytes?: boolean };

/** They pass the keyboard on to a shell that cannot be seen from here. */
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

/** `python3 -m pdb`, `node inspect`, `perl -d`, `php -a`: a script is named, and the keyboard still gives code. */
const READS_CODE: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(python|pypy)/,
    /(^| )-m ?(pdb|ipdb|pudb|code|IPython|ptpython|bpython|idlelib|asyncio|sqlite3|trace)( |$)|(^| )\S*manage\.py (shell|dbshell)/,
  ],
  [/^(node|nodejs|iojs|bun|deno)$/, /(^| )(inspect|debug|repl|-i|--interactive)( |$)/],
  [/^perl/, /(^| )-[a-zA-Z]*d/],
  [/^j?ruby/, /(^| )-r ?(debug|byebug|pry|irb)/],
  [/^php/, /(^| )(-a|--interactive)( |$)|artisan tinker/],
];

/**
 * Who reads what is typed, by the argument list of the program in the foreground and, where the kernel tells it,
 * the file that really runs: a program can call itself what it likes, so the stricter of the two counts.
 */
export function inputReaderOf(argv: readonly string[], path: string | null = null): InputReader {
  const byName = readerOf(programName(argv[0] ?? ""), argv);
  if (path === null) return byName;
  const byPath = readerOf(programName(path), argv);
  return STRICTNESS.indexOf(byPath.kind) < STRICTNESS.indexOf(byName.kind) ? byPath : byName;
}

const STRICTNESS: readonly InputReader["kind"][] = ["shell", "code", "keys", "answer"];

/** Of several that read at once, the one that does most with what it gets. */
export function strictestReader(readers: readonly InputReader[]): InputReader {
  const first = STRICTNESS.flatMap((kind) => readers.filter((reader) => reader.kind === kind))[0];
  return first ?? { kind: "shell", program: "" };
}

function readerOf(program: string, argv: readonly string[]): InputReader {
  const words = argv.slice(1);
  const operand = words.find((word) => !word.startsWith("-"));
  if (SHELL_PROGRAMS.has(program)) {
    // A shell that was given a script reads answers for it; one that was given none reads commands.
    const hasScript = operand !== undefined && !words.some((word) => /^-[a-zA-Z]*[is]/.test(word));
    return { kind: hasScript ? "answer" : "shell", program };
  }
  if (PASSES_ON.has(program)) return { kind: "shell", program };
  if (CODE_CLIENTS.has(program)) return { kind: "code", program };
  if (languageOf(program)) {
    const line = words.join(" ");
    const readsCode = READS_CODE.some(([name, use]) => name.test(program) && use.test(line));
    const hasScript = operand !== undefined && !words.some((word) => /^-[a-zA-Z]*i/.test(word));
    return { kind: hasScript && !readsCode ? "answer" : "code", program };
  }
  if (COUNTS_BYTES.get(program)?.test(words.join(" "))) return { kind: "answer", program, takesBytes: true };
  const family = keyFamilyOf(program);
  return family === null ? { kind: "answer", program } : { kind: "keys", program, family };
}

/** They stop in the middle of a line, and the shell reads on from there. */
const COUNTS_BYTES: ReadonlyMap<string, RegExp> = new Map([
  ["head", /(^| )(-[a-zA-Z]*c|--bytes)/],
  ["dd", /./],
  ["od", /(^| )(-[a-zA-Z]*N|--read-bytes)/],
  ["xxd", /(^| )(-[a-z]*l|-len)/],
  ["hexdump", /(^| )-[a-zA-Z]*n/],
]);

/** A login shell's name begins with a dash, and Debian's editors end in the way they were built. */
function programName(path: string): string {
  const name = (path.split("/").at(-1) ?? "").replace(/^-/, "").replace(/ \(deleted\)$/, "");
  return name.replace(/\.(basic|tiny|nox|gtk3?|athena|traditional|openbsd|gnu|real|bin)$|-(gtk|nox|lucid|x|pgtk)$/, "");
}
