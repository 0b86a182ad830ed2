import { isSecretPath } from "../../dangers/paths/secret-paths.ts";
import { isSecretName } from "../../language/state/secret-names.ts";
import { STAR } from "../../language/state/values.ts";
import {
  type CodeParts,
  type LookLanguage,
  localRequests,
  looksLikePath,
  STRING,
  separate,
  stringAt,
  wholeStrings,
  withoutQueries,
} from "./code-text.ts";
import { emptiesFiles } from "./emptied-files.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { RUNS_TAG } from "./inline-code.ts";
import { JAVASCRIPT_IMPORTS, javascriptModules, libraryUse } from "./library-calls.ts";
import { CHILD_PROCESS, startedByNode } from "./node-commands.ts";
import { lookAtPython } from "./python/python-look.ts";

export type { LookLanguage } from "./code-text.ts";

/** The result of a bounded analysis of inline code. */
export type CodeLook =
  /** It computes and prints. It may read these paths, start these commands and load code from these folders. */
  | {
      readonly does: "reads";
      readonly paths: readonly string[];
      readonly commands: readonly string[];
      readonly loads: readonly string[];
    }
  /** It also writes, but only to these paths or to others derived from them. */
  | {
      readonly does: "edits";
      readonly paths: readonly string[];
      readonly commands: readonly string[];
      readonly loads: readonly string[];
    }
  /** It runs, connects, deletes or hides something, or its effect is unknown. Grave if it deletes, sends or prints the environment. */
  | { readonly does: "unclear"; readonly isGrave: boolean };

/** Longer code cannot be reviewed at a glance. */
const MAX_LOOKED_AT = 16_384;

interface Words {
  /** Names that run, connect, delete, hide or use reflection, anywhere outside strings. */
  readonly forbidden: RegExp;
  /** Names and forms that write files. Searched in the whole text, since open modes are strings. */
  readonly writes: RegExp | null;
  /** Finds imports. The captured module must not match `modules`. */
  readonly imports: RegExp;
  readonly modules: RegExp;
  /** Modules that connect to other machines; allowed if every address is this machine. */
  readonly network?: RegExp;
}

