import { classifyPath } from "../../dangers/paths/danger-paths.ts";
import { isSecretPath } from "../../dangers/paths/secret-paths.ts";
import { programNamed } from "../catalog/index.ts";

export interface CodeDangers {
  /** The ids of dangers that have a rule. */
  readonly dangers: readonly string[];
  /** Command lines that the code passes to a shell. */
  readonly commands: readonly string[];
}

const RUNS_COMMANDS =
  /\b(?:system|popen\d?|exec[lv]?[pe]*|execSync|execFile(?:Sync)?|spawn(?:Sync|lp?|vp?)?|subprocess|shell_exec|passthru|proc_open|pcntl_exec|check_output|check_call|Open3|IO\.popen|Process|Runtime|os\.execute|do shell script|child_process|posix_spawn|Command|startProcess)\b|`[^`]+`|%x[[({]|\bqx\b|\brun\(/;
const DELETES_TREES =
  /\b(?:rmtree|rm_rf?|rm_r|remove_entry_secure|remove_tree|rmSync|rmdirSync|removeSync|rimraf|removedirs|RemoveAll|remove_dir_all|emptyDir(?:Sync)?|delete_tree|Remove-Item|deltree|File::Path)\b|fs\.(?:promises\.)?(?:rm|rmdir)\b|\brm\(|\bunlink\b.*\bwalk\b|\bwalk\b.*\b(?:remove|unlink)\b/i;
const WRITES =
  /['"]\s*\+?>{1,2}\s*\/|['"](?:[wax]b?\+?|r\+)['"]|['"]\s*[+>]{1,2}\s*['"]?\/|writeFile|write_text|write_bytes|appendFile|createWriteStream|copyfile|copyFile|shutil\.(?:copy|move)|rename|unlink|os\.remove|truncate|file_put_contents|File\.write|IO\.write|fopen|symlink|chmod|chown|Set-Content|Out-File/;
const FETCHES =
  /urlopen|urllib|\brequests\b|httpx|aiohttp|https?['"]?\)?\.(?:get|request)|fetch\(|LWP|HTTP::Tiny|open-uri|URI\.open|Net::HTTP|curl_exec|file_get_contents\(\s*['"]https?:|Invoke-WebRequest|DownloadString|iwr\b|socket|axios/i;
const SENDS =
  /\bpost\b|urlopen|requests\.|http\.client|https?['"]?\)?\.(?:get|request)|file_get_contents\(\s*['"]https?:|fetch\(|socket|smtplib|sendmail|LWP|HTTP::Tiny|Net::HTTP|curl_|connect\(|Invoke-WebRequest|Invoke-RestMethod|axios|ftplib|paramiko/i;
const EVALUATES =
  /\bexec\s*\(|\beval\s*\(|\beval\b|\bcompile\s*\(|new Function|vm\.run|instance_eval|loadstring|\bload\s*\(|assert\s*\(|Invoke-Expression|\biex\b/i;
const DECODES =
  /b64decode|a2b_base64|decodebytes|base64_decode|decode_base64|,\s*['"](?:base64|hex)['"]|unhexlify|fromhex|\brot13\b|rot_13|unpack|pack\s*\(|atob|decompress|inflate|fromCharCode|codecs\.decode|marshal|EncodedCommand/i;
/** Fetched data is run: inside the call, or through a variable that holds it. */
const RUNS_FETCHED =
  /\b(?:system|popen|run|call|check_output|check_call|Popen|exec\w*|spawn\w*|shell_exec|passthru)\s*\([^)]*(?:urlopen|requests\.|httpx|fetch|https?\.get|\.text\b|\.content\b|\.body\b|\.read\(\)|\.decode\()/;
const FETCHED_NAME =
  /(\w+)\s*=\s*(?:await\s+)?[^\n;=]*(?:urlopen|requests\.\w+\(|httpx\.\w+\(|fetch\(|file_get_contents\(\s*['"]https?:|Net::HTTP|URI\.open)/g;
const LOCAL_URL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?:[:/]|$)/i;
const REVERSE_SHELL =
  /dup2|pty\.spawn|\bfsockopen\b|TCPSocket|net['"]?\)?\.(?:connect|Socket|createConnection)|socket\.(?:socket|tcp|connect)|IO::Socket|\bsocket\s*\(|\/dev\/tcp\/|createConnection/;
const FORKS = /\bfork\b/;
const LOOPS = /\bwhile\b|\bloop\b|\buntil\b|for\s*\(\s*;\s*;\s*\)|\bfor\b/;
const HOME_CALL =
  /expanduser\(\s*['"]~\/?['"]\s*\)|Path\.home\(\)(?!\s*\/)|homedir\(\)\s*[,)]|environ(?:\.get)?[[(]\s*['"]HOME['"]\s*[\])]\s*[,)]|process\.env\.HOME\s*[,)]|\$ENV\{['"]?HOME['"]?\}\s*[,)]|Dir\.home\s*\)|ENV\[['"]HOME['"]\]\s*\)/;
const HOME_VALUE =
  /(?:os\.path\.)?expanduser\(\s*['"]~\/?['"]\s*\)|str\(\s*(?:pathlib\.)?Path\.home\(\)\s*\)|(?:pathlib\.)?Path\.home\(\)(?!\s*\/)|(?:require\(\s*['"](?:node:)?os['"]\s*\)|\bos)\.homedir\(\)|os\.environ(?:\.get)?[[(]\s*['"]HOME['"]\s*[\])]|os\.getenv\(\s*['"]HOME['"]\s*\)|process\.env\.HOME\b|\$ENV\{['"]?HOME['"]?\}|Dir\.home\b|ENV(?:\.fetch)?[[(]\s*['"]HOME['"]\s*[\])]|getenv\(\s*['"]HOME['"]\s*\)/g;
const SETS_IDENTITY = /\bset(?:re|res|e)?[ug]id\s*\(\s*0|seteuid\s*\(\s*0|POSIX::setuid\s*\(\s*0/;

/** What inline code of a general-purpose language does, as far as its literals show. */
export function dangersInCode(written: string, home: string, { hasTemplates = false } = {}): CodeDangers {
  // A list of words may contain the home: `["rm", "-rf", os.homedir()]`.
  const code = written.replace(HOME_VALUE, `"${home}"`);
  const literals = stringLiterals(code);
  // In JavaScript backticks are a string, elsewhere a command.
  const runsCommands = RUNS_COMMANDS.test(hasTemplates ? code.replace(/`(?:[^`\\]|\\.)*`/g, '""') : code);
  const paths = literals
    // Perl writes how a file is opened before its name: `open(F, ">/x")`.
    .map((text) => text.replace(/^\s*[+<>]{1,3}\s*(?=[/~])/, ""))
    .map((text) => (text.startsWith("~") ? home + text.slice(1) : text))
    .filter((text) => text.startsWith("/"));
  const dangers: string[] = [];
  const deletesTree = DELETES_TREES.test(code);
  if (deletesTree && (paths.some((path) => isVital(path, home)) || HOME_CALL.test(written))) dangers.push("root-wipe");
  if (WRITES.test(code) && paths.some((path) => classifyPath(path, home).kind === "critical-file"))
    dangers.push("system-file");
  if (WRITES.test(code) && paths.some((path) => classifyPath(path, home).kind === "device"))
    dangers.push("disk-destruction");
  const urls = literals.filter((text) => /^(?:https?|ftp):\/\//i.test(text));
  const fetches = FETCHES.test(code) && !(urls.length > 0 && urls.every((url) => LOCAL_URL.test(url)));
  if (fetches && EVALUATES.test(code)) dangers.push("remote-code");
  if (fetches && runsCommands && !REVERSE_SHELL.test(code) && runsWhatItFetched(code)) dangers.push("remote-code");
  if (DECODES.test(code) && (EVALUATES.test(code) || runsCommands)) dangers.push("encoded-payload");
  if (REVERSE_SHELL.test(code) && (runsCommands || /\/bin\/(ba|z|da)?sh/.test(code))) dangers.push("reverse-shell");
  if (SENDS.test(code) && readsSecrets(code, literals, home)) dangers.push("exfiltration");
  if (FORKS.test(code) && LOOPS.test(code) && !/\bwait(pid)?\b/.test(code)) dangers.push("fork-bomb");
  if (SETS_IDENTITY.test(code)) dangers.push("privilege-escalation");
  return { dangers, commands: runsCommands ? commandLines(code, literals) : [] };
}

