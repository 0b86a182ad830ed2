import { classifyPath } from "../../dangers/paths/danger-paths.ts";
import { projectOf } from "../../dangers/paths/project-paths.ts";
import type { FileEffect } from "../../language/commands/invocation.ts";
import { recordGroup } from "../../language/commands/redirections.ts";
import type { Call, Handled, Shell } from "../../language/grammar/shell.ts";
import { type Field, field, has, type Stream, stream, TAINT, TAINTS_NEVER_RUN } from "../../language/state/values.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { programNamed } from "../catalog/index.ts";
import { noteWrittenCode, readPath } from "../effects/file-streams.ts";
import { printedField } from "../effects/output/settings-fields.ts";
import { destroysBySql } from "../names/grave-words.ts";
import { lookAtCode } from "./code-look.ts";
import { separate } from "./code-text.ts";
import { dangersInCode } from "./inline-code.ts";
import { findCode, type Language, languageOf } from "./languages.ts";
import { findPowerShellCode } from "./scripts/powershell.ts";
import { isProgram } from "./written/file-commands.ts";

/** Interpreters of general-purpose languages: inline code, a script, or code on standard input. */
export function runInterpreter(shell: Shell, program: string, args: readonly Field[], call: Call): Handled | null {
  if (program === "rails") return runRailsRunner(shell, args, call.stdin);
  if (program === "mix") return runMixCode(shell, args);
  const language = languageOf(program);
  // `bun x tool` works like npx.
  if (language === undefined || (program === "bun" && args[0]?.text === "x")) return null;
  const command = language.look === "ruby" ? rubyUtility(args) : null;
  if (command !== null)
    return shell.under({ wrappers: [...shell.how.wrappers, program] }, () => runNamed(shell, command, call));
  const isPowerShell = /^(?:pwsh|powershell)/i.test(program);
  const found = isPowerShell ? findPowerShellCode(args) : findCode(language, args);
  let taint = args.reduce((all, arg) => all | arg.taint, 0);
  const encoding = args.some(({ text }) => language.encoded?.test(text)) ? TAINT.encoded : 0;
  switch (found.type) {
    case "inline":
      for (const code of found.codes) {
        // Modules can be named on the command line: `perl -MLWP::Simple`.
        const modules = args.filter(({ text }) => /^-[Mmr]\S/.test(text)).map(({ text }) => text);
        const whole = field([...modules, code.text].join("\n"), code.taint | encoding);
        noteInline(shell, language, program, whole, {
          isInPlace: args.some(({ text }) => /^-[a-zA-Z0-9]*i/.test(text)),
        });
        judgeCode(shell, whole, program);
        if (isPowerShell) runPowerShell(shell, code, program);
        taint |= outputTaint(code.text);
      }
      break;
    case "file":
      if (onlyParses(language, args.slice(0, args.indexOf(found.path)))) break;
      runTaskShell(shell, language, program, found, args, call);
      taint |= runSource(shell, language, readScript(shell, found.path), found.path.text, program);
      break;
    case "stdin":
      taint |= runSource(shell, language, call.stdin, "standard input", program);
      break;
    case "module":
      runModule(shell, args, call);
      for (const code of timedCode(args)) {
        noteInline(shell, language, program, code, { isInPlace: false });
        judgeCode(shell, code, program);
      }
      // `python3 -m base64 -d` prints what it decoded.
      if (args.some(({ text }) => /^(base64|uu|quopri|zlib|gzip|codecs)$/.test(text))) taint |= TAINT.encoded;
  }
  const file = found.type === "inline" ? moduleFile(found.codes, shell.context.home) : null;
  const printed = file !== null ? stream(file) : printedField(shell, program, args);
  const output = printed ?? stream(null, taint | call.stdin.taint | TAINT.data);
  return { output, isTransparent: false };
}

/** `import x; print(x.__file__)` prints where a library is: outside of the project, and no secret. */
function moduleFile([code, ...others]: readonly Field[], home: string): string | null {
  const printed =
    /^\s*import ([A-Za-z_]\w*)(?:, ?os)?\s*[;\n]\s*print\((?:os\.path\.dirname\()?\1\.__(?:file|path)__(?:\[0\])?\)?\)\s*$/.exec(
      code?.text ?? "",
    );
  return printed === null || others.length > 0 ? null : `${home}/.local/lib/python/${printed[1]}/__init__.py\n`;
}

/** Any other option may load code first: `node --check -r ./x.js a.js`. */
function onlyParses({ parsesWith }: Language, options: readonly Field[]): boolean {
  return options.length > 0 && options.every(({ text }) => parsesWith?.includes(text));
}

