import type { Shell } from "../language/grammar/shell.ts";
import { type Field, field, HOLE, has, type Stream, stream, TAINTS_NEVER_RUN } from "../language/state/values.ts";
import { programNamed } from "./catalog/index.ts";
import { writtenScripts } from "./code/script-files.ts";
import { readSedScript, sedScripts } from "./code/scripts/sed-script.ts";
import { isHarmlessInVim } from "./code/scripts/vim-commands.ts";
import { readUse } from "./effects/read-use.ts";
import { type OptionSpec, parseOptions } from "./options.ts";

/** Programs with options or operands that contain a command line. Each finds the code in its arguments. */
type FindCode = (args: readonly Field[], stdin: Stream, scripts: readonly Field[]) => readonly Field[];

/**
 * Runs the commands in options: `tar --to-command=…`, `git -c core.pager=…`, `rsync -e …`. The rules judge the option
 * itself; here only what it runs matters.
 */
export function runCommandOptions(shell: Shell, program: string, args: readonly Field[], stdin: Stream): void {
  const find = CODE_IN.get(program);
  const known = programNamed(program);
  const options = known === undefined ? [] : readUse(known, program, args).options;
  const given = options
    .filter(({ kind, value }) => kind === "code" && value !== null)
    .flatMap(({ value }) => value ?? []);
  if (find === undefined && given.length === 0) return;
  const scripts = writtenScripts(shell, program, args);
  // Searching more text for code would take too long.
  const searched = [...args, ...scripts];
  if (searched.reduce((length, arg) => length + arg.text.length, stdin.text?.length ?? 0) > MAX_SEARCHED) {
    shell.note("too-complex", program);
    return;
  }
  for (const code of [...given, ...(find?.(args, stdin, scripts) ?? [])]) {
    shell.inSubshell(() =>
      shell.under({ wrappers: [...shell.how.wrappers, program] }, () => shell.runText(code, stream(""), program)),
    );
  }
}

/** How many characters of arguments and input are searched for code. */
const MAX_SEARCHED = 8_192;

function options(names: readonly string[], spec: OptionSpec = {}): FindCode {
  const isShort = (name: string) => /^-[A-Za-z]$/.test(name);
  const letters = names.filter(isShort).map((name) => name.slice(1));
  const long = names.filter((name) => name.startsWith("--")).map((name) => name.slice(2));
  const complete = { ...spec, short: letters.join("") + (spec.short ?? ""), long: [...long, ...(spec.long ?? [])] };
  return (args) => {
    const parsed = parseOptions(args, complete);
    return names.flatMap((name) => parsed.options.get(name) ?? []);
  };
}

/** The matching part of each text, as code. */
const inTexts =
  (pattern: RegExp): FindCode =>
  (args, stdin, scripts) => {
    const texts = [...args, ...scripts, ...(stdin.text === null ? [] : [field(stdin.text, stdin.taint)])];
    return texts.flatMap((arg) => [...arg.text.matchAll(pattern)].map((match) => field(match[1] ?? "", arg.taint)));
  };

const all =
  (...finders: readonly FindCode[]): FindCode =>
  (args, stdin, scripts) =>
    finders.flatMap((find) => find(args, stdin, scripts));

/** Git's `-c key=value`, if the key names a program. */
const GIT_COMMAND_KEY =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|fsmonitor|hookspath|gitproxy)|pager\.[\w-]+|alias\.[\w-]+|sequence\.editor|diff\.external|diff\.[\w-]+\.(?:command|textconv)|difftool\.[\w-]+\.cmd|mergetool\.[\w-]+\.cmd|merge\.[\w-]+\.driver|filter\.[\w-]+\.(?:clean|smudge|process)|credential(?:\.[^=]*)?\.helper|gpg(?:\.[\w]+)?\.program|web\.browser|browser\.[\w-]+\.cmd|man\.[\w-]+\.cmd|remote\.[\w-]+\.(?:uploadpack|receivepack|vcs)|uploadpack\.packobjectshook|sendemail\.\w+|trailer\.[\w-]+\.(?:command|cmd)|interactive\.difffilter|ssh\.variant|protocol\.ext\.allow|include\.path)$/i;

export function gitCommandSetting(text: string): { key: string; value: string } | null {
  const equals = text.indexOf("=");
  const key = equals < 0 ? text : text.slice(0, equals);
  return GIT_COMMAND_KEY.test(key) ? { key, value: equals < 0 ? "" : text.slice(equals + 1) } : null;
}

