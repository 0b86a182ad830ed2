import { isStandardPlace, isToolPlace } from "../../programs/tool-places.ts";
import { isInside, resolvePath } from "../words/paths.ts";
import { isKnown } from "./values.ts";

/** The context in which a variable's value is judged. Relative paths are relative to `cwd`. */
export interface ValuePlace {
  readonly cwd: string | null;
  /** The workspace, and the other project folders. */
  readonly projects: readonly string[];
  readonly home: string;
}

/**
 * Variables of a tool that affect only its messages, its speed or its working folder.
 * For programs that load code, any other variable with their prefix needs a person.
 */
const HARMLESS_NAME = new RegExp(
  `^(?:${[
    "CI|DEBUG|VERBOSE|PORT|HOST|TZ|LANG|LANGUAGE|LC_\\w+|TERM|COLORTERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|LS_COLORS|GREP_COLORS?",
    "IFS|REPLY|OPTIND|SOURCE_DATE_EPOCH|DEBIAN_FRONTEND|DO_NOT_TRACK|NO_PROXY|no_proxy|SKIP|HUSKY|PRE_COMMIT_COLOR|LESSCHARSET|GCC_COLORS",
    "MALLOC_(?:ARENA_MAX|TRIM_THRESHOLD_|MMAP_THRESHOLD_|TOP_PAD_|PERTURB_|CHECK_)",
    "\\w+_(?:MAJOR|MINOR|PATCH|PIDS?|SHA|STATUS|EXIT_CODE)",
    "\\w+_(?:VERSION|TELEMETRY|TELEMETRY_(?:OPTOUT|DISABLED)|LOG_LEVEL|LOGLEVEL)|(?!BASH|VIRTUAL)[A-Z]+_ENV",
    "NODE_(?:NO_WARNINGS|DISABLE_COLORS|PENDING_DEPRECATION)",
    "npm_config_(?:loglevel|color|progress|fund|audit|update_notifier|yes|offline|prefer_offline|ignore_scripts)",
    "NPM_CONFIG_(?:LOGLEVEL|COLOR|PROGRESS|FUND|AUDIT|UPDATE_NOTIFIER|YES|OFFLINE|PREFER_OFFLINE|IGNORE_SCRIPTS)",
    "PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|FAULTHANDLER|NOUSERSITE|DEVMODE|ASYNCIODEBUG|TRACEMALLOC|SAFEPATH|OPTIMIZE|_?JIT|_GIL)",
    "PIP_(?:NO_INPUT|DISABLE_PIP_VERSION_CHECK|NO_CACHE_DIR|QUIET|PROGRESS_BAR)|UV_(?:OFFLINE|NO_PROGRESS|FROZEN|LOCKED|LINK_MODE|NO_SYNC)",
    "RUST_(?:BACKTRACE|LIB_BACKTRACE|LOG|TEST_THREADS|MIN_STACK|TEST_NOCAPTURE)|CARGO_(?:TERM_\\w+|INCREMENTAL|NET_OFFLINE|BUILD_JOBS)",
    "GO(?:OS|ARCH|ARM|AMD64|MAXPROCS|GC|MEMLIMIT|TRACEBACK|111MODULE)|CGO_ENABLED|GO111MODULE",
    "GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|LITERAL_PATHSPECS|MERGE_AUTOEDIT)",
    "GIT_(?:COMMIT|SHA|HASH|BRANCH|TAG|REV|REVISION)|DOCKER_(?:BUILDKIT|CLI_HINTS|SCAN_SUGGEST|TAG|IMAGE)|BUILDKIT_PROGRESS|COMPOSE_(?:PROJECT_NAME|PROFILES|DOCKER_CLI_BUILD)",
    "TF_(?:LOG|IN_AUTOMATION|INPUT|WORKSPACE|VAR_\\w+)|RAILS_MAX_THREADS|MIX_ENV|DOTNET_(?:CLI_TELEMETRY_OPTOUT|NOLOGO|ENVIRONMENT)|ASPNETCORE_(?:ENVIRONMENT|URLS)",
    "TURBO_(?:FORCE|CONCURRENCY)|JEST_WORKER_ID|VITEST_(?:POOL_ID|MODE)|PLAYWRIGHT_(?:HTML_OPEN|FORCE_TTY|SKIP_BROWSER_DOWNLOAD)|FLASK_DEBUG|ESLINT_USE_FLAT_CONFIG|MSYS_NO_PATHCONV|MSYS2_ARG_CONV_EXCL",
  ].join("|")})$`,
);

const wordsAre = (word: RegExp) => (value: string) => value.split(/\s+/).every((one) => one === "" || word.test(one));

const isProjects = (path: string, projects: readonly string[]) => projects.some((folder) => isInside(path, folder));