/** `ruby -run -e rm -- -r dir`: a Ruby library that implements the usual file commands. */
function rubyUtility(args: readonly Field[]): readonly Field[] | null {
  const at = args.findIndex(({ text }) => text === "-e");
  const name = args[at + 1];
  if (at < 0 || name === undefined || !args.slice(0, at).some(({ text }) => text === "-run")) return null;
  const rest = args.slice(at + 2).filter(({ text }, index) => index > 0 || text !== "--");
  return [name.text === "httpd" ? field("http-server") : name, ...rest];
}

function runNamed(shell: Shell, command: readonly Field[], call: Call): Handled {
  const output = shell.inSubshell(() => shell.runArgv(command, { ...call, effects: [] }));
  return { output, isTransparent: true };
}

/** PowerShell has a grammar of its own, so its code is only read approximately. */
function runPowerShell(shell: Shell, code: Field, program: string): void {
  shell.inSubshell(() => {
    shell.state.dialect = "other";
    return shell.under({ wrappers: [...shell.how.wrappers, program] }, () => shell.runText(code, stream(""), program));
  });
}

/** Methods of Active Record, Ecto and similar libraries that change, delete, run or send. */
const APP_CHANGES =
  /\b\w*(?:delete|destroy|update|create|save|insert|upsert|truncate|drop|execute|touch|increment|decrement|toggle|perform|deliver|enqueue|migrate|reset|purge|transaction|find_or_create|credentials|secrets)\w*/i;

/** `rails runner 'puts User.count'`: Ruby code with access to the whole application. */
function runRailsRunner(shell: Shell, args: readonly Field[], stdin: Stream): Handled | null {
  const [verb, given] = args.filter(({ text }) => !text.startsWith("-"));
  const isConsole = /^(?:console|c)$/.test(verb?.text ?? "") && (stdin.text ?? "") !== "";
  const code = isConsole ? field(stdin.text ?? "", stdin.taint) : given;
  const ruby = languageOf("ruby");
  if (!(isConsole || /^(?:runner|r)$/.test(verb?.text ?? "")) || code === undefined || ruby === undefined) return null;
  if (/\.rb$/.test(code.text)) return null;
  if (APP_CHANGES.test(code.text)) shell.note("grave-code", "rails", code.taint);
  else noteInline(shell, ruby, "rails", code, { isInPlace: false });
  judgeCode(shell, code, "ruby");
  return { output: stream(null, TAINT.data), isTransparent: false };
}

/** `mix run -e 'IO.puts(App.version())'`, `mix eval …`: Elixir code with access to the whole application. */
function runMixCode(shell: Shell, args: readonly Field[]): Handled | null {
  const [verb] = args;
  const elixir = languageOf("elixir");
  if (elixir === undefined || !/^(?:run|eval)$/.test(verb?.text ?? "")) return null;
  const codes = args.flatMap((arg, at) => {
    if (/^(?:-e|--eval)$/.test(args[at - 1]?.text ?? "")) return [arg];
    const attached = /^(?:-e|--eval)=?([\s\S]+)$/.exec(arg.text)?.[1];
    return attached === undefined ? [] : [field(attached, arg.taint)];
  });
  const evaluated = verb?.text === "eval" ? args.slice(1).filter(({ text }) => !text.startsWith("-")) : [];
  for (const code of [...codes, ...evaluated]) {
    // The whole application is within its reach, so code that is not understood is grave.
    const isUnclear = lookAtCode("elixir", code.text).does === "unclear";
    if (isUnclear || APP_CHANGES.test(code.text)) shell.note("grave-code", "mix", code.taint);
    else noteInline(shell, elixir, "mix", code, { isInPlace: false });
    judgeCode(shell, code, "elixir");
  }
  return codes.length + evaluated.length === 0 ? null : { output: stream(null, TAINT.data), isTransparent: false };
}

/** `python -m pytest …` is pytest, and `python -m app.tasks …` the project's script `app/tasks.py`. */
function runModule(shell: Shell, args: readonly Field[], call: Call): void {
  const at = args.findIndex(({ text }) => /^-[bBdEIOPqRsSuvx]*m/.test(text));
  const attached = /^-[a-zA-Z]*?m(.+)$/.exec(args[at]?.text ?? "")?.[1];
  const name = attached ?? args[at + 1]?.text ?? "";
  const program = [`python:${name}`, MODULE_PROGRAMS.get(name) ?? name].find((one) => programNamed(one) !== undefined);
  if (at < 0) return;
  const rest = args.slice(attached === undefined ? at + 2 : at + 1);
  const run = (argv: readonly Field[]) =>
    shell.under({ wrappers: [...shell.how.wrappers, "python"] }, () =>
      shell.inSubshell(() => shell.runArgv([...argv, ...rest], { ...call, effects: [] })),
    );
  if (program !== undefined) run([field(program)]);
  else if (/^[a-z_]\w*(?:\.\w+)*$/i.test(name)) {
    const path = name.replaceAll(".", "/");
    const packaged = `${path}/__main__.py`;
    const isPackage = shell.readFile(packaged).isWritten === true;
    run([field("python3"), field(isPackage ? packaged : `${path}.py`)]);
  }
}