const gitNamedCode = options(
  [
    "--upload-pack",
    "--receive-pack",
    "--exec",
    "--open-files-in-pager",
    "--extcmd",
    "--tree-filter",
    "--index-filter",
    "--msg-filter",
    "--env-filter",
    "--commit-filter",
    "--parent-filter",
    "--tag-name-filter",
  ],
  { short: "C" },
);

const gitCode: FindCode = (args) => {
  const verb = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  const codes: Field[] = [];
  for (const [at, arg] of args.entries()) {
    const next = args[at + 1];
    const setting =
      arg.text === "-c" || arg.text === "--config"
        ? next
        : /^(?:-c|--config=|--config-env=)(?=\w)/.test(arg.text)
          ? field(arg.text.replace(/^(-c|--config(-env)?=)/, ""), arg.taint)
          : undefined;
    const found = setting && gitCommandSetting(setting.text);
    if (found) codes.push(field(found.value.replace(/^!/, ""), setting.taint));
    // `git config alias.x '!cmd'`
    if (args[0]?.text === "config" && next && gitCommandSetting(arg.text))
      codes.push(field(next.text.replace(/^!/, ""), next.taint));
    const transport = /^ext::([\s\S]*)$/.exec(arg.text);
    if (transport) codes.push(field((transport[1] ?? "").replace(/%(.)/g, "\\$1"), arg.taint));
    const runs =
      arg.text === "-x" ? /^(rebase|difftool)$/ : arg.text === "-u" ? /^(clone|fetch-pack|send-pack)$/ : null;
    if (runs?.test(verb) && next) codes.push(next);
    if (/^-O./.test(arg.text)) codes.push(field(arg.text.slice(2), arg.taint));
    if (["foreach", "run"].includes(arg.text) && at > 0 && ["submodule", "bisect"].includes(args[at - 1]?.text ?? "")) {
      codes.push(
        field(
          args
            .slice(at + 1)
            .map((word) => word.text)
            .join(" "),
        ),
      );
    }
  }
  // Most git commands have no long option at all.
  const named = args.some(({ text }) => text.startsWith("--")) ? gitNamedCode(args, stream(""), []) : [];
  return [...codes, ...named];
};

/** Code from standard input. */
const fromInput: FindCode = (_args, stdin) => {
  if (stdin.text !== null) return stdin.text === "" ? [] : [field(stdin.text, stdin.taint)];
  return has(stdin.taint, TAINTS_NEVER_RUN) ? [field(HOLE, stdin.taint)] : [];
};

