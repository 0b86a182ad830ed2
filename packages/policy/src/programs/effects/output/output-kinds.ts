import { isSecretName } from "../../../language/state/secret-names.ts";
import { type Field, HOLE, has, type Stream, TAINT } from "../../../language/state/values.ts";
import { programNamed } from "../../catalog/index.ts";
import { hasOption, type OptionSpec, parseOptions } from "../../options.ts";
import { commandWords } from "../command-words.ts";
import { readUse } from "../read-use.ts";

/** Options of searches that take a value, so that letters in values are not read as options. */
const SEARCHES: Readonly<Record<string, OptionSpec>> = {
  grep: { short: "efABCmdD", long: ["regexp", "file", "max-count", "include", "exclude", "context"] },
  rg: { short: "efABCmgtTjMrE", long: ["regexp", "file", "max-count", "glob", "type", "replace", "context"] },
  ag: { short: "ABCmGp", long: ["depth", "ignore", "max-count", "path-to-ignore"] },
};

/** Where a program that lists names looks for them. The first operand of a search is its pattern, unless an option gives one. */
export function listedRoots(program: string, args: readonly Field[]): readonly Field[] {
  const spec = SEARCHES[program];
  const parsed = parseOptions(args, spec ?? {});
  // With `--files` there is no pattern.
  const hasPattern = spec === undefined || hasOption(parsed, "-e", "--regexp", "-f", "--file", "--files");
  return parsed.operands.slice(hasPattern ? 0 : 1);
}

/** Programs whose whole output is one number, or hashes, which cannot be an option, a path or code. */
export function printsNumber(program: string, args: readonly Field[], stdin: Stream): boolean {
  const [first, second] = args.map(({ text }) => text);
  const isOnly = args.length === 1 && first !== undefined;
  switch (program) {
    case "nproc":
      return true;
    case "seq":
      // An argument from another command could be an option such as `-f`, which prints any text.
      return args.every(
        ({ text, taint }) => /^-?\d+$|^-w$/.test(text) || (text === HOLE && !has(taint, TAINT.data | TAINT.name)),
      );
    case "wc":
      return isOnly && /^-[lwcm]$/.test(first);
    case "grep":
    case "rg": {
      const parsed = parseOptions(args, SEARCHES[program] ?? {});
      const namesFiles = hasOption(
        parsed,
        "-r",
        "-R",
        "-H",
        "--recursive",
        "--with-filename",
        "--dereference-recursive",
      );
      return hasOption(parsed, "-c", "--count") && !namesFiles && args.length <= 3;
    }
    case "git":
      return printsHashes(args);
    case "gh":
      return printsIds(args);
    case "docker":
    case "podman":
    case "docker-compose":
      return printsContainerIds(program, args);
    case "date": {
      const format = args.map(({ text }) => text).join(" ");
      return /^(?:-u |--utc )?\+%[YmdHMSsNFyjuw][%YmdHMSsNFTZyjuw_.:-]*$/.test(format);
    }
    case "jq":
      return args.length <= 2 && /(?:^|\|)\s*length$/.test(first ?? "");
    case "sed":
      return args.length <= 3 && first === "-n" && /^(?:\/[^/;{}]*\/|\$)=$/.test(second ?? "");
    case "pgrep":
    case "pidof":
      return args.every(({ text }) => !/^-[a-zA-Z]*[lad]|^--(?:list|delimiter)/.test(text));
    case "id":
      return isOnly && /^-[ug]$/.test(first);
    case "stat": {
      const format =
        first === "-c" || first === "-f" || first === "--format" ? second : first?.replace(/^--format=/, "");
      return format !== undefined && /^%[sYz]$/.test(format);
    }
    case "tr":
    case "head":
    case "tail":
    case "cat":
      return stdin.isNumber === true && args.every(({ text }) => text.startsWith("-") || text.trim() === "");
    case "awk":
      if (args.length <= 2 && /^(?:\/[^/;{}]*\/|END)\s*\{\s*print NR;?(?:\s*exit;?)?\s*\}$/.test(first ?? ""))
        return true;
      return stdin.isNumber === true && isOnly && /^\{\s*print \$1\s*\}$/.test(first);
    default:
      return false;
  }
}

/** Options with which `git log` prints nothing but what its format says. */
const LIMITS: ReadonlySet<string> = new Set(
  "-n --max-count -1 -2 -3 -4 -5 --skip --since --until --after --before --author --grep --all --branches --tags --remotes --no-merges --merges --reverse --first-parent --diff-filter -s --no-patch -i --max-parents --min-parents".split(
    " ",
  ),
);