/** Modules whose program has another name. */
const MODULE_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["venv", "virtualenv"],
  ["sphinx", "sphinx-build"],
  ["pre_commit", "pre-commit"],
  ["pip_audit", "pip-audit"],
]);

/** `python -m timeit -s setup statement …`: all arguments are code. */
function timedCode(args: readonly Field[]): readonly Field[] {
  const at = args.findIndex(({ text }) => text === "timeit");
  if (at < 1 || !/^-[a-zA-Z]*m$/.test(args[at - 1]?.text ?? "")) return [];
  const rest = args.slice(at + 1);
  return rest.filter(
    (arg, index) =>
      !arg.text.startsWith("-") && !/^-[nrub]$|^--(number|repeat|unit)$/.test(rest[index - 1]?.text ?? ""),
  );
}

/** Scripts that take code of their language: `python manage.py shell -c …`, `php artisan tinker --execute=…`. */
function runTaskShell(
  shell: Shell,
  language: Language,
  program: string,
  { path }: { path: Field },
  args: readonly Field[],
  call: Call,
): void {
  const name = path.text.replace(/^.*\//, "");
  const rest = args.slice(args.indexOf(path) + 1);
  if (name === "manage.py" && rest[0]?.text === "dbshell") {
    runDatabaseShell(shell, rest.slice(1), program, call);
    return;
  }
  const isShell =
    (name === "manage.py" && /^(shell|shell_plus)$/.test(rest[0]?.text ?? "")) ||
    (name === "artisan" && rest[0]?.text === "tinker");
  if (!isShell) return;
  const at = rest.findIndex(({ text }) => /^(-c|--command|--execute)(=|$)/.test(text));
  const option = rest[at];
  const attached = /^--\w+=([\s\S]*)$/.exec(option?.text ?? "")?.[1];
  const code = attached !== undefined ? field(attached, option?.taint) : rest[at + 1];
  if (at >= 0 && code !== undefined) {
    noteInline(shell, language, program, code, { isInPlace: false });
    judgeCode(shell, code, program);
  } else runSource(shell, language, call.stdin, "standard input", program);
}

/** A script that lies among secrets (`~/.aws/rotate.py`) is run and sent nowhere: only a copy of a secret counts as one. */
function readScript(shell: Shell, path: Field): Stream {
  const content = readPath(shell, path);
  const isCopy = has(shell.readFile(path.text).taint, TAINT.secret);
  return isCopy ? content : { ...content, taint: content.taint & ~TAINT.secret };
}

/** `manage.py dbshell -- -c 'select 1'`: the client of the project's database, which reads its statements like `psql`. */
function runDatabaseShell(shell: Shell, args: readonly Field[], program: string, call: Call): void {
  const given = args.slice(args.findIndex(({ text }) => text === "--") + 1);
  const own = given.length === args.length ? [] : given;
  if (own.some(({ text }) => destroysBySql(text))) shell.note("grave-code", program);
  shell.under({ wrappers: [...shell.how.wrappers, program] }, () =>
    shell.inSubshell(() => shell.runArgv([field("psql"), ...own], call)),
  );
}

/** Returns the taint of its possible output. */
function runSource(shell: Shell, language: Language, content: Stream, label: string, program: string): number {
  if (has(content.taint, TAINTS_NEVER_RUN)) shell.note("tainted-code", `${program} ${label}`, content.taint);
  if (content.text !== null && content.text !== "") {
    const file = label === "standard input" ? null : resolvePath(label, shell.state.cwd);
    const folder = file?.slice(0, file.lastIndexOf("/")) ?? shell.state.cwd;
    noteInline(shell, language, program, field(content.text, content.taint), { isInPlace: false, folder });
    judgeCode(shell, field(content.text, content.taint), program);
    return outputTaint(content.text);
  }
  noteWrittenCode(shell, content, label);
  // The input may be empty now, but not when the script runs.
  if (!content.text && label === "standard input")
    shell.note(shell.how.isInPipeline ? "dynamic-input" : "dynamic-code", `${program} ${label}`, content.taint);
  return 0;
}

/** Notes how far the code is understood, and records the files that it reads or writes. */
function noteInline(
  shell: Shell,
  { look }: Language,
  program: string,
  code: Field,
  { isInPlace, folder = shell.state.cwd }: { isInPlace: boolean; folder?: string | null },
): void {
  const seen = look === undefined ? null : lookAtCode(look, code.text);
  const empties = isInPlace && /s(.)\.[*+]\1\1|\bundef\b|\$_\s*=\s*(""|'')/.test(code.text);
  if (seen === null || seen.does === "unclear" || empties || code.taint !== 0 || code.text.trim() === "") {
    const isGrave = empties || (seen?.does === "unclear" && seen.isGrave) || (isInPlace && code.text.trim() === "");
    shell.note(isGrave ? "grave-code" : "inline-code", program, code.taint);
    return;
  }
  const isForeign = seen.loads.some((path) => {
    const full = path.startsWith(".") ? resolvePath(path, folder) : path;
    if (full === null) return true;
    if (isSystemLibrary(full) || shell.context.projectFolders.includes(full)) return false;
    return projectOf(full, shell.state.cwd, shell.context) === null;
  });
  // The code writes, but which of its paths it writes is not proven. A person looks at it.
  const mayHarm = seen.does === "edits" && seen.paths.some((path) => isCritical(path, shell.context.home));
  shell.note(isForeign || mayHarm ? "inline-code" : "readable-code", program, code.taint);
  const effects = seen.paths.flatMap((path): FileEffect[] => {
    const named = field(path.startsWith("~") ? shell.context.home + path.slice(1) : path);
    const reads: FileEffect = { type: "read", path: named, content: null };
    return seen.does === "edits" && !isCritical(path, shell.context.home)
      ? [reads, { type: "append", path: named, content: stream(null) }]
      : [reads];
  });
  if (effects.length > 0) recordGroup(shell, effects, stream(""));
  // A script for a shell that the code writes.
  const scripts = seen.does === "edits" && look !== undefined && seen.paths.some((path) => SHELL_FILE.test(path));
  const written = scripts ? (separate(look, code.text)?.strings ?? []).filter((text) => /\s/.test(text.trim())) : [];
  for (const command of [...seen.commands, ...written.filter((text) => isScript(text))]) {
    shell.inSubshell(() =>
      shell.under({ wrappers: [...shell.how.wrappers, program] }, () =>
        shell.runText(field(command), stream(""), program),
      ),
    );
  }
}

const SHELL_FILE = /\.(?:sh|bash|zsh|ksh)$|(?:^|\/)(?:[Mm]akefile|[Jj]ustfile)$|\/hooks\/[^/]+$/;

const isScript = (text: string) => text.startsWith("#!") || text.split("\n").some((line) => isProgram(line.trim()));

/** Whether it is a file that controls access rights, or a disk. Proven writes to it are denied by another rule. */
function isCritical(path: string, home: string): boolean {
  const { kind } = classifyPath(path.startsWith("~") ? home + path.slice(1) : path, home);
  return kind === "critical-file" || kind === "device";
}

/** Folders of Python and its packages. */
const isSystemLibrary = (path: string) => /^\/(?:usr|opt|Library)\/[\w./-]*$/.test(path);

function judgeCode(shell: Shell, code: Field, program: string): void {
  if (has(code.taint, TAINTS_NEVER_RUN)) shell.note("tainted-code", program, code.taint);
  if (code.text.length > MAX_CODE) {
    shell.note("too-complex", program);
    return;
  }
  const { dangers, commands } = dangersInCode(code.text, shell.context.home, languageOf(program)?.look ?? "other");
  for (const danger of dangers) shell.note("inline-danger", danger);
  for (const command of commands) {
    shell.inSubshell(() =>
      shell.under({ wrappers: [...shell.how.wrappers, program] }, () =>
        shell.runText(field(command), stream(""), program),
      ),
    );
  }
}

/** Longer inline code needs a person. */
const MAX_CODE = 16_384;

/** Code that decodes or fetches may print the result. */
function outputTaint(code: string): number {
  const decodes =
    /b64decode|base64|unhexlify|fromhex|codecs|rot13|unpack|pack\(|atob|zlib|decompress|chr\(|fromCharCode/i.test(code);
  const fetches = /urlopen|urllib|requests\.|https?\.get|fetch\(|http:\/\/|https:\/\/|LWP|open-uri|curl_|socket/i.test(
    code,
  );
  return (decodes ? TAINT.encoded : 0) | (fetches ? TAINT.network : 0);
}
