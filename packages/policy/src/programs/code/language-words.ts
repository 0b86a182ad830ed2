import type { LookLanguage } from "./code-text.ts";
import { JAVASCRIPT_IMPORTS } from "./library-calls.ts";

/** What tells that code of a language does more than compute and print. */
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

/** Python is looked at more closely, in a file of its own. */
export const WORDS: Readonly<Record<Exclude<LookLanguage, "python">, Words>> = {
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
