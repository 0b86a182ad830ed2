/** What a bounded look at inline code shows. */
export type CodeLook =
  /** It computes and prints; it may read these paths. */
  | { readonly does: "reads"; readonly paths: readonly string[] }
  /** It also writes, and only to these paths or to others that are made from them. */
  | { readonly does: "edits"; readonly paths: readonly string[] }
  /** It runs, connects, deletes or hides something, or nobody can tell. */
  | { readonly does: "unclear" };

/** The languages that are looked at. Code in any other is for a person to read. */
export type LookLanguage = "python" | "javascript" | "perl" | "ruby" | "php" | "lua" | "octave" | "r" | "julia";

const UNCLEAR: CodeLook = { does: "unclear" };
/** More than this nobody takes in at a glance. */
const MAX_LOOKED_AT = 4_096;

interface Words {
  /** Names that run, connect, delete, hide or reach around the language, wherever they stand outside strings. */
  readonly forbidden: RegExp;
  /** Names and forms that write files. Looked for in the whole text, since modes of opening are strings. */
  readonly writes: RegExp | null;
  /** How a module is named; what it captures must not be `modules`. */
  readonly imports: RegExp;
  readonly modules: RegExp;
}

const WORDS: Readonly<Record<LookLanguage, Words>> = {
  python: {
    forbidden:
      /\b(?:exec|eval|compile|__import__|__builtins__|__globals__|__subclasses__|__class__|__dict__|__loader__|__reduce__|getattr|setattr|delattr|globals|locals|vars|breakpoint|input|chr|bytearray|fromhex|unhexlify|b64decode|decodebytes|decompress|environ|getenv|putenv|expanduser|expandvars|home|argv|modules|meta_path|settrace|system|popen\w*|spawn\w*|exec[lv]\w*|posix_spawn\w*|fork\w*|kill\w*|abort|_exit|remove|unlink|rmdir|removedirs|rmtree|rename|renames|chmod|chown|lchown|chroot|setuid|setgid|symlink\w*|link|hardlink_to|symlink_to|link_to|mkfifo|mknod|truncate|startfile|Popen|check_output|check_call|check_returncode|run_module|run_path|import_module|urlopen|urlretrieve|connect|create_connection|bind|listen|sendall|sendto|sendmail|to_sql|to_pickle|read_pickle|load_module|loads_pickle|dll|CDLL|LoadLibrary|memmove|sep|walk_packages|interact|copyfile|copytree|copy2|move|make_archive|unpack_archive|extractall|dup2|pipe|openpty|ioctl|fcntl|mmap|chdir|umask|nice|getlogin|create_subprocess_\w+|to_thread|Process|Pool|Thread|run_until_complete|run_coroutine_threadsafe|get_data|reload|addaudithook|register|atexit)\b/,
    writes:
      /\bopen\s*\([^()]*?,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+][wabtx+]*["']|\.(?:write_text|write_bytes|touch|mkdir|writelines|to_csv|to_json|to_excel|to_parquet|savefig|save)\s*\(|\bmakedirs\s*\(|(?<!\b(?:stdout|stderr))\.write\s*\(|\bopen\s*\([^()]*mode\s*=\s*["'][^r"']/,
    imports: /(?:^|[\n;:])\s*(?:import\s+([\w., ]+)|from\s+([\w.]+)\s+import)/g,
    modules:
      /^(?:subprocess|pty|socket|socketserver|ssl|urllib|urllib2|urllib3|requests|httpx|aiohttp|http|ftplib|smtplib|poplib|imaplib|telnetlib|xmlrpc|paramiko|fabric|boto3|botocore|docker|kubernetes|selenium|playwright|pexpect|sh|plumbum|ctypes|cffi|pickle|cPickle|dill|cloudpickle|marshal|shelve|importlib|runpy|imp|code|codeop|codecs|builtins|multiprocessing|threading|_thread|asyncio|concurrent|signal|webbrowser|antigravity|ensurepip|pip|venv|site|sitecustomize|crypt|keyring|getpass|winreg|posix|nt|resource|sched|dbm|sqlite3|psycopg2?|pymysql|MySQLdb|pymongo|redis|shutil|tempfile|zipimport|pkgutil|gc|fcntl|termios|tty|mmap|distutils|setuptools|base64|binascii|zlib|bz2|lzma|zipfile|tarfile|websocket|websockets|grpc|twisted|tornado|dotenv|git|psutil|pyautogui|pynput|js2py|execjs)$/,
  },
  javascript: {
    forbidden:
      /\b(?:eval|Function|constructor|__proto__|globalThis|Reflect|Proxy|import\.meta|process\s*\.\s*(?:env|kill|binding|dlopen|mainModule|chdir|setuid|setgid|umask|_\w+|report|abort)|process\s*\[|require\s*\.\s*(?:cache|extensions|main)|module\s*\.\s*constructor|createRequire|fetch|XMLHttpRequest|WebSocket|EventSource|Worker|SharedWorker|WebAssembly|sendBeacon|fromCharCode|fromCodePoint|atob|unescape|decodeURIComponent|spawn\w*|execSync|execFile\w*|fork|unlink\w*|rmSync|rmdir\w*|rename\w*|copyFile\w*|cpSync|symlink\w*|linkSync|chmod\w*|chown\w*|truncate\w*|utimes\w*|mkdtemp\w*|watch|createServer|connect|createConnection|listen|runIn\w*Context|Script|setTimeout\s*\(\s*["'`]|Deno|Bun|homedir|userInfo|tmpdir)\b|\brm\s*\(/,
    writes:
      /\b(?:writeFile\w*|appendFile\w*|createWriteStream|mkdir\w*|openSync|open\s*\(|writeSync|outputFile\w*|outputJson\w*|writeJson\w*)\b/,
    imports: /(?:\brequire\s*\(\s*|\bimport\s*\(\s*|\bfrom\s+|\bimport\s+)(["'`])([^"'`]*)\1/g,
    modules:
      /^(?:node:)?(?:child_process|net|http|https|http2|tls|dgram|dns|cluster|worker_threads|vm|v8|inspector|repl|module|process|os|axios|got|node-fetch|undici|superagent|request|ws|socket\.io.*|execa|shelljs|cross-spawn|zx|rimraf|del|fs-extra-promise|puppeteer.*|playwright.*|ssh2|nodemailer|pg|mysql2?|mongodb|redis|dotenv.*|zlib|sqlite|better-sqlite3)$/,
  },
  perl: {
    forbidden:
      /`|\b(?:system|exec|qx|eval|fork|open|opendir|sysopen|unlink|rename|rmdir|mkdir|chmod|chown|kill|socket|connect|bind|listen|symlink|link|truncate|utime|syscall|dbmopen|do|require|glob|ENV|ARGV|INC|readpipe|pack|unpack|chr|vec|dump|sysread|syswrite|local\s+@ARGV|__DATA__|CORE|tie|bless|AUTOLOAD|sub\s+DESTROY|print\s+\{|select)\b|\bs(.)(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[a-z]*ee|\(\?\??\{|<[^=>]*>/,
    writes: null,
    imports: /(?:\buse\s+|^-[Mm])([\w:]+)/gm,
    modules:
      /^(?!(?:strict|warnings|utf8|feature|List::Util|Scalar::Util|Data::Dumper|JSON::PP|POSIX|Encode|Time::Local|Time::Piece|Getopt::Long|Text::\w+|File::Basename|constant|integer|bigint|locale|v?5[\d.]*)$)/,
  },
  ruby: {
    forbidden:
      /`|%x|\b(?:system|exec|spawn|fork|popen\w*|eval|instance_eval|class_eval|module_eval|instance_exec|send|__send__|public_send|const_get|method|binding|Kernel|Process|ObjectSpace|Open3|IO|FileUtils|Dir|Net|Socket|TCPSocket|UDPSocket|URI|open|load|ENV|ARGV|trap|at_exit|syscall|Marshal|Fiddle|DRb|PTY|pack|unpack\w*|delete|unlink|rename|chmod|chown|symlink|link|truncate|mkdir|rmdir|rm\w*|mkfifo|chr|abort|exit!)\b/,
    writes: /\bFile\s*\.\s*(?:write|binwrite|open|new)\b|\.write\b/,
    imports: /\brequire(?:_relative)?\s*\(?\s*["']([^"']*)["']|^-r([\w/-]+)/gm,
    modules:
      /^(?!(?:json|yaml|set|date|time|csv|pp|erb|digest|bigdecimal|securerandom|prime|matrix|benchmark|ostruct|optparse|strscan|rexml\/document)$)/,
  },
  php: {
    forbidden:
      /`|\$\$|\b(?:exec|shell_exec|system|passthru|popen|proc_open|pcntl_\w+|posix_\w+|eval|assert|create_function|call_user_func\w*|func_get_args|file_put_contents|fopen|fwrite|fputs|unlink|rename|copy|mkdir|rmdir|symlink|link|chmod|chown|touch|tempnam|tmpfile|move_uploaded_file|curl_\w+|fsockopen|pfsockopen|stream_\w+|socket_\w+|mail|include|include_once|require|require_once|getenv|putenv|_ENV|_SERVER|GLOBALS|base64_decode|gzinflate|gzuncompress|str_rot13|hex2bin|chr|pack|unserialize|extract|parse_str|dl|ini_set|register_shutdown_function|phpinfo|mysqli?\w*|PDO|ReflectionFunction|preg_replace_callback|header|set_error_handler)\b/i,
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
      /\b(?:system2?|shell|pipe|eval|parse|source|file|url|unlink|download\w*|write\w*|save\w*|sink|dput|dump|cat\s*\([^)]*file|Sys\.\w+|setwd|socketConnection|install\.packages|library\.dynam|dyn\.load|do\.call|get|assign|readRDS|load|fork|mcparallel|rawToChar|intToUtf8|fwrite|file\.\w+|pdf|png)\b/,
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

/**
 * 1. Strings and comments are put aside: what they say is not run by itself.
 * 2. Any name that could run, connect, delete or hide makes the code unclear, and so does any module of that kind.
 * 3. Paths in strings are what it reads or, where it writes, what it writes.
 */
export function lookAtCode(language: LookLanguage, code: string): CodeLook {
  if (code.length > MAX_LOOKED_AT || code.includes("\uE000")) return UNCLEAR;
  const parts = separate(language, code);
  if (parts === null) return UNCLEAR;
  const { bare, strings } = parts;
  const words = WORDS[language];
  if (words.forbidden.test(bare)) return UNCLEAR;
  for (const match of code.matchAll(words.imports)) {
    const named = (match[2] ?? match[1] ?? "").split(",").map((name) => name.trim().split(/\s+as\s+/)[0] ?? "");
    for (const name of named) {
      const top = language === "python" ? name.split(".", 1)[0] : name;
      if (words.modules.test(top ?? "")) return UNCLEAR;
    }
  }
  // Escapes can spell anything.
  if (strings.some((text) => /\\(?:x|u|U|N\{|[0-7])/.test(text))) return UNCLEAR;
  if (language === "javascript" && !hasPlainImports(code)) return UNCLEAR;
  const paths = strings.filter(looksLikePath);
  const isWriting = words.writes?.test(code) ?? false;
  return { does: isWriting ? "edits" : "reads", paths };
}

/** `require(x)` and `import(x)` of something that is not written out. */
function hasPlainImports(code: string): boolean {
  return !/\b(?:require|import)\s*\(\s*(?!["'`][^"'`$]*["'`]\s*\))/.test(code);
}

function looksLikePath(text: string): boolean {
  return (
    /^(?:\/|~|\.{1,2}\/)|^[\w.-]+(?:\/[\w.*-]+)+$|^\.?[\w-]+\.[A-Za-z0-9]{1,10}$|^\.[\w-]+$/.test(text) &&
    !/\s/.test(text)
  );
}

/** The code without strings and comments, and the strings. Null where that is not simple: interpolation can hold code. */
function separate(language: LookLanguage, code: string): { bare: string; strings: string[] } | null {
  const strings: string[] = [];
  const hasHash = language !== "javascript" && language !== "lua" && language !== "php";
  let bare = "";
  let at = 0;
  while (at < code.length) {
    const char = code[at] ?? "";
    const triple = language === "python" ? code.slice(at, at + 3) : "";
    if (hasHash && char === "#" && (language !== "perl" || /\s|^$/.test(code[at - 1] ?? ""))) {
      at = endOf(code, "\n", at);
    } else if (language === "javascript" && code.startsWith("//", at) && code[at - 1] !== ":") {
      at = endOf(code, "\n", at);
    } else if (triple === '"""' || triple === "'''") {
      const end = code.indexOf(triple, at + 3);
      if (end < 0) return null;
      strings.push(code.slice(at + 3, end));
      at = end + 3;
      bare += '""';
    } else if (char === '"' || char === "'" || (char === "`" && language === "javascript")) {
      const end = closing(code, at + 1, char);
      if (end < 0) {
        // An apostrophe in a regular expression of Perl, say: then all of it counts as code.
        bare += char;
        at += 1;
        continue;
      }
      const text = code.slice(at + 1, end);
      strings.push(text);
      bare += '""';
      for (const inner of interpolations(language, text, char, code[at - 1] ?? "")) bare += ` ${inner} `;
      at = end + 1;
    } else {
      bare += char;
      at += 1;
    }
  }
  return { bare, strings };
}

/** Code that stands inside a string: `${…}`, `#{…}`, `{…}` of an f-string, `@{[…]}`. */
function interpolations(language: LookLanguage, text: string, quote: string, before: string): string[] {
  if (language === "javascript")
    return quote === "`" ? [...text.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1] ?? "") : [];
  if (language === "ruby" && quote === '"') return [...text.matchAll(/#\{([^}]*)\}/g)].map((match) => match[1] ?? "");
  if (language === "python" && /[fF]/.test(before))
    return [...text.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");
  if ((language === "perl" || language === "php" || language === "julia") && quote === '"')
    return /[@$]\{|\$\(/.test(text) ? [text] : [];
  return [];
}

function closing(code: string, from: number, quote: string): number {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code[at] === quote) return at;
    else if (code[at] === "\n" && quote !== "`") return -1;
  }
  return -1;
}

function endOf(code: string, mark: string, from: number): number {
  const end = code.indexOf(mark, from);
  return end < 0 ? code.length : end;
}