function printsHashes(args: readonly Field[]): boolean {
  const known = programNamed("git");
  if (known === undefined) return false;
  const { verb, options, operands, unknown } = readUse(known, "git", args);
  if (unknown !== null) return false;
  const own = options.filter(({ isGlobal }) => !isGlobal);
  const names = own.map(({ name }) => name);
  switch (verb) {
    case "rev-list":
      // With every commit there is, a search goes through what was removed long ago: `git grep x $(git rev-list --all)`.
      return names.includes("--count") || names.every((name) => LIMITS.has(name) && name !== "--all");
    case "merge-base":
      return !names.includes("--is-ancestor");
    case "rev-parse":
      return names.every((name) => ["--verify", "--short", "-q", "--quiet"].includes(name)) && operands.length === 1;
    case "log":
    case "show":
      break;
    default:
      return false;
  }
  const formats = own.filter(({ name }) => name === "--format" || name === "--pretty");
  return (
    formats.length > 0 &&
    formats.every(({ value }) => /^(?:format:|tformat:)?%[hHT]$/.test(value?.text ?? "")) &&
    own.every(({ name }) => name === "--format" || name === "--pretty" || LIMITS.has(name))
  );
}

/** `docker ps -q`, `docker compose ps -q api`: nothing but hashes. */
function printsContainerIds(program: string, args: readonly Field[]): boolean {
  const known = programNamed(program);
  if (known === undefined) return false;
  const { verb, options, unknown } = readUse(known, program, args);
  const isList = /^(?:compose |container |image )?(?:ps|ls|list|images)$/.test(verb);
  const names = options.map(({ name }) => name);
  return (
    unknown === null && isList && (names.includes("-q") || names.includes("--quiet")) && !names.includes("--format")
  );
}

/** `gh run list --json databaseId -q '.[0].databaseId'`: fields that are numbers by the schema of `gh`. */
function printsIds(args: readonly Field[]): boolean {
  const known = programNamed("gh");
  const [group, verb] = commandWords("gh", args);
  if (known === undefined || !/^(?:run|pr|issue|workflow)$/.test(group ?? "") || !/^(?:list|ls|view)$/.test(verb ?? ""))
    return false;
  const { options, unknown } = readUse(known, "gh", args);
  const filters = options.filter(({ name }) => name === "-q" || name === "--jq");
  return (
    unknown === null &&
    filters.length === 1 &&
    options.some(({ name }) => name === "--json") &&
    !options.some(({ name }) => name === "-t" || name === "--template") &&
    filters.every(({ value }) => /^(?:\.\[\d*\]|first\s*\|\s*)?\s*\.(?:databaseId|number)$/.test(value?.text ?? ""))
  );
}

export function fetchesOverNetwork(program: string, args: readonly Field[]): boolean {
  switch (program) {
    case "openssl":
      return commandWords(program, args)[0] === "s_client" || args.some(({ text }) => text === "s_client");
    case "git": {
      const [verb] = commandWords(program, args);
      return verb === "ls-remote" || (verb === "archive" && args.some(({ text }) => text.startsWith("--remote")));
    }
    case "gh":
    case "glab": {
      const [first, second] = commandWords(program, args);
      return (
        first === "api" || (first === "release" && second === "download") || (first === "gist" && second === "view")
      );
    }
    case "aws": {
      const [service, verb, source, target] = commandWords(program, args);
      return service === "s3" && verb === "cp" && source?.startsWith("s3:") === true && target === "-";
    }
    default:
      return false;
  }
}

/** Password managers: anything that they print may be a secret. */
const PASSWORD_MANAGERS: ReadonlySet<string> = new Set("pass op bw lpass secret-tool keyctl".split(" "));

/** Whether what it prints is a secret, by its table and for the few that print the environment. */
export function printsSecrets(program: string, args: readonly Field[]): boolean {
  switch (program) {
    case "printenv":
      return args.length === 0 || args.some(({ text }) => isSecretName(text));
    case "env":
    case "set":
      return args.length === 0;
    case "history":
    case "fc":
      return true;
    case "security":
      return args.some(({ text }) => /^(?:find-(?:generic|internet)-password|dump-keychain)$/.test(text));
    case "docker":
      return ["config", "secret"].includes(commandWords(program, args)[0] ?? "");
  }
  if (PASSWORD_MANAGERS.has(program)) return args.length > 0;
  const known = programNamed(program);
  return known !== undefined && readUse(known, program, args).does === "secret";
}

/** Words of commands that print a short-lived token of the user's own account, to sign in with. */
const TOKEN_PRINTERS: Readonly<Record<string, RegExp>> = {
  aws: /^ecr(?:-public)? get-login-password\b/,
  gcloud: /^auth (?:application-default )?print-(?:access|identity)-token\b/,
  gh: /^auth token\b/,
  az: /^account get-access-token\b/,
};

export function printsToken(program: string, args: readonly Field[]): boolean {
  const words = Object.hasOwn(TOKEN_PRINTERS, program) ? TOKEN_PRINTERS[program] : undefined;
  return words?.test(commandWords(program, args).join(" ")) === true;
}