/** Whether every part of a list of folders is inside the workspace or another project. */
const inWorkspace = (value: string, { cwd, projects }: ValuePlace) =>
  value !== "" &&
  value.split(":").every((part) => {
    const path = part === "" ? null : resolvePath(part, cwd);
    return path !== null && isProjects(path, projects);
  });

/** An empty part is the working folder. */
const isLibraryPath = (value: string, place: ValuePlace) =>
  value !== "" && value.split(":").every((part) => isSystemPlace(part) || inWorkspace(part === "" ? "." : part, place));

const isScratch = (value: string, place: ValuePlace) =>
  inWorkspace(value, place) || /^\/(?:tmp|var\/tmp|dev\/shm)\/[^:]+$/.test(resolvePath(value, place.cwd) ?? "");

/** Folders in which the system and a person's own package managers keep programs. */
const isSystemPlace = (value: string) =>
  !value.includes("..") && /^\/(?:usr|opt|Library|System)\/[\w./+-]*$/.test(value);

const PROJECT_BIN = /\/(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$/;

function isUsualPath(value: string, { cwd, projects, home }: ValuePlace): boolean {
  return value.split(":").every((part) => {
    const path = part === "" ? null : resolvePath(part, cwd);
    if (path === null) return false;
    if (isStandardPlace(`${path}/x`) || isToolPlace(`${path}/x`, home, cwd) || /^\/usr\/(?:local\/)?games$/.test(path))
      return true;
    return isProjects(path, projects) && PROJECT_BIN.test(path);
  });
}

type IsHarmless = (value: string, place: ValuePlace) => boolean;

/** Variables that are harmless only with certain values: tuning options, folders of the project. */
const HARMLESS_VALUE: ReadonlyMap<string, IsHarmless> = new Map<string, IsHarmless>([
  ["PATH", isUsualPath],
  ["HOME", (value, { home }) => value === home],
  ...["PYTHONPATH", "NODE_PATH", "RUBYLIB", "PERL5LIB"].map((name) => [name, isLibraryPath] as const),
  ...[
    "CARGO_TARGET_DIR",
    "GOCACHE",
    "XDG_CACHE_HOME",
    "PIP_CACHE_DIR",
    "UV_CACHE_DIR",
    "npm_config_cache",
    "TMPDIR",
  ].map((name) => [name, isScratch] as const),
  ["VIRTUAL_ENV", inWorkspace],
  ["JAVA_HOME", isSystemPlace],
  ["GOROOT", isSystemPlace],
  ["GOPROXY", (value) => value === "off"],
  ["GOSUMDB", (value) => /^(?:sum\.golang\.org)$/.test(value)],
  [
    "NODE_OPTIONS",
    wordsAre(
      /^--(?:max-old-space-size|max-semi-space-size|stack-trace-limit|stack-size|unhandled-rejections|dns-result-order|conditions)=[\w-]+$|^--(?:no-warnings|trace-warnings|trace-deprecation|no-deprecation|enable-source-maps|openssl-legacy-provider|experimental-(?:vm-modules|strip-types|transform-types|require-module))$/,
    ),
  ],
  [
    "RUSTFLAGS",
    wordsAre(
      /^-[DWAF][\w-]*$|^warnings$|^[\w]+(?:[-_]\w+)*$|^-C(?:target-cpu=[\w-]+)?$|^(?:target-cpu|opt-level|debuginfo|target-feature|codegen-units)=[\w.,+-]+$|^--cfg$/,
    ),
  ],
  [
    "GOFLAGS",
    wordsAre(/^-(?:mod=(?:mod|vendor|readonly)|count=\d+|race|v|short|trimpath|buildvcs=\w+|tags=[\w,]+|p=\d+)$/),
  ],
  ...["CFLAGS", "CXXFLAGS", "CPPFLAGS"].map(
    (name) =>
      [
        name,
        wordsAre(
          /^-(?:O[\dsgz]?|g\d?|W[\w-]+(?:=[\w-]+)?|std=[\w+]+|D\w+(?:=[\w.]+)?|march=[\w-]+|pthread|fPIC|pedantic|fsanitize=[\w,]+|fno-[\w-]+)$/,
        ),
      ] as const,
  ),
  ["MAKEFLAGS", wordsAre(/^(?:-?j\d*|--no-print-directory|-?s|-?k)$/)],
  ["PYTHONWARNINGS", (value) => /^(?:ignore|default|error|always|once|module)(?:::\w*)?$/.test(value)],
  [
    "PYTEST_ADDOPTS",
    wordsAre(/^(?:-[vqxsl]+|-r\w+|--tb=\w+|--color=\w+|-n(?:auto|\d+)|--maxfail=\d+|--durations=\d+)$/),
  ],
  // With a path as their value, these variables make the tool write to that file.
  ...["GIT_TRACE", "GIT_TRACE_PERFORMANCE", "GIT_TRACE_SETUP", "GIT_CURL_VERBOSE"].map(
    (name) => [name, (value: string) => /^(?:[012]|true|false|)$/.test(value)] as const,
  ),
  ["GODEBUG", (value) => /^\w+=\w+(?:,\w+=\w+)*$/.test(value)],
  ...["MAVEN_OPTS", "GRADLE_OPTS", "JAVA_OPTS", "SBT_OPTS"].map(
    (name) =>
      [
        name,
        wordsAre(/^-X(?:mx|ms|ss)\d+[kmgKMG]?$|^-XX:[+-]\w+$|^-D(?:file\.encoding|user\.timezone)=[\w/-]+$/),
      ] as const,
  ),
  // Other settings name a program that it runs, or a file that it writes.
  ...["ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "MSAN_OPTIONS", "LSAN_OPTIONS"].map(
    (name) => [name, (value: string) => /^(?:[a-z_]+=(?:\d+|true|false)(?:[: ]|$))*$/.test(value)] as const,
  ),
  ["LESS", wordsAre(/^-?[A-Za-z]+$/)],
  ...["GZIP", "XZ_OPT", "XZ_DEFAULTS", "BZIP", "BZIP2", "ZIPOPT", "ZSTD_CLEVEL"].map(
    (name) => [name, wordsAre(/^-?[\dTekqv]+$/)] as const,
  ),
  // With a password from a file, they sign in there. A name without a dot is a container or a machine nearby.
  ...["PGHOST", "PGHOSTADDR"].map(
    (name) => [name, (value: string) => /^(?:[\w-]+|127(?:\.\d+){3}|::1|\/[\w./-]*)$/.test(value)] as const,
  ),
  ...["VAULT_ADDR", "CONSUL_HTTP_ADDR", "NOMAD_ADDR", "ETCDCTL_ENDPOINTS"].map(
    (name) =>
      [
        name,
        (value: string) => /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/?$/.test(value),
      ] as const,
  ),
]);

/** Tools that load code, settings or addresses from variables with their own prefix. */
const TOOL_PREFIX =
  /^(?:[A-Z]+SAN|GIT|NPM_CONFIG|npm_config|YARN|PNPM|COREPACK|NODE|BUN|DENO|PIP|UV|POETRY|PDM|PIPENV|CONDA|VIRTUALENV|PYENV|PYTEST|RUBY|GEM|BUNDLE|BUNDLER|RBENV|PERL|PERL5|PERL_MM|LUA|PHP|COMPOSER|CGO|CARGO|RUST|RUSTC|RUSTUP|RUSTDOC|JAVA|JDK|MAVEN|MVN|GRADLE|KOTLIN|SBT|DOTNET|NUGET|MSBUILD|CORECLR|COMPLUS|COMPlus|ASPNETCORE|DOCKER|COMPOSE|BUILDKIT|BUILDX|CONTAINERS?|CONTAINER|PODMAN|KUBE|KUBECTL|HELM|TF|TERRAFORM|CLOUDSDK|AZURE_CONFIG|ANSIBLE|VAGRANT|LD|DYLD|BASH|ZSH|SSH|SSL|CURL|WGET|XDG|CMAKE|NINJA|PKG_CONFIG|M4|R|JULIA|EMACS|VIM|NVIM|OPENSSL|REQUESTS|RIPGREP|FZF|BAT|ESLINT|PRETTIER|JEST|VITEST|PLAYWRIGHT|CYPRESS|TS_NODE|TSX|SWC|BABEL|WEBPACK|TURBO|NX|LERNA|ELECTRON|PUPPETEER|CHROME|MIX|ERL|ELIXIR|HEX|GHC|CABAL|OPAM|OCAML|SWIFT|NIX|GUIX|HOMEBREW|APT|SUDO|MALLOC|AWS_(?:CONFIG|SHARED_CREDENTIALS|ENDPOINT|CA)|GOOGLE_APPLICATION|MYSQL_(?:HOME|TEST)|PGSSL|PULUMI)_/;

const TOOL_NAME =
  /^(?:PATH|ENV|HOME|ZDOTDIR|CDPATH|GLOBIGNORE|INPUTRC|SHELLOPTS|BASHOPTS|CLASSPATH|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO(?:_DIRS)?|TERMCAP|TERMPATH|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|TMPDIR|TAR_OPTIONS|GREP_OPTIONS|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS|MAKEFILES|PYTHON\w+|PERL5\w+|RUBY\w+|GO[A-Z0-9]+|RUST\w*FLAGS|[A-Z]*FLAGS|HIST(?:FILE|CONTROL|IGNORE|SIZE|FILESIZE)|LESS\w*|MORE|MANPATH|KUBECONFIG|_JAVA_OPTIONS|JAVA\w*|M2_HOME|MAVEN|DOCKER_\w+|PGSERVICE\w*|PGSSL(?:CERT|KEY|ROOTCERT|CRL\w*)|MYSQL_(?:HOME|TEST_LOGIN_FILE)|GH_(?:CONFIG_DIR|HOST|PATH)|IPYTHONDIR|JUPYTER_(?:PATH|DATA_DIR)|SPARK_(?:HOME|CONF_DIR|SUBMIT_OPTS)|HADOOP_(?:HOME|CONF_DIR)|DBT_PROFILES_DIR|PRISMA_\w+_(?:LIBRARY|BINARY)|CCACHE_(?:PREFIX\w*|COMPILER)|PRE_COMMIT_HOME|BAZEL_SH|PGSYSCONFDIR|PGPASSFILE|PGHOST|PGHOSTADDR|PSQLRC|PHPRC|SQLITE_HISTORY|GNUPGHOME|NETRC|WGETRC|CURL_HOME|VIMINIT|EXINIT|GVIMINIT|MYVIMRC|VIRTUAL_ENV|CONDA\w*|R_\w+|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|LIBRARY_PATH|COMPILER_PATH|GCC_EXEC_PREFIX|SYSTEMD_\w+|FPATH|fpath|path|cdpath|module_path|MAILPATH|MAILCHECK|FIGNORE|EXECIGNORE|AWKPATH|AWKLIBPATH|JQ_LIBRARY_PATH|MSYS\w*|STACK_YAML|AZURE_EXTENSION_DIR|SCREENRC|OCTAVE_\w+|ACLOCAL_PATH|SASS_PATH|TEXINPUTS|TEXMF\w+|BIBINPUTS|MAGICK_\w+|FFREPORT|CONFIG_SITE|GIO_\w+|GTK_(?:PATH|MODULES)|QT_PLUGIN_PATH|KREW_ROOT|TZDIR|UNZIP(?:OPT)?|ZIPOPT|ZIPINFO(?:OPT)?|GZIP|XZ_OPT|XZ_DEFAULTS|BZIP2?|ZSTD_CLEVEL|MYSQL_HISTFILE|TMUX_TMPDIR|VAULT_ADDR|CONSUL_HTTP_ADDR|NOMAD_ADDR|ETCDCTL_ENDPOINTS|KUBERNETES_MASTER|GNUPLOT_\w+|GS_LIB|ESBUILD_BINARY_PATH|COVERAGE_PROCESS_START|COVERAGE_RCFILE)$/;

/** Names of application variables from which common libraries take code or a network address. */
const LOADING_SUFFIX =
  /(?:^|_)(?:PROXY|PRELOAD|OPTS|OPTIONS|FLAGS|COMMAND|CMD|EDITOR|PAGER|SHELL|WRAPPER|HOOK|PLUGINS?|LOADER|REGISTRY|INDEX_URL|CONFIG_(?:FILE|PATH|DIR|HOME)|RC|RCFILE|STARTUP|ASKPASS|(?:LIBRARY|MODULE|PLUGIN)_PATH|LINKER|COMPILER|INTERPRETER|CA_BUNDLE)$/i;

/** Whether programs find or load their code, settings or network access through this variable. */
export function isLoadingVariable(given: string): boolean {
  const name = asRead(given);
  if (HARMLESS_NAME.test(name)) return false;
  return TOOL_NAME.test(name) || TOOL_PREFIX.test(name) || /_proxy$/i.test(name);
}

/**
 * Whether passing this value to programs could change which code they load. `isExported` is false for a
 * plain assignment, which programs only get if the variable was exported before.
 */
export function couldLoadCode(given: string, value: string, place: ValuePlace, isExported: boolean): boolean {
  const name = asRead(given);
  const isLoading = isLoadingVariable(name);
  if (!isLoading && !(isExported && LOADING_SUFFIX.test(name))) return false;
  const isHarmless = HARMLESS_VALUE.get(name);
  if (isHarmless !== undefined) return !(isKnown(value) && isHarmless(value, place));
  // A variable of the application: a settings file or tool inside the project is part of the project.
  if (!isLoading) return !(isKnown(value) && (/^[\w.]*$/.test(value) || inWorkspace(value, place)));
  return isExported || TOOL_NAME.test(name) || !/^\w[\w.+-]*$/.test(value);
}

/** npm accepts its own variables in any case. */
function asRead(name: string): string {
  return /^npm_config_/i.test(name) ? name.toLowerCase() : name;
}