/** `awk` runs commands that it pipes to, reads from, or passes to `system`. */
const AWK_CODE =
  /(?:system\s*\(\s*|\|&?\s*|\|&?\s*getline[^"]*)"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/g;

const AWK_RUNS_DATA = /\bsystem\s*\(\s*[^"\s)]|[A-Za-z_]\w*\s*\|&?\s*getline|\|&?\s*[A-Za-z_]/;

const MAX_AWK = 4_096;

/** `"rm " ENVIRON["HOME"]` is one string. */
const withHome = ({ text, taint }: Field): Field =>
  text.includes("ENVIRON")
    ? field(
        text.replace(/"\s+ENVIRON\["HOME"\](\s+")?/g, (_whole, more) => (more === undefined ? '~"' : "~")),
        taint,
      )
    : field(text, taint);

const awkCode: FindCode = (args, stdin, scripts) => [
  ...[...args, ...scripts].map(withHome).flatMap((arg) => {
    // People do not write this by hand on a command line, and it is too long to analyse.
    if (arg.text.length > MAX_AWK) return [field(HOLE, arg.taint)];
    if (isOnlyText(arg.text)) return [];
    const direct = [...arg.text.matchAll(AWK_CODE)].map((match) => match[1] ?? match[2] ?? "");
    // A computed command may be any string in the program.
    const isIndirect = AWK_RUNS_DATA.test(arg.text);
    const strings = isIndirect ? [...arg.text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? "") : [];
    return [...direct, ...strings].map((text) => field(text.replace(/\\(["\\/])/g, "$1"), arg.taint));
  }),
  ...awkArguments([...args, ...scripts]),
  // `-f -` reads the program from the input; `system($0)` runs what it reads.
  ...([...args, ...scripts].some(
    ({ text }, at) =>
      (text.length <= MAX_AWK && AWK_RUNS_DATA.test(text)) ||
      (/^(-|\/dev\/stdin)$/.test(text) && args[at - 1]?.text === "-f"),
  )
    ? fromInput(args, stdin, scripts)
    : []),
];

/** `print "system(\"x\")"`: such code only stands in strings. With patterns or comments, where strings end is uncertain. */
function isOnlyText(program: string): boolean {
  return !/[/#|]|\bsystem\b|\bgetline\b/.test(program.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
}

/** `awk -v c='rm x' '{ print | c }'`: a computed command may also be any of the arguments. */
function awkArguments(args: readonly Field[]): Field[] {
  const isIndirect = (text: string) => text.length <= MAX_AWK && AWK_RUNS_DATA.test(text);
  if (!args.some(({ text }) => isIndirect(text))) return [];
  return args
    .filter(({ text }) => text.includes(" ") && !isIndirect(text))
    .map(({ text, taint }) => field(text.replace(/^(?:-v)?[A-Za-z_]\w*=/, ""), taint));
}

/** `sed 1e cmd`, `s/x/cmd/e`: GNU sed runs them. */
const sedCode: FindCode = (args, _stdin, scripts) =>
  [...sedScripts(args), ...scripts].flatMap((arg) =>
    readSedScript(arg.text).commands.map((command) => field(command, arg.taint)),
  );

const editorCode = all(
  (args, stdin, scripts) =>
    options(["-c", "--cmd", "--eval", "-eval"])(args, stdin, scripts).filter(({ text }) => !isHarmlessInVim(text)),
  inTexts(/(?:^|[\s:+|])!\s*([^\n]+)/g),
  inTexts(/\bsystem\(\s*["']([^"']*)["']/g),
  inTexts(/shell-command\s+"([^"]*)"/g),
  inTexts(/os\.(?:system|execute)\(\s*["']([^"']*)/g),
);

/** In CMake, environment variables are `$ENV{HOME}` and its own variables `${X}`. */
const cmakeCode: FindCode = (args, stdin, scripts) =>
  inTexts(/execute_process\(\s*COMMAND\s+([^)]*)/g)(args, stdin, scripts).map(({ text, taint }) =>
    field(text.replace(/\$ENV\{(\w+)\}/g, "$$$1"), taint),
  );

/** Commands of tmux with a command line, or with another command of tmux that has one. */
const TMUX_RUNS =
  /^(?:new|new-session|neww|new-window|split-window|splitw|run|run-shell|send-keys|send|if|if-shell|respawn-pane|respawnp|respawn-window|respawnw|pipe-pane|pipep|display-popup|popup|bind|bind-key|set-hook|set|set-option)$/;
const TMUX_VERB = /^\s*(?:run-shell|run|new-window|neww|split-window|splitw|respawn-pane|pipe-pane)\s+(?:-\w+\s+)*/;

const CODE_IN: ReadonlyMap<string, FindCode> = new Map<string, FindCode>([
  ["git", gitCode],
  ...["awk", "gawk", "mawk", "nawk", "original-awk"].map((name) => [name, awkCode] as const),
  ...["sed", "gsed"].map((name) => [name, sedCode] as const),
  [
    "tar",
    all(
      options(
        ["--to-command", "--use-compress-program", "--rsh-command", "--info-script", "--new-volume-script", "-I", "-F"],
        { short: "CfXTbgKNV" },
      ),
      inTexts(/checkpoint-action=exec=(.*)/g),
    ),
  ],
  ["bsdtar", options(["--use-compress-program"])],
  ["zip", options(["-TT", "--unzip-command"], { singleDashLong: true, long: ["TT"] })],
  // Perl opens a name with a bar as a command: `perl -ne print 'ls |'`.
  ["perl", all(inTexts(/^([^|\n;{}$]+)\|\s*$/g), inTexts(/^\s*\|([^|\n;{}$]+)$/g))],
  ["rsync", options(["-e", "--rsh", "--rsync-path"])],
  ["sort", options(["--compress-program"])],
  ["split", options(["--filter"])],
  ["rg", options(["--pre", "--hostname-bin"])],
  ["man", options(["-P", "--pager", "-H", "--html"])],
  [
    "ssh",
    inTexts(/^(?:-o)?(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand|PermitLocalCommand)[= ](.*)$/gi),
  ],
  ["scp", all(options(["-S"]), inTexts(/^(?:-o)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/gi))],
  [
    "sftp",
    all(
      options(["-S"]),
      inTexts(/^(?:-o)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/gi),
      inTexts(/^[ \t]*!\s*(.*)$/gm),
    ),
  ],
  [
    "gdb",
    inTexts(
      /(?:^|\n)[ \t]*(?:!|shell\s|pipe\s|python\s*import os;\s*os\.system\(['"]|python\s+os\.system\(['"]|python\s+__import__\(['"]os['"]\)\.system\(['"])\s*([^'")\n]+)/g,
    ),
  ],
  ["lldb", inTexts(/(?:platform shell|shell)\s+(.+)/g)],
  ["sqlite3", inTexts(/(?:^|[\n;]|\s-cmd\s)\s*\.(?:shell|system)\s+(.+)/g)],
  ["mysql", inTexts(/(?:^|[\s;])(?:\\!|system)\s+([^;]+)/g)],
  ["mariadb", inTexts(/(?:^|[\s;])(?:\\!|system)\s+([^;]+)/g)],
  ["psql", all(inTexts(/\\!\s*(.+)/g), inTexts(/PROGRAM\s+'([^']*)'/gi), inTexts(/\\o\s*\|\s*(.+)/g))],
  ["expect", inTexts(/(?:exec|spawn|system)\s+([^;\n}]+)/g)],
  ["tclsh", inTexts(/exec\s+([^;\n}\]]+)/g)],
  ["dc", inTexts(/!\s*([^\n]+)/g)],
  ["bc", inTexts(/^!\s*([^\n]+)/gm)],
  ["ed", inTexts(/(?:^|\n)[ \t]*(?:r\s+|w\s+)?!\s*([^\n]+)/g)],
  ["ex", editorCode],
  ...["vi", "vim", "nvim", "view", "vimdiff", "rvim", "less", "more", "most", "emacs", "nano"].map(
    (name) => [name, editorCode] as const,
  ),
  ["ftp", inTexts(/(?:^|\n)[ \t]*!\s*([^\n]+)/g)],
  ["m4", inTexts(/(?:syscmd|esyscmd)\(\s*[`'"]?([^)'"]*)/g)],
  [
    "make",
    all(
      inTexts(/\$\(shell\s+([^)]*)\)/g),
      inTexts(/^SHELL=(.*)$/g),
      inTexts(/\n?[^\s:]+:[^\n]*\n\t[@-]*([^\n]+)/g),
      inTexts(/^[^\s:=]+:\s*;\s*([^\n]+)/gm),
    ),
  ],
  ["gmake", inTexts(/\$\(shell\s+([^)]*)\)/g)],
  ["nmap", inTexts(/os\.execute\(['"]([^'"]*)/g)],
  ["tcpdump", options(["-z"], { short: "wriGWC" })],
  ["wget", options(["--use-askpass"])],
  ["apt-get", inTexts(/(?:Pre-Invoke|Post-Invoke|Pre-Install-Pkgs)(?:::)?=(.*)/g)],
  ["apt", inTexts(/(?:Pre-Invoke|Post-Invoke|Pre-Install-Pkgs)(?:::)?=(.*)/g)],
  ["socat", inTexts(/(?:EXEC|SYSTEM):["']?([^,"']+)/gi)],
  ["nc", options(["-e", "-c", "--exec", "--sh-exec"])],
  ["ncat", options(["-e", "-c", "--exec", "--sh-exec"])],
  ["rpm", inTexts(/%\(([^)]*)\)/g)],
  ["cmake", cmakeCode],
  ...["tex", "latex", "pdflatex", "xelatex", "lualatex"].map((name) => [name, inTexts(/write18\{([^}]*)\}/g)] as const),
  // The next `npm run` may run a script that is added to the manifest.
  ...["npm", "pnpm"].map((name) => [name, inTexts(/^scripts\.[\w:.-]+=([\s\S]+)$/g)] as const),
  ["crontab", (args, stdin) => (stdin.text === null ? fromInput(args, stdin, []) : cronLines(stdin))],
  ["at", fromInput],
  ["batch", fromInput],
  [
    "tmux",
    (args) =>
      TMUX_RUNS.test(args[0]?.text ?? "")
        ? args
            .slice(1)
            .filter(({ text }) => !text.startsWith("-") && !/^(Enter|C-m)$/.test(text))
            .map(({ text, taint }) => field(text.replace(TMUX_VERB, ""), taint))
            .slice(/^(?:if|if-shell|bind|bind-key|set-hook|set|set-option)$/.test(args[0]?.text ?? "") ? 0 : -1)
        : [],
  ],
  [
    "screen",
    (args) => {
      const at = args.findIndex((arg) => /^-[dDmSXLr]+$/.test(arg.text) === false && !arg.text.startsWith("-"));
      return at < 0
        ? []
        : [
            field(
              args
                .slice(at)
                .map((arg) => arg.text)
                .join(" "),
            ),
          ];
    },
  ],
]);

/** The commands of a crontab: what follows the five fields, or the nickname. */
function cronLines(stdin: Stream): Field[] {
  return (stdin.text ?? "").split("\n").flatMap((line) => {
    const match = /^\s*(?:@\w+|(?:\S+\s+){5})(.*)$/.exec(line);
    return match?.[1] ? [field(match[1], stdin.taint)] : [];
  });
}
