import { classifyPath, type PathKind } from "../../dangers/paths/danger-paths.ts";
import { programNamed } from "../catalog/index.ts";
import { type LookLanguage, separate, withoutPlainImports } from "./code-text.ts";
import { dangersByFlow, isSecretText } from "./flow/flow-dangers.ts";
import { pathDangers } from "./flow/path-dangers.ts";

export interface CodeDangers {
  /** The ids of dangers that have a rule. */
  readonly dangers: readonly string[];
  /** Command lines that the code passes to a shell. */
  readonly commands: readonly string[];
}

const RUNS_COMMANDS =
  /\b(?:system|popen\d?|exec[lv]?[pe]*|execSync|execFile(?:Sync)?|spawn(?:Sync|lp?|vp?)?|subprocess|shell_exec|passthru|proc_open|pcntl_exec|check_output|check_call|Open3|IO\.popen|Process|Runtime|os\.execute|do shell script|child_process|posix_spawn|Command|startProcess|execa\w*|system2|System\.cmd|call_user_func\w*|shell-command|run-program|plumbum|shell_cmd|readpipe|IPC|do\.call|spawn[lv]\w*)\b|`[^`]+`|%x[[({]|\bqx\b|\bopen\s*\(?[^()\n]{0,60}"\s*-?\||\|\s*"\s*\)|\brun\(|\]\s*\(\s*["']|&\s*\$\w+\s*\(|\bget\s*\(\s*"[^"]*"\s*\)\s*\(/;
/** In Bun, zx and execa, the tag of a template literal runs it as a command. */
export const RUNS_TAG = /(?<![\w$])\$\s*""/;
const DELETES_TREES =
  /\b(?:rmtree|rm_rf?|rm_r|remove_entry_secure|remove_tree|rmSync|rmdirSync|removeSync|rimraf|removedirs|RemoveAll|remove_dir_all|emptyDir(?:Sync)?|delete_tree|Remove-Item|deltree|File::Path)\b|fs\.(?:promises\.)?(?:rm|rmdir)\b|\brm\(|\bunlink\b.*\bwalk\b|\bwalk\b.*\b(?:remove|unlink)\b/i;
const WRITES =
  /['"]\s*\+?>{1,2}\s*\/|['"](?:[wax]b?\+?|r\+)['"]|['"]\s*[+>]{1,2}\s*['"]?\/|writeFile|write_text|write_bytes|appendFile|createWriteStream|copyfile|copyFile|shutil\.(?:copy|move)|rename|unlink|os\.remove|truncate|file_put_contents|File\.write|IO\.write|fopen|symlink|chmod|chown|Set-Content|Out-File/;
/** The language of the code: one whose values are traced, one that cannot evaluate text at run time, or any other. */
export type CodeKind = LookLanguage | "compiled" | "other";

const FETCHES =
  /urlopen|urllib|\brequests\b|LWP|HTTP::Tiny|open-uri|Net::HTTP|Invoke-WebRequest|Invoke-RestMethod|DownloadString|\biwr\b|\birm\b|https?:\/\//i;
const EVALUATES = /\bexec\b|\beval\b|\bload\b|Invoke-Expression|\biex\b/i;
const DECODES = /base64|\bdecode\w*|fromhex|EncodedCommand/i;
/** Matches a call, not a variable or module of that name. */
const FORKS =
  /(?<![\w$.'"/-])(?:os\s*\.\s*|Process\s*\.\s*)?fork\s*(?:\(|while\b)|__import__\s*\(\s*['"]os['"]\s*\)\s*\.\s*fork\s*\(|\b(?:loop|while|until)\b[^{\n]{0,40}\{\s*fork\b/;
const LOOPS = /\bwhile\b|\bloop\b|\buntil\b|for\s*\(\s*;\s*;\s*\)|\bfor\b/;
const HOME_VALUE =
  /(?:os\.path\.)?expanduser\(\s*['"]~\/?['"]\s*\)|str\(\s*(?:pathlib\.)?Path\.home\(\)\s*\)|(?:pathlib\.)?Path\.home\(\)(?!\s*\/)|(?:require\(\s*['"](?:node:)?os['"]\s*\)|\bos)\.homedir\(\)|os\.environ(?:\.get)?[[(]\s*['"]HOME['"]\s*[\])]|os\.getenv\(\s*['"]HOME['"]\s*\)|process\.env\.HOME\b|\$ENV\{['"]?HOME['"]?\}|Dir\.home\b|ENV(?:\.fetch)?[[(]\s*['"]HOME['"]\s*[\])]|getenv\(\s*['"]HOME['"]\s*\)/g;
const SETS_IDENTITY = /\bset(?:re|res|e)?[ug]id\s*\(\s*0|seteuid\s*\(\s*0|POSIX::setuid\s*\(\s*0/;

/** The dangers and commands in inline code, according to its literals and names. */
export function dangersInCode(written: string, home: string, kind: CodeKind): CodeDangers {
  // A list of words may contain the home folder: `["rm", "-rf", os.homedir()]`.
  const code = written.replace(HOME_VALUE, `"${home}"`);
  const literals = stringLiterals(code);
  // In JavaScript backticks delimit a string, unless a tag runs it (`$`), and in other languages a command.
  const runsTag = kind === "javascript" && RUNS_TAG.test(separate(kind, code)?.bare ?? "");
  const runsCommands =
    runsTag || (!(kind === "javascript" && hasNoProcess(code)) && RUNS_COMMANDS.test(codeOf(code, kind)));
  const dangers: string[] = [];
  if (kind === "other" || kind === "compiled") dangers.push(...pathsByWords(code, literals, home));
  else dangers.push(...pathDangers(code, kind, home));
  if (kind === "other") dangers.push(...dangersByWords(code, literals, home));
  else if (kind !== "compiled") dangers.push(...dangersByFlow(code, kind, home));
  if (FORKS.test(code) && LOOPS.test(code) && !/\bwait(pid)?\b/.test(code)) dangers.push("fork-bomb");
  if (SETS_IDENTITY.test(code)) dangers.push("privilege-escalation");
  // `open("git push |")`: in Perl and Ruby, a name with a bar is a command.
  const piped =
    kind === "perl" || kind === "ruby"
      ? literals.flatMap((text) => /^\s*\|\s*([^|]+)$|^([^|]+)\|\s*$/.exec(text)?.slice(1).find(Boolean) ?? [])
      : [];
  const opensPipe = kind === "perl" && literals.some((text) => text === "-|" || text === "|-");
  if (!runsCommands && !opensPipe) return { dangers, commands: piped };
  const commands = commandLines(code, !runsTag && startsOnlyLists(code, kind) ? [] : literals);
  return { dangers, commands: [...new Set([...passedToShell(code, kind), ...commands, ...piped])] };
}

/** Calls whose first argument a shell reads. In Python `exec` reads Python, and lists need no shell. */
const SHELL_CALLS =
  /\b(system|popen\w*|execSync|exec|shell_exec|passthru|getoutput|getstatusoutput|os\.execute|run|call|check_call|check_output|Popen)\s*\(?\s*(?:b|r|f|u)?("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

/** `os.system("…")`: the text itself is a command line, however it begins. */
function passedToShell(code: string, kind: CodeKind): string[] {
  const usesShell = /\bshell\s*=\s*True\b/.test(code);
  return [...code.matchAll(SHELL_CALLS)]
    .slice(0, MAX_TRIED)
    .filter(([, name = ""]) => {
      if (kind === "python" && name === "exec") return false;
      return !/^(?:run|call|check_call|check_output|Popen)$/.test(name) || (kind === "python" && usesShell);
    })
    .map(([, , literal = ""]) =>
      literal
        .slice(1, -1)
        .replace(/\\n/g, "\n")
        .replace(/\\(["'`\\/$@])/g, "$1"),
    )
    .filter((text) => text.trim() !== "");
}

