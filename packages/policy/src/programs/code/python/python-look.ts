import { quoteWord } from "@belay/protocol";
import { isSecretName, SECRET_VARIABLE } from "../../../language/state/secret-names.ts";
import type { CodeLook } from "../code-look.ts";
import { type CodeParts, localRequests, looksLikePath, STRING, stringAt, wholeStrings } from "../code-text.ts";
import { withoutCleaningUp } from "./python-temporary.ts";

/** Names that run code, use reflection, delete, or change access rights. */
const FORBIDDEN = new RegExp(
  [
    String.raw`(?<![.\w])(?:exec|eval|__import__|breakpoint)\b`,
    String.raw`(?<![.\w])(?:compile|input|globals|locals|chr|bytearray)\s*\(`,
    String.raw`\b(?:__builtins__|__globals__|__subclasses__|__bases__|__mro__|__loader__|__reduce\w*__|__code__|__getattribute__)\b`,
    // `glob.os`: a module that another one has imported.
    String.raw`\.\s*(?:os|shutil|subprocess|importlib)\b(?!\s*\()`,
    String.raw`\bsys\s*\.\s*(?:modules|meta_path|path_hooks|settrace|setprofile|addaudithook|_\w+)`,
    String.raw`\bsys\s*\.\s*path\s*(?:\.\s*\w+\s*\(\s*[^"\w\s)\d]|=)`,
    String.raw`\b(?:unlink|rmdir|removedirs|rmtree|symlink_to|hardlink_to|link_to|l?chmod|chown|truncate|extractall|unpack_archive|run_module|run_path|load_module|exec_module|spec_from_file_location|spec_from_loader|read_pickle|load_extension|enable_load_extension|CDLL|LoadLibrary|memmove|create_subprocess_\w+|subprocess_\w+|open_connection|start_server|create_connection|create_server|urlretrieve|sendmail|send_message|interact|expandvars|walk_packages|getoutput|getstatusoutput|Path\s*\.\s*home|fdopen|openpty)\b`,
    String.raw`(?<!platform\.)\bsystem\s*\(`,
    // Methods that change or empty a database through the application's models.
    String.raw`\.\s*(?:drop_all|drop_collection|drop_database|drop_table|delete_many|delete_one|delete)\s*\(|\bcall_command\b|\bobjects\b[^\n;]{0,200}\.\s*(?:update|create|bulk_\w+|get_or_create|update_or_create)\s*\(`,
    String.raw`\b(?:pickle|joblib)\s*\.\s*(?:load|Unpickler)\b|\b(?:unsafe_load\w*|UnsafeLoader|allow_pickle\s*=\s*True|weights_only\s*=\s*False)\b|\bLoader\s*=\s*(?:yaml\s*\.\s*)?(?:C?Loader)\b|\baddsitedir\b|\bfileConfig\b`,
    // In IPython, a line that starts like this is a command.
    String.raw`(?:^|\n|=)[ \t]*(?:!(?!=)|%{1,2}[a-z])`,
    String.raw`\bimport\s+(?:os|shutil|subprocess|importlib|sys|getpass|ssl|pkgutil)\s+as\b|\bfrom\s+(?:subprocess|importlib|sys)\s+import\b`,
  ].join("|"),
);