/** Words of commands that print settings which may include credentials. Reading them is ordinary, looking for one is not. */
const SETTINGS_PRINTERS: Readonly<Record<string, RegExp>> = {
  git: /^config\b/,
  npm: /^(?:config|c) (?:list|ls)\b/,
  pnpm: /^config (?:list|ls)\b/,
  yarn: /^config\b/,
  pip: /^config (?:list|debug)\b/,
  pip3: /^config (?:list|debug)\b/,
  poetry: /^config\b/,
  bundle: /^config\b/,
  composer: /^config\b/,
  conda: /^config\b/,
  docker: /^(?:(?:container |image )?inspect|compose config|history|service inspect)\b/,
  "docker-compose": /^config\b/,
  podman: /^(?:(?:container |image )?inspect|compose config|history)\b/,
  kubectl: /^(?:get|describe|config view)\b/,
  oc: /^(?:get|describe)\b/,
  gradle: /^properties\b/,
  gradlew: /^properties\b/,
  terraform: /^(?:show|plan)\b/,
  aws: /^(?:lambda get-function|ecs describe-task|elasticbeanstalk describe-configuration|amplify get-app|glue get-connection)/,
  gcloud: /\bdescribe\b/,
  systemctl: /^(?:show|cat)\b/,
  crontab: /^$/,
  pm2: /^(?:env|jlist|prettylist|describe|show)\b/,
};

/** Settings of package managers, which may name a token. Reading them is ordinary, looking for it is not. */
export const SETTINGS_FILE =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|auth\.json|gradle\.properties|NuGet\.Config)$/;

/** Programs that print what services wrote, or the arguments of every process. */
const LOG_PRINTERS: ReadonlySet<string> = new Set(
  "journalctl dmesg ps pgrep stern kubetail lnav coredumpctl".split(" "),
);
/** `docker logs`, `kubectl -n x logs`, `heroku logs`, `docker compose logs`, `aws logs tail`, `gcloud logging read`. */
const LOG_VERB = /^(?:logs?|logging|tail)$/;
/** Clients of databases, which print rows. */
const ROW_PRINTERS: ReadonlySet<string> = new Set(
  "psql pgcli mysql mariadb mycli sqlite3 duckdb litecli mongosh mongo sqlcmd cqlsh clickhouse-client usql".split(" "),
);

/** What a program prints that may contain credentials. */
export function printsHeld(program: string, args: readonly Field[]): Stream["mayHold"] {
  if (FILE_PRINTERS.has(program)) return args.some(({ text }) => SETTINGS_FILE.test(text)) ? "settings" : undefined;
  if (LOG_PRINTERS.has(program)) return "logs";
  if (ROW_PRINTERS.has(program)) return "rows";
  // With `-p`, make prints all variables, those of the environment among them.
  if (/^g?make$/.test(program) && args.some(({ text }) => /^-[a-zA-Z]*p|^--print-d/.test(text))) return "settings";
  const pattern = Object.hasOwn(SETTINGS_PRINTERS, program) ? SETTINGS_PRINTERS[program] : undefined;
  const known = programNamed(program);
  if (pattern === undefined && known?.spec.does !== "publish") return undefined;
  const words = commandWords(program, args);
  if (pattern?.test(words.join(" ")) === true && !isTable(words, args)) return "settings";
  return program !== "git" && words.slice(0, 2).some((word) => LOG_VERB.test(word)) ? "logs" : undefined;
}

/** `kubectl get pods`: a table of names, without any settings. */
function isTable([verb, kind = ""]: readonly string[], args: readonly Field[]): boolean {
  return (
    verb === "get" && !/secret|configmap|^cm\b/.test(kind) && !args.some(({ text }) => /^(?:-o|--output)/.test(text))
  );
}

const FILE_PRINTERS: ReadonlySet<string> = new Set("cat bat head tail nl tac".split(" "));

const LISTERS: ReadonlySet<string> = new Set("ls dir find fd fdfind tree locate".split(" "));
const NAMES_ONLY = ["-l", "--files-with-matches", "--files", "--name-only"] as const;

/** Whether it prints names of files. */
export function isListing(program: string, args: readonly Field[]): boolean {
  if (LISTERS.has(program)) return true;
  if (program === "git") {
    const [verb] = commandWords(program, args);
    const has = (...names: readonly string[]) => args.some(({ text }) => names.includes(text));
    if (verb === "diff" || verb === "diff-tree") return has("--name-only") && !has("-p", "-u", "--patch", "--binary");
    // Without a format it prints messages, too.
    if (verb === "show" || verb === "log")
      return has("--name-only") && has("--format=", "--pretty=", "--pretty=format:") && !has("-p", "-u", "--patch");
    if (verb === "grep") return hasOption(parseOptions(args, SEARCHES.grep ?? {}), ...NAMES_ONLY);
    return verb === "ls-files" || verb === "ls-tree" || verb === "status";
  }
  // Packages of the project, as paths; with a format it prints anything.
  if (program === "go")
    return args[0]?.text === "list" && !args.some(({ text }) => /^--?(?:f|json|export)\b/.test(text));
  const spec = SEARCHES[program];
  return spec !== undefined && hasOption(parseOptions(args, spec), ...NAMES_ONLY);
}
