import { languageOf } from "../programs/interpreters.ts";
import { SHELL_PROGRAMS } from "../programs/shells.ts";

/** What a program does with the lines that are typed into it. */
export type InputReader =
  /** It runs them as commands: a shell, here or on another machine. */
  | { kind: "shell"; program: string }
  /** It runs them as code of its own: a REPL, a debugger, a database client. */
  | { kind: "code"; program: string }
  /** It takes them as an answer; what follows its escape mark, if it has one, goes to a shell. */
  | { kind: "answer"; program: string; shellEscape: string | null };

/** They pass the keyboard on to a shell that cannot be seen from here. */
const PASSES_ON = new Set(
  "ssh mosh telnet rlogin docker podman kubectl oc nsenter chroot unshare su sudo doas machinectl virsh lxc incus screen tmux script adb vagrant multipass wsl".split(
    " ",
  ),
);

const CODE_CLIENTS = new Set(
  "psql mysql mariadb sqlite3 sqlplus mongosh mongo redis-cli cqlsh duckdb clickhouse-client clickhouse gdb lldb pdb ipython jupyter-console bpython ghci ocaml utop iex erl jshell scala bc dc gnuplot octave maxima ftp sftp lftp".split(
    " ",
  ),
);

const ESCAPES = new Set(
  "vi vim nvim view less more most man ex ed emacs nano mutt mail crontab info w3m top".split(" "),
);

/**
 * Who reads what is typed, by the argument list of the program in the foreground.
 *
 * A shell that was given a script reads answers for it; one that was given none reads commands.
 */
export function inputReaderOf(argv: readonly string[]): InputReader {
  const program = baseName(argv[0] ?? "");
  const operand = argv.slice(1).find((word) => !word.startsWith("-"));
  if (SHELL_PROGRAMS.has(program)) {
    const hasScript = operand !== undefined && !argv.slice(1).some((word) => /^-[a-zA-Z]*[is]/.test(word));
    return hasScript ? { kind: "answer", program, shellEscape: null } : { kind: "shell", program };
  }
  if (PASSES_ON.has(program)) return { kind: "shell", program };
  if (CODE_CLIENTS.has(program)) return { kind: "code", program };
  if (languageOf(program)) {
    const hasScript = operand !== undefined && !argv.slice(1).some((word) => /^-[a-zA-Z]*i/.test(word));
    return hasScript ? { kind: "answer", program, shellEscape: null } : { kind: "code", program };
  }
  return { kind: "answer", program, shellEscape: ESCAPES.has(program) ? "!" : null };
}

/** A login shell's name begins with a dash. */
function baseName(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/^-/, "");
}