/** A request with that method: judged as a request, by its address. */
const REQUEST_DELETE = /\b(?:requests|httpx)\s*\.\s*delete\s*\(/g;

/** Modules that run programs, reach other machines or systems, or load code from data. */
const MODULES =
  /^(?:pty|netrc|socket|socketserver|ftplib|smtplib|poplib|imaplib|telnetlib|xmlrpc|paramiko|fabric|boto3|botocore|docker|kubernetes|selenium|playwright|pexpect|sh|plumbum|ctypes|cffi|cPickle|dill|cloudpickle|marshal|shelve|runpy|imp|code|codeop|builtins|_thread|webbrowser|antigravity|ensurepip|pip|venv|sitecustomize|crypt|keyring|winreg|posix|nt|dbm|psycopg2?|pymysql|MySQLdb|pymongo|redis|zipimport|fcntl|termios|tty|mmap|distutils|setuptools|websocket|websockets|grpc|twisted|tornado|dotenv|git|pyautogui|pynput|js2py|execjs|openai|anthropic|stripe|slack_sdk|github|azure|snowflake)$/;
const NETWORK_MODULES = /^(?:requests|urllib|urllib2|urllib3|httpx|http|aiohttp)$/;

const OS_NAMES =
  "path getcwd listdir walk scandir sep linesep name stat lstat makedirs mkdir cpu_count getpid getppid fspath curdir pardir pathsep devnull uname access F_OK R_OK W_OK X_OK extsep altsep urandom times getuid geteuid sysconf get_terminal_size fsencode fsdecode PathLike environ getenv SEEK_SET SEEK_CUR SEEK_END DirEntry sched_getaffinity strerror isatty fstat rename replace utime chdir getloadavg error";
const SHUTIL_NAMES = "which copy copy2 copyfile copytree copystat move get_terminal_size disk_usage";
const SUBPROCESS_NAMES =
  "PIPE STDOUT DEVNULL TimeoutExpired CalledProcessError CompletedProcess SubprocessError run call check_call check_output Popen";

/** Only these names of each module may be used, and the module itself must not be passed around. */
const ALLOWED: Readonly<Record<string, ReadonlySet<string>>> = {
  os: new Set(OS_NAMES.split(" ")),
  shutil: new Set(SHUTIL_NAMES.split(" ")),
  subprocess: new Set(SUBPROCESS_NAMES.split(" ")),
  getpass: new Set(["getuser"]),
  pkgutil: new Set(["iter_modules"]),
  ssl: new Set(["OPENSSL_VERSION", "OPENSSL_VERSION_INFO", "HAS_TLSv1_3"]),
  importlib: new Set("import_module metadata resources reload invalidate_caches".split(" ")),
};

const WRITES =
  /\bopen\s*\([^()]*(?:\([^()]*\)[^()]*){0,6}?,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+][wabtx+]*["']|\.(?:write_text|write_bytes|touch|mkdir|writelines|to_csv|to_json|to_excel|to_parquet|to_html|to_pickle|to_feather|savefig|save|savetxt|savez\w*|imwrite|imsave|write_image|rename|dump_all)\s*\(|\bmakedirs\s*\(|(?<!\b(?:stdout|stderr))\.write\s*\(|\bopen\s*\([^()]*mode\s*=\s*["'][^r"']|\bos\.(?:rename|replace)\b|\bshutil\.(?:copy\w*|move)\b|\b(?:ZipFile|TarFile|tarfile\.open)\s*\([^()]*["'][wax]|\bsqlite3\.connect\b|\binplace\s*=\s*(?:True|1)\b|\b(?:compile_dir|compile_path|create_archive)\s*\(|\bpy_compile\s*\.\s*compile\s*\(/;

const IMPORTS = /(?:^|[\n;:])[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w, \t\n*]+))/g;

/** What Python code does, according to its names, modules and strings; null if unknown. */
export function lookAtPython(code: string, given: CodeParts): Exclude<CodeLook, { does: "unclear" }> | null {
  // `__import__("app.models")` is an import by another name.
  const imported = withoutSearches(withoutCleaningUp(given)).replace(
    /(?<![.\w])__import__(?=\s*\(\s*"")/g,
    "import_module",
  );
  const parts: CodeParts = { ...given, bare: imported };
  const { bare } = parts;
  // Python reads other forms of a letter as the letter: `os.\u017fystem` is `os.system`.
  if (bare !== bare.normalize("NFKC")) return null;
  if (FORBIDDEN.test(bare.replace(REQUEST_DELETE, "request("))) return null;
  const strings = wholeStrings(parts);
  const modules = importedModules(bare);
  if (modules === null || modules.some((name) => MODULES.test(name))) return null;
  if (!Object.entries(ALLOWED).every(([module, names]) => usesOnly(bare, module, names))) return null;
  if (!hasPlainImports(parts) || !hasPlainAttributes(parts) || !hasPlainEnvironment(parts)) return null;
  if (readsSecretSetting(parts)) return null;
  if (modules.includes("psutil") && /\.(?:kill|terminate|suspend|send_signal)\s*\(/.test(bare)) return null;
  const commands = startedCommands(parts);
  // A module that is imported but not visibly used may be meant for later code.
  if (commands === null || (modules.includes("subprocess") && commands.length === 0)) return null;
  if (modules.some((name) => NETWORK_MODULES.test(name)) && reachesOut(bare)) {
    const requests = localRequests(strings, bare);
    if (requests === null || /\bHTTPS?Connection\b|\bhttp\s*\.\s*(?:client|server)\b/.test(bare)) return null;
    commands.push(...requests);
  }
  if (/\bread_\w+\s*\(/.test(bare) && localRequests(strings, bare) === null && strings.some(isAddress)) return null;
  const isWriting = WRITES.test(code);
  if (isWriting && /\b(?:b64decode|decodebytes|unhexlify|fromhex|decompress|a2b_\w+)\b/.test(bare)) return null;
  // Outside the analysed part, the use counts as unknown.
  if (
    /\b(?:os\s*\.\s*(?:rename|replace)|shutil\s*\.\s*move)\b|\.rename\s*\(\s*(?:Path|"")/.test(bare) &&
    strings.some(isAbsolute)
  )
    return null;
  const paths = strings.filter(looksLikePath);
  const loads = loadedFrom(parts, strings);
  const folders = changedFolders(parts);
  if (folders === null) return null;
  const inFolders = folders.flatMap((folder) =>
    paths.filter((path) => !/^[/~]/.test(path)).map((path) => `${folder}/${path}`),
  );
  return { does: isWriting ? "edits" : "reads", paths: [...paths, ...inFolders], commands, loads };
}

/** The folders that are added to the import path: those in the call itself, or any that a variable there could hold. */
function loadedFrom(parts: CodeParts, strings: readonly string[]): string[] {
  const calls = [...parts.bare.matchAll(/\bsys\s*\.\s*path\s*\.\s*\w+\s*\(([^\n]*)/g)];
  return calls.flatMap(({ 1: rest = "", 0: whole, index }) => {
    const own = [...rest.matchAll(/""/g)].map((match) =>
      stringAt(parts, index + whole.length - rest.length + match.index),
    );
    const isPlain = own.length > 0 || /__file__|getcwd|\bcwd\b/.test(rest);
    return (isPlain ? own : strings).filter(isAbsolute);
  });
}

const isAddress = (text: string) => /^[a-z][\w+.-]*:\/\//i.test(text);

const isAbsolute = (text: string) => /^[/~]\S*$/.test(text);

/** A server whose answers come from this code, not from files in a folder. */
const SERVER_IMPORT =
  /\bfrom\s+http\.server\s+import\s+(?:BaseHTTPRequestHandler|(?:Threading)?HTTPServer)(?:\s*,\s*(?:BaseHTTPRequestHandler|(?:Threading)?HTTPServer))*(?=\s*(?:\n|;|$))/g;

/** `urllib.parse` and `http.HTTPStatus` open no connection. */
function reachesOut(bare: string): boolean {
  const rest = bare
    .replace(/\b(?:from\s+urllib\.parse\s+import|import\s+urllib\.parse\b|urllib\.parse\.)/g, "")
    .replace(/\bfrom\s+http\s+import\s+HTTPStatus\b/g, "")
    .replace(SERVER_IMPORT, "")
    // `print(requests.__version__)`
    .replace(/\b(?:requests|urllib3|httpx|aiohttp)\s*\.\s*__(?:version|file|path|doc|name)__/g, "")
    .replace(/(?<=(?:^|[\n;])[ \t]*import[ \t][\w, \t]*)\b(?:requests|urllib3|httpx|aiohttp)\b(?![ \t]+as\b)/g, "");
  return /\b(?:requests|urllib\w*|httpx|http|aiohttp)\b/.test(rest);
}

/** The first names of the modules; null if one is imported in a way that hides names. */
function importedModules(bare: string): string[] | null {
  const found: string[] = [];
  for (const [, plain, from, names] of bare.matchAll(IMPORTS)) {
    if (plain !== undefined)
      for (const one of plain.split(",")) found.push((one.trim().split(/\s+as\s+/)[0] ?? "").split(".")[0] ?? "");
    if (from === undefined) continue;
    const top = from.split(".")[0] ?? "";
    found.push(top);
    const allowed = ALLOWED[from];
    const wanted = (names ?? "").split(",").map((name) => name.trim().split(/\s+/)[0] ?? "");
    if (from.startsWith("http.") && from !== "http.cookies" && from !== "http.server") return null;
    if (allowed !== undefined && !wanted.every((name) => name === "" || (allowed.has(name) && name !== "environ")))
      return null;
  }
  return found;
}

/** `importlib.util.find_spec("torch")` looks whether a package exists. What it finds can also load it. */
function withoutSearches(bare: string): string {
  if (/\b(?:loader|module_from_spec|LazyLoader|getattr|attrgetter|vars|__dict__)\b/.test(bare)) return bare;
  return bare
    .replace(/(?<![.\w])importlib\s*\.\s*util\s*\.\s*find_spec(?=\s*\()/g, "find_spec")
    .replace(
      /(?<=(?:^|[\n;])[ \t]*import[ \t]+(?:[\w.]+[ \t]*,[ \t]*)*)importlib\.util(?=[ \t]*(?:[\n;,]|$))/g,
      "importlib",
    );
}

/** `os.path.join(…)`, never `x = os` or `getattr(os, …)`, and no unlisted name. */
function usesOnly(bare: string, module: string, names: ReadonlySet<string>): boolean {
  for (const match of bare.matchAll(new RegExp(String.raw`(?<![.\w])${module}\b`, "g"))) {
    const before = bare.slice(Math.max(0, match.index - 80), match.index);
    const after = bare.slice(match.index + module.length, match.index + module.length + 60);
    const attribute = /^\s*\.\s*(\w+)/.exec(after)?.[1];
    if (attribute !== undefined && names.has(attribute)) continue;
    const isImport = /(?:^|[\n;:])[ \t]*(?:import[ \t][\w., \t]*|from[ \t]+)$/.test(before);
    if (!(isImport && (attribute === undefined || names.has(attribute)))) return false;
  }
  return true;
}

/** `import_module("app.models")`, but not of a watched module. */
function hasPlainImports(parts: CodeParts): boolean {
  for (const match of parts.bare.matchAll(/\bimport_module\s*\(\s*/g)) {
    const at = match.index + match[0].length;
    if (!/^""\s*[,)]/.test(parts.bare.slice(at, at + 20))) return false;
    const top = stringAt(parts, at).split(".")[0] ?? "";
    if (MODULES.test(top) || NETWORK_MODULES.test(top) || top === "sys" || ALLOWED[top] !== undefined) return false;
  }
  return true;
}

/** `getattr(x, "name")` with a harmless name, which may also come from a loop over such names. */
function hasPlainAttributes(parts: CodeParts): boolean {
  for (const match of parts.bare.matchAll(/(?<![.\w])getattr\s*\(/g)) {
    const start = match.index + match[0].length;
    const after = parts.bare.slice(start);
    const literal = /^[\w.[\]()\s]+,\s*""\s*[,)]/.exec(after)?.[0];
    const variable = /^\s*[\w.]+\s*,\s*(\w+)\s*[,)]/.exec(after)?.[1];
    const names =
      literal !== undefined
        ? [stringAt(parts, start + literal.lastIndexOf(STRING))]
        : variable !== undefined
          ? loopedTexts(parts, variable)
          : [];
    const isPlain = (name: string) => /^\w+$/.test(name) && !FORBIDDEN.test(`x.${name}(`) && !FORBIDDEN.test(name);
    if (names.length === 0 || !names.every(isPlain)) return false;
  }
  return true;
}

/**
 * The values of a variable that only loops over lists of texts set: `for name in ["int", "float"]:`. Empty if it also
 * occurs where it could be set otherwise.
 */
function loopedTexts(parts: CodeParts, variable: string): string[] {
  if (SETS_BY_NAME.test(parts.bare)) return [];
  const texts: string[] = [];
  for (const { index } of parts.bare.matchAll(new RegExp(String.raw`\b${variable}\b`, "g"))) {
    const before = parts.bare.slice(Math.max(0, index - 120), index);
    const after = parts.bare.slice(index + variable.length, index + variable.length + 2_000);
    const list = /\bfor\s+$/.test(before) ? LIST_OF_TEXTS.exec(after)?.[0] : undefined;
    if (list !== undefined) {
      const start = index + variable.length;
      for (const text of list.matchAll(/""/g)) texts.push(stringAt(parts, start + text.index));
      // `f"{name}: …"`
    } else if (!/\bf"" $/.test(before) && !(READS_NAME.test(before) && /^\s*[,)]/.test(after))) return [];
  }
  return texts;
}

/** Ways to set a variable without writing its name. */
const SETS_BY_NAME = /\b(?:setattr|vars|__\w+__)\b|\bimport\s*\*/;
const LIST_OF_TEXTS = /^\s+in\s*(?:\[\s*""(?:\s*,\s*"")*\s*,?\s*\]|\(\s*""(?:\s*,\s*"")+\s*,?\s*\))\s*[:\])}]/;
const READS_NAME = /(?<![.\w]|\bdef\s+)(?:print\s*\(|(?:get|has)attr\s*\(\s*[\w.]+\s*,)\s*$/;

/** Whether single environment variables are read by name, none of them a secret. Setting some of them is harmless. */
function hasPlainEnvironment(parts: CodeParts): boolean {
  for (const match of parts.bare.matchAll(/\b(?:environ|getenv|putenv)\b/g)) {
    const after = parts.bare.slice(match.index, match.index + 120);
    if (
      /(?:""|\w)\s+(?:not\s+)?in\s+os\.$/.test(parts.bare.slice(Math.max(0, match.index - 40), match.index)) &&
      /^environ\s*[:)\n]/.test(after)
    )
      continue;
    const form = /^(?:environ\s*(?:\[\s*|\.\s*(?:get|setdefault|pop)\s*\(\s*)|getenv\s*\(\s*)""/.exec(after);
    if (form === null) return false;
    const name = stringAt(parts, match.index + form[0].length - STRING.length);
    const isSet = /^environ\s*(?:\[\s*""\s*\]\s*=(?!=)|\.\s*setdefault)/.test(after);
    if (
      isSet
        ? /PATH$|^LD_|PRELOAD|PROXY|^PYTHON/i.test(name) && !/^PYTHON(?:UNBUFFERED|HASHSEED|WARNINGS)$/.test(name)
        : isSecretName(name)
    )
      return false;
  }
  return true;
}

/**
 * `settings.SECRET_KEY`, `app.config["API_TOKEN"]`, `getattr(app, "API_KEY")`, `from config import DB_PASSWORD`: the
 * upper-case name of a secret, as an attribute, a key or an imported name.
 */
function readsSecretSetting({ bare, strings }: CodeParts): boolean {
  const imported = [...bare.matchAll(/\bimport\s+([\w, \t]{1,400})/g)]
    .flatMap((match) => (match[1] ?? "").split(/[\s,]+/))
    .filter((name) => /^[A-Z][A-Z0-9_]{3,}$/.test(name));
  const attributes = [...bare.matchAll(/\.\s*([A-Z][A-Z0-9_]{3,})\b(?!\s*\()/g)].map((match) => match[1] ?? "");
  const isMapping = /\[\s*""\s*\]|\.get\s*\(\s*""|\bgetattr\s*\(/.test(bare);
  const keys = isMapping ? strings.filter((text) => /^[A-Z][A-Z0-9_]{3,}$/.test(text)) : [];
  return [...imported, ...attributes, ...keys].some((name) => SECRET_VARIABLE.test(name));
}

const STARTS = /\bsubprocess\s*\.\s*(?:run|call|check_call|check_output|Popen)\b/g;
const PLAIN_START = /^\s*\(\s*(?:\[\s*((?:(?:""|sys\.executable)\s*(?:,\s*)?)+)\]|(""))\s*[,)]/;

/** The commands that it starts, if all of them are literals; null if one of them is not. */
function startedCommands(parts: CodeParts): string[] | null {
  const { bare } = parts;
  const commands: string[] = [];
  for (const match of bare.matchAll(STARTS)) {
    const from = match.index + match[0].length;
    const plain = PLAIN_START.exec(bare.slice(from, from + 2_000));
    const rest = bare.slice(from, from + 2_000).split("\n\n")[0] ?? "";
    if (plain === null || /\b(?:executable|preexec_fn|stdin)\s*=/.test(rest)) return null;
    const words: string[] = [];
    let at = from + plain[0].search(/""|sys\.executable/);
    const end = from + plain[0].length;
    for (const [word] of bare.slice(at, end).matchAll(/""|sys\.executable/g)) {
      words.push(word === STRING ? stringAt(parts, bare.indexOf(STRING, at)) : "python3");
      at = bare.indexOf(word, at) + word.length;
    }
    commands.push(plain[2] !== undefined ? (words[0] ?? "") : words.map(quoteWord).join(" "));
  }
  return commands;
}

/** The target of `os.chdir`; null if it is not a literal. */
function changedFolders(parts: CodeParts): string[] | null {
  const folders: string[] = [];
  for (const match of parts.bare.matchAll(/\bchdir\s*\(\s*/g)) {
    const at = match.index + match[0].length;
    if (!parts.bare.startsWith(STRING, at)) return null;
    folders.push(stringAt(parts, at));
  }
  return folders;
}