function runsWhatItFetched(code: string): boolean {
  if (RUNS_FETCHED.test(code)) return true;
  return [...code.matchAll(FETCHED_NAME)].some(([, name]) =>
    new RegExp(
      `\\b(?:system|popen|run|call|check_output|check_call|Popen|exec\\w*|spawn\\w*|shell_exec|passthru)\\s*\\([^)]*\\b${name}\\b`,
    ).test(code),
  );
}

function isVital(path: string, home: string): boolean {
  const { kind } = classifyPath(path, home);
  return kind === "root" || kind === "system" || kind === "home";
}

function readsSecrets(code: string, literals: readonly string[], home: string): boolean {
  if (/os\.environ\b(?!\.get|\[)|process\.env\b(?!\.)|%ENV|ENV\.to_h|dict\(os\.environ\)/.test(code)) return true;
  // The output of a command that is written out: `cat .env`.
  const words = literals.flatMap((text) =>
    /^(?:cat|head|tail|base64|xxd|strings|less|more|tac|nl|gzip|openssl)\s/.test(text) ? text.split(/\s+/) : [text],
  );
  return words.some((text) =>
    isSecretPath(
      text.startsWith("/")
        ? text
        : text.startsWith("~")
          ? home + text.slice(1)
          : `${home}/${text.replace(/^\.\//, "")}`,
      home,
    ),
  );
}

/** More strings than the code has that fits into a review. */
const MAX_LITERALS = 2_000;
/** So many are tried as commands, whatever their first word; of the others only those that start with a known program. */
const MAX_TRIED = 40;

/** Every quoted string in the code, with the relevant escapes decoded. */
export function stringLiterals(code: string): string[] {
  const quoted = [
    ...code.matchAll(
      /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|\bqw?[qx]?\s*[({[]([^)}\]]*)[)}\]]|%[wxq][[({]([^\])}]*)[\])}]/g,
    ),
  ];
  return quoted
    .slice(0, MAX_LITERALS)
    .map((match) => (match.slice(1).find((group) => group !== undefined) ?? "").replace(/\\(["'\\/`])/g, "$1"));
}

/** Each literal as a command line, and adjacent ones as the words of one: `["rm", "-rf", "/"]`. */
function commandLines(code: string, literals: readonly string[]): string[] {
  const lists = [
    ...code.matchAll(/[[(]\s*((?:['"][^'"\n]*['"]\s*,\s*)+['"][^'"\n]*['"]\s*)[\])]/g),
    ...code.matchAll(/['"]([\w./-]{1,200})['"]\s*,\s*\[([^\]]{0,500})\]/g),
    // Perl and Ruby do not need the brackets.
    ...code.matchAll(/\b(?:system|exec|spawn)\s+((?:['"][^'"\n]*['"]\s*,\s*)+['"][^'"\n]*['"])/g),
  ];
  const joined = lists.slice(0, MAX_LITERALS).map((match) => stringLiterals(match[0]));
  const single = literals.filter((text) => /^[\w./~-]+\s/.test(text) && text.trim() !== "");
  return [
    ...worthTrying(single, (text) => text),
    ...worthTrying(joined, (words) => words[0] ?? "").map((words) =>
      words.map((word) => `'${word.replaceAll("'", "")}'`).join(" "),
    ),
  ];
}

function worthTrying<T>(found: readonly T[], textOf: (one: T) => string): T[] {
  return found.filter((one, at) => at < MAX_TRIED || isProgram(textOf(one))).slice(0, MAX_TRIED * 5);
}

function isProgram(text: string): boolean {
  const [first = ""] = text.split(/\s/, 1);
  return programNamed(first.slice(first.lastIndexOf("/") + 1)) !== undefined;
}