/** The code without its strings, unless it runs one of them as code. */
function codeOf(code: string, kind: CodeKind): string {
  // In PHP, the name of a function in a string calls it.
  if (kind === "other" || kind === "compiled" || kind === "php") return code;
  const bare = withoutPlainImports(separate(kind, code)?.bare ?? code);
  return /(?<![.\w])(?:eval|exec|Function|import|require|__import__|getattr)\s*\(\s*(?!""\s*\))|\b(?:eval|exec|vm)\b/.test(
    bare,
  )
    ? code
    : bare;
}

/** Imports of plain names, which stay what they are. */
const NAMES_IMPORTED =
  /\b(?:const|let|var|import)\s*\{[\w\s,]*\}\s*(?:=\s*(?:await\s+)?(?:require|import)\s*\(\s*""\s*\)|from\s*"")/g;

/** The same in JavaScript: `execFileSync("git", ["log", x])`. */
function startsOnlyLists(code: string, kind: CodeKind): boolean {
  if (ASSEMBLES.test(code)) return false;
  if (kind === "python") return startsOnlyPythonLists(code, kind);
  if (kind !== "javascript" || /\bshell\b/.test(code)) return false;
  const bare = separate(kind, code)?.bare ?? code;
  const rest = bare
    .replace(NAMES_IMPORTED, "")
    .replace(/\b(?:execFileSync|execFile|spawnSync|spawn)\s*\(\s*(?:""|process\.execPath)\s*,\s*\[/g, "");
  const started = [...code.replace(/\bprocess\.execPath\b/g, '"node"').matchAll(LISTED_START)].map(
    ([, program = "", list = ""]) => stringLiterals(`${program} ${list}`),
  );
  return !RUNS_COMMANDS.test(withoutOwnRun(rest)) && started.every(startsNoOther);
}

const LISTED_START = /\b(?:execFile|spawn)\w*\s*\(\s*(["'][^"'\n]*["'])\s*,\s*\[((?:\s*["'][^"'\n]*["']\s*,?)*)/g;

const startsNoOther = (words: readonly string[]) => !RUNS_OTHERS.test(words[0] ?? "") || runsOwnCode(words);

/** Calls of a function `run` that the code itself defines. */
function withoutOwnRun(bare: string): string {
  return /\b(?:def\s+run\s*\(|(?:const|let|var)\s+run\s*=|function\s+run\s*\()/.test(bare)
    ? bare.replace(/(?<![.\w])run\s*\(/g, "own(")
    : bare;
}

/** Whether programs are only started as `subprocess.run(["git", x])`. Other strings are then not commands. */
function startsOnlyPythonLists(code: string, kind: "python"): boolean {
  if (/\bshell\s*=\s*True\b/.test(code)) return false;
  const bare = separate(kind, code)?.bare ?? code;
  const rest = withoutPlainImports(bare).replace(
    /\bsubprocess\s*\.\s*(?:run|call|check_call|check_output|Popen)\s*\(\s*\[\s*(?:""|sys\.executable\b)/g,
    "",
  );
  const started = [
    ...code
      .replace(/\bsys\.executable\b/g, '"python"')
      .matchAll(/\bsubprocess\s*\.\s*\w+\s*\(\s*\[((?:\s*["'][^"'\n]*["']\s*,?)+)/g),
  ].map(([, list = ""]) => stringLiterals(list));
  return (
    !RUNS_COMMANDS.test(withoutOwnRun(rest).replace(/\bsubprocess\s*\.\s*(?!Popen)[A-Z]\w+/g, "")) &&
    started.every(startsNoOther)
  );
}

/** Programs that run their arguments. */
export const RUNS_OTHERS =
  /^(?:\S*\/)?(?:(?:ba|z|da|k|a|fi)?sh|env|xargs|sudo|doas|su|ssh|nohup|timeout|nice|find|perl|ruby|python[\d.]*|node|eval|exec|watch|script|docker|kubectl)$/;

/** Whether the code cannot start a program. JavaScript needs a module for that: `/x/.exec(y)` runs nothing. */
function hasNoProcess(code: string): boolean {
  const loads = /\b(?:require|import)\s*\(\s*(?!(["'`])[^"'`$]*\1\s*\))/;
  return (
    !/child|spawn|exec[aFS]|\bzx\b|shell|process\s*\.\s*(?:binding|mainModule)|Bun|Deno|globalThis/i.test(code) &&
    !loads.test(code)
  );
}

/** Code that deletes or writes, together with the path of something vital. */
function pathsByWords(code: string, literals: readonly string[], home: string): string[] {
  const kinds = literals
    .map((text) => (text.startsWith("~") ? home + text.slice(1) : text))
    .filter((text) => text.startsWith("/"))
    .map((path) => classifyPath(path, home).kind);
  const isVital = (kind: PathKind) => kind === "root" || kind === "system" || kind === "home";
  const dangers: string[] = [];
  if (DELETES_TREES.test(code) && kinds.some(isVital)) dangers.push("root-wipe");
  if (WRITES.test(code) && kinds.includes("critical-file")) dangers.push("system-file");
  if (WRITES.test(code) && kinds.includes("device")) dangers.push("disk-destruction");
  return dangers;
}

/**
 * For languages whose values are not traced, such as PowerShell and Tcl: code that fetches or decodes, together with
 * code that evaluates.
 */
function dangersByWords(code: string, literals: readonly string[], home: string): string[] {
  const runs = EVALUATES.test(code);
  const dangers: string[] = [];
  if (runs && FETCHES.test(code)) dangers.push("remote-code");
  if (runs && DECODES.test(code)) dangers.push("encoded-payload");
  if (/\bsocket\b|TCPClient/i.test(code) && /\/bin\/(?:ba|z|da)?sh|\bsh\b|cmd\.exe|\biex\b/i.test(code))
    dangers.push("reverse-shell");
  if (FETCHES.test(code) && literals.some((text) => isSecretText(text, home))) dangers.push("exfiltration");
  return dangers;
}

/** Code with more strings than this is too long to review. */
const MAX_LITERALS = 2_000;
/** This many literals are tried as commands. After that, only those that start with a known program. */
const MAX_TRIED = 40;

/** Every quoted string in the code, with the relevant escapes decoded. */
export function stringLiterals(code: string): string[] {
  const quoted = [
    ...code.matchAll(
      /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|\bqw?[qx]?\s*[({[]([^)}\]]*)[)}\]]|%[wxq][[({]((?:[^\])}%]|%(?![wxq][[({]))*)[\])}]/g,
    ),
  ];
  return quoted
    .slice(0, MAX_LITERALS)
    .map((match) => (match.slice(1).find((group) => group !== undefined) ?? "").replace(/\\(["'\\/`])/g, "$1"));
}

/** Each literal as a command line, and lists of literals as the words of one: `["rm", "-rf", "/"]`. */
function commandLines(code: string, literals: readonly string[]): string[] {
  const lists = [
    // A list after the name of a program holds its arguments, and is taken together with that name.
    ...code.matchAll(
      /(?<!['"][\w./-]{1,200}['"]\s*,\s*)[[(]\s*((?:['"][^'"\n]*['"]\s*,\s*)+['"][^'"\n]*['"]\s*)[\])]/g,
    ),
    ...code.matchAll(/['"]([\w./-]{1,200})['"]\s*,\s*(?:\{\s*args\s*:\s*)?\[([^\]]{0,500})\]/g),
    // Perl and Ruby do not need the brackets.
    ...code.matchAll(
      /(?:\b(?:system|exec|spawn)\s+|["'](?:-\||\|-)["']\s*,\s*)((?:['"][^'"\n]*['"]\s*,\s*)+['"][^'"\n]*['"])/g,
    ),
  ];
  const joined = lists.slice(0, MAX_LITERALS).map((match) => stringLiterals(match[0]));
  // `["git"] + ["push"]`, `spawnlp(mode, "git", "git", "push")`: the words of a command, in their order.
  if (literals.length > 1 && literals.length <= MAX_WORDS && ASSEMBLES.test(code)) joined.push([...new Set(literals)]);
  const single = literals.filter((text) => /^[\w./~-]+\s/.test(text) && text.trim() !== "");
  return [
    ...worthTrying(single, (text) => text),
    ...worthTrying(joined, (words) => words[0] ?? "").map((words) =>
      words.map((word) => `'${word.replaceAll("'", "")}'`).join(" "),
    ),
  ];
}

const MAX_WORDS = 8;
const ASSEMBLES = /\]\s*\+\s*\[|,\s*\*\s*[[(]|\bb["']|\bspawn[lv]\w*\s*\(/;

function worthTrying<T>(found: readonly T[], textOf: (one: T) => string): T[] {
  return found.filter((one, at) => at < MAX_TRIED || isProgram(textOf(one))).slice(0, MAX_TRIED * 5);
}

function isProgram(text: string): boolean {
  const [first = ""] = text.split(/\s/, 1);
  return programNamed(first.slice(first.lastIndexOf("/") + 1)) !== undefined;
}

/** `["python", "-m", "app"]`, `["node", "dist/cli.js"]`: code of the project, which its tests may run. */
export function runsOwnCode(words: readonly string[]): boolean {
  const [program = "", first = "", second = ""] = words.length === 1 ? (words[0] ?? "").split(/\s+/) : words;
  return LANGUAGES.has(program) && (first === "-m" ? /^[a-z_]\w*$/.test(second) : /^[\w.][\w./-]*$/.test(first));
}

const LANGUAGES: ReadonlySet<string> = new Set("python python3 node ruby php deno bun java".split(" "));