const WORDS: Readonly<Record<Exclude<LookLanguage, "python">, Words>> = {
  javascript: {
    // A computed name could be any of the others: `fs["rm" + "Sync"](x)`.
    forbidden:
      /\]\s*\(|\b(?:setTimeout|setInterval|setImmediate)\s*\(\s*""|\brequire\s*\(\s*""\s*\)\s*\[|\bObject\s*\.\s*(?:values|entries|getOwn\w+)\s*\(\s*(?:require|await|import)\b|\b(?:eval|Function|constructor(?!\s*\.\s*name)|__proto__|globalThis|Reflect|Proxy|import\.meta|process\s*\.\s*(?:kill|binding|dlopen|mainModule|chdir|setuid|setgid|umask|_\w+|report|abort)|require\s*\.\s*(?:cache|extensions|main)|module\s*\.\s*constructor|createRequire|XMLHttpRequest|Worker|SharedWorker|WebAssembly|sendBeacon|fromCharCode|fromCodePoint|atob|unescape|spawn\w*|execSync|execFile\w*|fork|unlink\w*|rmSync|rmdir\w*|rename\w*|copyFile\w*|cpSync|symlink\w*|linkSync|chmod\w*|chown\w*|truncate\w*|utimes\w*|mkdtemp\w*|watch|createServer|connect|createConnection|listen|runIn\w*Context|Script|Deno|Bun|homedir|userInfo|global)\b|\brm\s*\(|(?<![.\w$])child_process\s*\.\s*[a-z]|\bprocess\b(?!\s*\.)|\brequire\b(?!\s*[(.])|\.\s*require\b|(?:^|\n)[ \t]*\.(?:load|save|editor)\b/,
    writes:
      /\b(?:writeFile\w*|appendFile\w*|createWriteStream|mkdir\w*|openSync|open\s*\(|writeSync|outputFile\w*|outputJson\w*|writeJson\w*)\b/,
    imports: JAVASCRIPT_IMPORTS,
    modules:
      /^(?:node:)?(?:child_process|net|http2|tls|dgram|dns|cluster|worker_threads|vm|v8|inspector|repl|module|process|got|superagent|request|socket\.io.*|bun|bun:.*|execa|shelljs|cross-spawn|zx|rimraf|del|fs-extra-promise|puppeteer.*|playwright.*|ssh2|nodemailer|pg|mysql2?|mongodb|redis|dotenv.*|sqlite|better-sqlite3)$|^(?:https?|data|blob|npm|jsr|ssh|git):/,
    network: /^(?:node:)?(?:http|https|axios|node-fetch|undici|ws)$/,
  },
  perl: {
    forbidden:
      /`|&\s*[${]|->\s*[$(&]|\b(?:system|exec|qx|eval|fork|open|opendir|sysopen|unlink|rename|rmdir|mkdir|chmod|chown|kill|socket|connect|bind|listen|symlink|link|truncate|utime|syscall|dbmopen|do|require|glob|ENV|ARGV|INC|readpipe|pack|unpack|chr|vec|dump|sysread|syswrite|local\s+@ARGV|__DATA__|CORE|tie|bless|AUTOLOAD|sub\s+DESTROY|print\s+\{|select)\b|\bs(.)(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[a-z]*ee|\(\?\??\{|<(?!STDIN>|>)[^=>]*>/,
    writes: null,
    imports: /(?:\buse\s+|^-[Mm])([\w:]+)/gm,
    modules:
      /^(?!(?:strict|warnings|utf8|feature|List::Util|Scalar::Util|Data::Dumper|JSON::PP|POSIX|Encode|Time::Local|Time::Piece|Getopt::Long|Text::\w+|File::Basename|constant|integer|bigint|locale|v?5[\d.]*)$)/,
  },
  ruby: {
    forbidden:
      /`|%x|\$:|\$LOAD|\b(?:autoload|RubyVM|system|exec|spawn|fork|popen\w*|eval|instance_eval|class_eval|module_eval|instance_exec|send|__send__|public_send|const_get|method|binding|Kernel|Process|ObjectSpace|Open3|IO|FileUtils|Dir|Net|Socket|TCPSocket|UDPSocket|URI|open|load|ENV|ARGV|trap|at_exit|syscall|\w*destroy\w*|delete_\w+|drop\w*|truncate\w*|update_\w+|insert_all\w*|upsert\w*|save!?|create!?|perform_\w+|deliver\w*|Marshal|Fiddle|DRb|PTY|pack|unpack\w*|delete|unlink|rename|chmod|chown|symlink|link|truncate|mkdir|rmdir|rm\w*|mkfifo|chr|abort|exit!)\b/,
    writes: /\bFile\s*\.\s*(?:write|binwrite|open|new)\b|\.write\b/,
    imports: /\brequire(?:_relative)?\s*\(?\s*["']([^"']*)["']|^-r([\w/-]+)/gm,
    // Other libraries, and the project's own, only compute: calls that change or delete have telling names.
    modules:
      /^(?:open3|open-uri|open_uri|base64|zlib|net\/.*|net-.*|socket|fileutils|pty|fiddle.*|drb.*|un|mkmf|shell|irb.*|pry.*|debug.*|byebug|webrick.*|tmpdir|tempfile|pstore|dbm|sdbm|gdbm|etc|io\/.*|readline|ripper|objspace|continuation|syslog.*|resolv.*|win32.*|faraday.*|httparty|rest-client|restclient|typhoeus|excon|httpclient|http|curb|mechanize|selenium.*|capybara.*|ferrum|watir.*|aws-sdk.*|google.*|azure.*|octokit|gitlab|kubeclient|docker.*|fog.*|stripe|twilio.*|mail|pony|pg|mysql2?|sqlite3|sequel.*|redis.*|mongo.*|childprocess|posix.*|posix-spawn|tty-command|cocaine|terrapin|rake.*|thor.*|bundler\/.*|rubygems\/.*|dotenv.*|bunny|kafka|sidekiq.*|resque.*|zip.*|rubyzip)$/,
  },
  php: {
    forbidden:
      /`|\$\$|[\w\])"}]\s*\)\s*\(|\]\s*\(|\$\w+\s*\(|(?:->|::)\s*(?:save\w*|\w*[dD]elete\w*|drop\w*|exec\w*|query|statement|unprepared|write\w*|fwrite|unlink|remove\w*|truncate|\w*[uU]pdate\w*|insert\w*|upsert|\w*[cC]reate\w*|destroy|send\w*|dispatch\w*|\$)|\bnew\s+\$|\b(?:SplFileObject|SplTempFileObject|FFI|Reflection\w*|SoapClient|exec|shell_exec|system|passthru|popen|proc_open|pcntl_\w+|posix_\w+|eval|assert|create_function|call_user_func\w*|func_get_args|file_put_contents|fopen|fwrite|fputs|unlink|rename|copy|mkdir|rmdir|symlink|link|chmod|chown|touch|tempnam|tmpfile|move_uploaded_file|curl_\w+|fsockopen|pfsockopen|stream_\w+|socket_\w+|mail|include|include_once|require|require_once|getenv|putenv|_ENV|_SERVER|GLOBALS|base64_decode|gzinflate|gzuncompress|str_rot13|hex2bin|chr|pack|unserialize|extract|parse_str|dl|ini_set|error_log|get_defined_vars|apache_\w+|mb_ereg_replace\w*|register_shutdown_function|phpinfo|mysqli?\w*|PDO|ReflectionFunction|preg_replace_callback|header|set_error_handler)\b/i,
    writes: null,
    imports: /(?!)/g,
    modules: /(?!)/,
  },
  lua: {
    forbidden:
      /\b(?:os|io|load|loadstring|loadfile|dofile|require|package|debug|_G|_ENV|getmetatable|setmetatable|string\.char)\b/,
    writes: null,
    imports: /(?!)/g,
    modules: /(?!)/,
  },
  octave: {
    forbidden:
      /!|\b(?:system|shell_cmd|exec|eval|evalc|evalin|feval|popen\w*|fopen|fputs|fwrite|save|load|unlink|delete|rename|rmdir|mkdir|movefile|copyfile|urlread|urlwrite|dos|unix|getenv|setenv|putenv|source|run|diary|pkg|mex|dlmwrite|csvwrite|fork|kill|spawn|char|input|keyboard)\b/,
    writes: null,
    imports: /(?!)/g,
    modules: /(?!)/,
  },
  r: {
    forbidden:
      /\b(?:system2?|shell|pipe|eval|parse|source|file|url|unlink|download\w*|write\w*|save\w*|sink|dput|dump|cat\s*\([^)]*file|Sys\.\w+|setwd|socketConnection|install\.packages|library\.dynam|dyn\.load|do\.call|get|assign|readRDS|load|fork|mcparallel|rawToChar|intToUtf8|fwrite|file\.\w+|pdf|png|\w*deploy\w*|publish\w*|release|submit\w*|upload\w*|use_github\w*)\b/,
    writes: null,
    imports: /(?!)/g,
    modules: /(?!)/,
  },
  elixir: {
    forbidden:
      /~[a-zA-Z]|:(?:os|file|erlang|httpc|gen_tcp|gen_udp|ssl|inets|code|rpc|net_\w+|init|shell|ets|global)\b|\b(?:System|Code|File|Port|Process|Node|Task|Agent|GenServer|Mix|Req|HTTPoison|Tesla|Finch|Application|Module|Kernel|IEx|Path|spawn\w*|apply|send|exit|import|require|use)\b(?!\.(?:version|schedulers_online|otp_release|monotonic_time|system_time)\()/,
    writes: null,
    imports: /(?!)/g,
    modules: /(?!)/,
  },
  julia: {
    forbidden:
      /`|\b(?:run|open|rm|mv|cp|mkdir|mkpath|write|touch|chmod|chown|symlink|download|ccall|include\w*|eval|Meta|Base|Core|ENV|pipeline|Libdl|Sockets|Pkg|kill|spawn|Char|String|unsafe_\w+|serialize|deserialize)\b|@eval/,
    writes: null,
    imports: /(?!)/g,
    modules: /(?!)/,
  },
};

/** Deletes, sends, or prints the whole environment. */
const GRAVE =
  /\b(?:remove_\w+|File::Path|(?:un)?publish\w*|deploy\w*|destroy|purge|terminate_\w+|send_?mail|unlink\w*|rmtree|rmdir\w*|removedirs|remove(?:Sync)?|flush(?:all|db)|O_TRUNC|environb|rm_rf?|rm_r|rmSync|rimraf|delete\w*|FileUtils|emptyDir\w*|f?truncate\w*|environ|getenv|get_env|phpinfo|[A-Z_]*(?:SECRET_KEY|API_KEY|ACCESS_KEY|TOKEN|PASSWORD)|ENV|_ENV|_SERVER|process\s*\.\s*(?:env|report)|GLOBALS|ProcessInfo|urlopen|requests|httpx|aiohttp|fetch|axios|socket|LWP|Net|URI|curl(?:_\w+)?|wget|Deno\s*\.\s*(?:Command|run)|Bun\s*\.\s*spawn\w*|smtplib|sendmail|boto3|https?|drop|dropDatabase|deleteMany|kill\w*|ssh|id_rsa|id_ed25519|netrc|credentials|npmrc|pypirc|shadow|keyring)\b|\.(?:env|aws|kube)\b|%ENV|\brm\s*\(|:rm\w*\b/i;
/** `"rm" + "Sync"` is one name. */
const JOINS = /["']\s*[+.]\s*["']/g;

/**
 * 1. Set strings and comments aside: their contents are not run by themselves.
 * 2. Any name that could run, connect, delete or hide makes the code unclear, and so does any module of that kind.
 * 3. Paths in strings are what the code reads or, if it writes, what it writes. Literal commands and local requests
 *    are judged as commands.
 */
export function lookAtCode(language: LookLanguage, written: string): CodeLook {
  // A JSON module only contains data.
  const code =
    language === "javascript"
      ? written.replace(JSON_MODULE, "JSON.parse($1)")
      : language === "perl"
        ? withoutSubstitutions(written)
        : written;
  const isGrave = GRAVE.test(code) || GRAVE.test(code.replace(JOINS, ""));
  if (code.length > MAX_LOOKED_AT || code.includes("\uE000")) return { does: "unclear", isGrave };
  const separated = separate(language, code);
  if (separated === null) return { does: "unclear", isGrave };
  const library = libraryUse(language, code, separated);
  // A call by a name that is put together: `f["rm" + "Sync"](x)`.
  const namesSecret = separated.strings.some(namesSecretOfHome);
  const isHidden = /\]\s*\(\s*""/.test(separated.bare);
  const empties = emptiesFiles(language, separated);
  const unclear = {
    does: "unclear",
    isGrave: isGrave || library === "grave" || isHidden || namesSecret || empties,
  } as const;
  if (empties) return unclear;
  if (library !== null) return unclear;
  const parts = withoutQueries(separated);
  if (language === "javascript" && readsSecretSetting(code, parts.bare)) return { does: "unclear", isGrave: true };
  const seen = language === "python" ? lookAtPython(code, parts) : lookByWords(language, code, parts);
  const hidden = seen === null ? null : hiddenPaths(parts);
  // The code opens a file whose name it hides.
  if (hidden === null && seen !== null) return { does: "unclear", isGrave: true };
  return seen === null || hidden === null ? unclear : { ...seen, paths: [...seen.paths, ...hidden] };
}

/** `homedir() + "/.docker/config.json"`: code that is not understood, with the rest of the path of a secret. */
function namesSecretOfHome(text: string): boolean {
  const rest = /^(?:~|\$HOME)?\/?(\.[\w./-]+)$/.exec(text)?.[1];
  return rest !== undefined && isSecretPath(`/home/x/${rest}`, "/home/x");
}

/**
 * Removes Perl statements that replace text, such as `s/<b>/"/g`, from the beginning of the code: further on, one could
 * be part of a string. They must not evaluate their replacement, nor contain a variable but those of the match, because
 * a subscript is code.
 */
function withoutSubstitutions(code: string): string {
  let rest = code;
  for (let match = SUBSTITUTION.exec(rest); match !== null; match = SUBSTITUTION.exec(rest))
    rest = rest.slice(match[0].length);
  return rest;
}

const SUBSTITUTION =
  /^\s*s([/|#,!])(?:\\.|(?!\1|\(\?\??\{|[\\@])[^$]|\$(?=[)|]|\1))*\1(?:\\.|(?!\1|[\\@])[^$]|\$(?=\d(?![[{\w])|&(?![[{])))*\1[gimsxr]*\s*(?:;|$)/;

const JSON_MODULE = /\brequire\s*\(\s*("[^"\\]*\.json"|'[^'\\]*\.json')\s*\)/g;

function lookByWords(
  language: Exclude<LookLanguage, "python">,
  code: string,
  parts: CodeParts,
): Exclude<CodeLook, { does: "unclear" }> | null {
  const { strings } = parts;
  const words = WORDS[language];
  const commands: string[] = [];
  let { bare } = parts;
  if (language === "julia") bare = withoutPackageChecks(bare);
  const include = INCLUDES[language];
  if (include !== undefined) {
    const files = includedFiles(parts, include.call);
    if (files === null) return null;
    commands.push(...files.map((file) => `${include.program} ${file}`));
    bare = bare.replace(include.call, "");
  }
  if (language === "perl") bare = withoutPatterns(bare);
  const listed = language === "ruby" ? listedFiles(parts) : null;
  if (listed !== null) bare = bare.replace(LISTS_FILES, "[]");
  if (language === "javascript") bare = bare.replace(/\b(?:Bun|Deno)\s*\.\s*version\b/g, "").replace(BUN_READS, "");
  if (language === "lua" && opensToRead(parts)) bare = bare.replace(LUA_READS, "");
  if (language === "javascript") {
    const started = startedByNode(parts);
    if (started !== null) {
      commands.push(...started.commands);
      bare = started.bare;
    }
  }
  if (words.forbidden.test(bare) || (language === "javascript" && RUNS_TAG.test(bare))) return null;
  if (language === "ruby" && !requiresByName(bare)) return null;
  const required = language === "ruby" ? [...code.matchAll(REQUIRE_RELATIVE)].map(([, name = ""]) => `./${name}`) : [];
  const imported = language === "ruby" ? code.replace(REQUIRE_RELATIVE, "") : code;
  for (const match of imported.matchAll(words.imports)) {
    const name = match[2] ?? match[1] ?? "";
    if (words.modules.test(name) && !(commands.length > 0 && CHILD_PROCESS.test(name))) return null;
    if (words.network?.test(name) === true) {
      const requests = localRequests(wholeStrings(parts), bare);
      // An address may also be assembled from parts.
      if (requests === null || /\b(?:host|hostname|baseURL)\b/.test(bare)) return null;
      commands.push(...requests);
    }
  }
  // An escape can spell any character.
  if (strings.some((text) => /\\(?:x|u|U|N\{|[0-7])/.test(text))) return null;
  if (language === "javascript") {
    if (!hasPlainImports(code) || !hasPlainEnvironment(code, bare)) return null;
    if (/\b(?:fetch|WebSocket|EventSource)\b/.test(bare)) {
      const requests = localRequests(wholeStrings(parts), bare);
      if (requests === null) return null;
      commands.push(...requests);
    }
  }
  const whole = wholeStrings(parts);
  if (callsByName(language, bare, whole, words.forbidden) || fetchesByName(language, whole)) return null;
  const isWriting = words.writes?.test(code) ?? false;
  const imports = [...imported.matchAll(words.imports)].map((match) => match[2] ?? match[1] ?? "");
  const loads = language === "javascript" || language === "ruby" ? imports : [];
  return {
    does: isWriting ? "edits" : "reads",
    paths: [...whole.filter(looksLikePath), ...(listed ?? [])],
    commands,
    loads: [...loads.filter((name) => /^(?:\/|~|\.\.)/.test(name)), ...required],
  };
}

/** PHP functions that call another function by its name: `array_map("unlink", …)`. */
const CALLS_BACK =
  /\b(?:array_(?:map|walk\w*|filter|reduce|u\w+)|u[ka]?sort|iterator_apply|ob_start|is_callable|forward_static\w*|register_\w+|spl_autoload_register)\s*\(/;
/** JavaScript functions that are called by a name in a string: `const f = fs["rm" + "Sync"]`. */
const CALLED_BY_NAME =
  /^(?:exec(?:Sync|File\w*)?|spawn\w*|fork|unlink\w*|rmSync|rmdir\w*|rename\w*|writeFile\w*|appendFile\w*|copyFile\w*|constructor|eval)$/;

function callsByName(language: LookLanguage, bare: string, strings: readonly string[], forbidden: RegExp): boolean {
  if (language === "php") return CALLS_BACK.test(bare) && strings.some((text) => forbidden.test(text));
  return language === "javascript" && /\[[^\]]*""/.test(bare) && strings.some((text) => CALLED_BY_NAME.test(text));
}

/** In these languages, functions that read a file also fetch an address. */
function fetchesByName(language: LookLanguage, strings: readonly string[]): boolean {
  if (language !== "php" && language !== "r" && language !== "julia") return false;
  return strings.some(
    (text) => /^[a-z][\w+.-]*:\/\//i.test(text) && !/^(?:php:\/\/(?:stdin|memory)|file:\/\/)/.test(text),
  );
}

/** Whether the name in every `require` and `import` call is a literal. */
function hasPlainImports(code: string): boolean {
  return !/\b(?:require|import)\s*\(\s*(?!["'`][^"'`$]*["'`]\s*\))/.test(code);
}

/** Whether it reads only single environment variables by name, none of them a secret: `process.env.NODE_ENV`. */
function hasPlainEnvironment(code: string, bare: string): boolean {
  const all = [...bare.matchAll(/\bprocess\s*\.\s*env\b/g)].length;
  const plain = [...code.matchAll(/\bprocess\.env\.([A-Za-z_]\w*)/g)];
  return plain.length >= all && plain.every(([, name = ""]) => !isSecretName(name));
}

/** `require("./config").apiKey`: a setting of the project whose name says that it is a secret. */
function readsSecretSetting(code: string, bare: string): boolean {
  const modules = javascriptModules(code);
  const own = modules.filter((name) => /^[./~]/.test(name));
  if (own.length === 0) return false;
  const isSettings = own.some((name) =>
    /(?:^|[/._-])(?:config\w*|settings?|env|secrets?|credentials?)(?:[/._-]|$)/i.test(name),
  );
  return [...bare.matchAll(/[.{,]\s*(\w{1,60})\b(?!\s*[(\w])/g)].some(
    ([, name = ""]) => SECRET_SETTING.test(name) || (isSettings && /tokens?$/i.test(name)),
  );
}

const SECRET_SETTING =
  /^(?:\w*_)?(?:SECRETS?|SECRET_KEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|PASSWORD|CREDENTIALS?)$|^(?:\w*[a-z])?(?:[sS]ecrets?|[sS]ecretKey|[aA]piKey|[aA]ccessKey|[pP]rivateKey|[pP]assword|[cC]redentials?)$/;

/**
 * Removes Perl patterns such as `if (/<h2>/)`, which contain no file handle and no call. Patterns that run code stay.
 */
function withoutPatterns(bare: string): string {
  return bare.replace(
    /(?<=(?:[(~!&|;{]|\b(?:if|unless|and|or|while))\s{0,5})m?\/(?:\\.|[^/\\\n])*\/[gimsx]*/g,
    (pattern) => (/\(\?\??\{|[@$]\{/.test(pattern) ? pattern : "//"),
  );
}

/** The content of a file with a literal name, which is among the paths of the code. */
const BUN_READS = /\bBun\s*\.\s*file\s*\(\s*""\s*\)\s*\.\s*(?:json|text|exists|size|type)\b/g;
const LUA_READS = /\bio\s*\.\s*(?:lines\s*\(\s*""\s*\)|open\s*\(\s*""\s*(?:,\s*""\s*)?\)|write\b|read\b)/g;
const LUA_MODES = /\bio\s*\.\s*open\s*\(\s*""\s*,\s*(?="")/g;

/** Whether every mode with which it opens files is one for reading. */
function opensToRead(parts: CodeParts): boolean {
  return [...parts.bare.matchAll(LUA_MODES)].every((match) =>
    /^rb?$/.test(stringAt(parts, match.index + match[0].length)),
  );
}

/** Whether the name in every `require` of Ruby is a literal, and the whole of it. */
function requiresByName(bare: string): boolean {
  return !/\brequire(?:_relative)?\b(?!\s*(?:\(\s*""\s*\)|"")\s*(?:[;\n]|$))/.test(bare);
}

/** A file of the same project, by a literal name. */
const REQUIRE_RELATIVE = /\brequire_relative\s*\(?\s*["']([\w./-]+)["']\)?/g;

/** `Dir["spec/*.rb"]`: the names of files. Like a wildcard of a shell it finds no hidden ones unless it says so. */
const LISTS_FILES = /(?<![.\w:])Dir\s*(?:\[\s*""\s*\]|\.\s*glob\s*\(\s*""\s*\))/g;

/** The patterns of such lists, which the code may read. Null if one of them names hidden files or is put together. */
function listedFiles(parts: CodeParts): string[] | null {
  const patterns = [...parts.bare.matchAll(LISTS_FILES)].map((match) =>
    stringAt(parts, match.index + match[0].indexOf(STRING)),
  );
  const isPlain = (pattern: string) => /^(?:[\w*?-][\w.*?-]*\/)*[\w*?-][\w.*?-]*$/.test(pattern);
  return patterns.length > 0 && patterns.every(isPlain) ? patterns.map((one) => one.replace(/\*+/g, STAR)) : null;
}

/** Calls that run a file: `source("R/model.R")` is `Rscript R/model.R`. */
const INCLUDES: Readonly<Partial<Record<LookLanguage, { readonly call: RegExp; readonly program: string }>>> = {
  julia: { call: /(?<![.\w@])include\s*\(\s*""\s*\)/g, program: "julia" },
  php: { call: /(?<![.\w$>:])(?:require|include)(?:_once)?\s*\(?\s*""\s*\)?(?=\s*(?:;|$))/g, program: "php" },
  r: { call: /(?<![.\w$@:])(?:source|parse)\s*\(\s*(?:file\s*=\s*)?""\s*\)/g, program: "Rscript" },
};

/** More files than this are not looked at one by one. */
const MAX_INCLUDED = 20;

/** The files that it runs, as words of a command line. Null if there are too many. */
function includedFiles(parts: CodeParts, call: RegExp): string[] | null {
  const calls = [...parts.bare.matchAll(call)];
  if (calls.length > MAX_INCLUDED) return null;
  const names = calls.map((match) => stringAt(parts, match.index + match[0].indexOf(STRING)));
  return names.map((name) => (name.startsWith("-") ? `./${name}` : name).replace(/[^\w./~-]/g, "\\$&"));
}

/** Removes calls of Julia's package manager that only use the project's own packages. */
function withoutPackageChecks(bare: string): string {
  return bare
    .replace(/\b(?:using|import)\s+Pkg\b/g, "")
    .replace(/\bPkg\.(?:test|status|instantiate|precompile|resolve|activate)\(\s*(?:""|\.)?\s*(?:;[^()]*)?\)/g, "");
}
