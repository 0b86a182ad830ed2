import { isKnown } from "../../language/state/values.ts";
import type { Effect } from "../define-program.ts";

/** Options that make a program print what it otherwise hides. */
const REVEALS =
  /^--?(?:(?:show|reveal|print|export|include|with|unmask|display|expose)-?(?:secrets?|(?:secret-)?values|tokens?|passwords?|credentials?|sensitive|private-keys?|auth)|with-decryption|decrypt|plaintext-secrets|reveal|unmask|recovery-unseal|env-vars|DshowPasswords)$/i;

/** Words for things that hold a secret, and for displaying them. */
const HOLDS =
  /^(?:secrets?|tokens?|credentials?|creds|passwords?|passwd|passphrase|privatekey|jwks?|kubeconfig|apikey|vault|keychain)$/;
const SHOWS =
  /^(?:get|show|view|read|reveal|dump|export|download|pull|access|cat|print|fetch|find|generate|create|copy|url|retrieve|lookup|new|issue|mint)$/;
/** Verbs that print a secret without an object. */
const OPENS = /^(?:decrypt|unseal|reveal)$/;
/** Verbs that print no value of what a word for a secret names. */
const KEEPS =
  /^(?:list|ls|set|add|put|create|new|update|edit|rm|remove|delete|revoke|rotate|import|test|check|verify|scan|lint|detect|audit|help|count|parse|decode|validate)$/;
/** Passwords that are stored with an account, as directories and content management systems name them. */
const ACCOUNT_FIELD = /^(?:user_?pass(?:word)?|unicodepwd|sambantpassword|getpassword)$/i;
/** What follows `env` where it prints values: `azd env get-values`, `mise env`. */
const PRINTS_ENV = /^(?:get-values?|export|dump|pull|print|show|get)$/;
/** Names of settings that hold a secret: `config get _authToken`, `config http-basic.x`. */
const SETTING = /token|secret|passw|credential|oauth|http-?basic|_auth\b|api[-_]?key|private[-_]?key/i;
const SETTINGS = /^(?:config|configuration|settings?|env|getenv|variables?|vars?)$/;

/**
 * Effects of programs that use an account. In programs that only read or check the project, these words have another
 * meaning.
 */
const WITH_ACCOUNT: ReadonlySet<Effect> = new Set(["remote", "change", "install", "code", "network"]);
/** Programs whose tables say which verbs print secrets. */
const KNOWN_WELL: ReadonlySet<string> = new Set(
  "kubectl oc k kubecolor helm aws gcloud az gh git docker podman".split(" "),
);

interface Words {
  readonly text: string;
}

export function hasRevealingOption(args: readonly Words[]): boolean {
  return args.some(({ text }) => text.startsWith("-") && REVEALS.test(text.split("=", 1)[0] ?? "") && !isOff(text));
}

const isOff = (text: string) => /=(?:false|no|0)$/i.test(text);

/** Whether the words say that a secret is printed. `does` is null for a program of unknown effect. */
export function saysSecret(program: string, args: readonly Words[], does: Effect | null): boolean {
  if (does === null && namesSecretProgram(program, args)) return true;
  if (does === "work" && revealsSecret(args)) return true;
  const words = args.map(({ text }) => text).filter((text) => isKnown(text) && text.length <= 60);
  const verbs = words.filter((text) => !text.startsWith("-") && !/[\s/@]/.test(text)).slice(0, 4);
  if (does !== "work" && !KNOWN_WELL.has(program) && namesSecretSetting(verbs)) return true;
  if (does !== null && (!WITH_ACCOUNT.has(does) || KNOWN_WELL.has(program))) return false;
  if (verbs.some((word) => ACCOUNT_FIELD.test(word))) return true;
  // `direnv export bash`
  if (program.endsWith("env") && verbs[0] === "export") return true;
  const parts = verbs.flatMap((word) => word.toLowerCase().split(/[:._-]/));
  if (parts.some((part) => OPENS.test(part))) return true;
  if (/^(?:private|preshared)-keys?$/.test(verbs.at(-1) ?? "")) return true;
  if (isPair(parts, "auth", "token") || isPair(parts, "key", "export") || isPair(parts, "export", "key")) return true;
  if (isPair(parts, "connection", "string") || isPair(parts, "fernet", "key")) return true;
  if (does === null && namesOnlySecret(verbs)) return true;
  return parts.some(
    (part, at) => HOLDS.test(part) && (SHOWS.test(parts[at - 1] ?? "") || SHOWS.test(parts[at + 1] ?? "")),
  );
}

/** `wasmer app secrets reveal x`: a tool of the project with a verb that can mean nothing else. */
function revealsSecret(args: readonly Words[]): boolean {
  const words = args.slice(0, 4).map(({ text }) => text.toLowerCase());
  return words.some((word, at) => HOLDS.test(word) && OPENS.test(words[at + 1] ?? ""));
}

/** `docker-credential-desktop get`, `git credential-manager get`: a helper that hands out what it keeps. */
function namesSecretProgram(program: string, args: readonly Words[]): boolean {
  const parts = [program, args[0]?.text ?? ""].flatMap((word) => {
    const split = word.toLowerCase().split(/[-_.]/);
    return split.length > 1 ? split : [];
  });
  return (
    parts.some((part) => HOLDS.test(part)) && args.some(({ text }) => SHOWS.test(text) || /^(?:list|fill)$/.test(text))
  );
}

/** `step ca token`, `mise env`: a program without a table is asked for a secret, and no verb says that it is kept. */
function namesOnlySecret(verbs: readonly string[]): boolean {
  const words = verbs.slice(0, 3).map((word) => word.toLowerCase());
  const env = words.indexOf("env");
  if (env >= 0 && (env === verbs.length - 1 || PRINTS_ENV.test(words[env + 1] ?? ""))) return true;
  const parts = words.flatMap((word) => word.split(/[:.]/));
  // The client's own settings, with which it signs in.
  const settings = parts.findIndex((part) => OWN_SETTINGS.test(part));
  if (settings >= 0 && parts.some((part, at) => at !== settings && PRINTS_SETTINGS.test(part))) return true;
  return parts.some((part) => HOLDS.test(part)) && !parts.some((part) => KEEPS.test(part));
}

const OWN_SETTINGS = /^(?:config|configure|connections?|configuration|profiles?|contexts?|variables?|vars?|payloads?)$/;
const PRINTS_SETTINGS = /^(?:get|show|list|ls|print|view|dump|inspect|info|export|read|get-value)$/;

function isPair(parts: readonly string[], first: string, second: string): boolean {
  return parts.some((part, at) => part === first && parts[at + 1] === second);
}

/** `config get token`, `config:get API_KEY`, `config http-basic.x`, but not `config set token x`. */
function namesSecretSetting(verbs: readonly string[]): boolean {
  const [object = "", ...names] = verbs.flatMap((word, at) => (at === 0 ? word.split(":") : [word]));
  return SETTINGS.test(object) && !names.includes("set") && names.some((name) => SETTING.test(name));
}

const SELECTS = /^(?:-o|--output|--query|--format|--template|--jsonpath|--attribute)$/;

/**
 * `-o jsonpath='{.spec.containers[0].env}'`, `--query Configuration.Environment`, `--attribute userData`: a part of the
 * settings that holds credentials. A quoted name is a value to compare with: `Tags[?Key=='Environment']`.
 */
export function selectsEnvironment(option: string, path: string): boolean {
  return (
    SELECTS.test(option) &&
    /(?:^|[.{}()[\]|,\s])(?:env|environment|environmentVariables|userData|user_data|metadata\.items)(?:$|[.{}()[\]|,\s])/i.test(
      path,
    )
  );
}

/** Whether a list of fields or the name of a setting includes one with a secret: `--fields=user_login,user_pass`. */
export function namesSecretField(list: string): boolean {
  return list
    .replace(/^--?\w+=/, "")
    .split(",")
    .some((name) => ACCOUNT_FIELD.test(name) || SETTING.test(name));
}

/** Tasks of well-known frameworks that print the settings of the application, with its keys. */
const TELLING_TASKS: Readonly<Record<string, (task: string, rest: readonly string[]) => boolean>> = {
  // `dumpdata` prints every row, accounts and sessions too.
  "manage.py": (task) => task === "diffsettings" || task === "dumpdata",
  artisan: (task, [name = "", ...rest]) =>
    /^(?:env:decrypt|passport:client)$/.test(task) ||
    (task === "key:generate" && [name, ...rest].includes("--show")) ||
    (task === "tinker" && [name, ...rest].some((word) => /\b(?:env|config)\(|ENV/.test(word))) ||
    (task === "config:show" && (!name.includes(".") || SETTING.test(name) || /\.key$/.test(name))),
  console: (task, rest) =>
    /^secrets:(?:reveal|decrypt)|^debug:dotenv$/.test(task) ||
    (task === "debug:container" && rest.some((word) => word.startsWith("--env-var"))) ||
    (task.startsWith("secrets:") && rest.some((word) => word.startsWith("--reveal"))),
  magento: (task) => task === "config:show",
  drush: (task) => /^(?:sql[:-](?:dump|connect|query|cli)|sqlq|sqlc|user[:-]login|uli)$/.test(task),
  rails: (task) => task.startsWith("credentials:") || task.startsWith("secrets:"),
};

/** `php artisan config:show database`, `python manage.py diffsettings`. */
export function taskPrintsSecrets(script: string, args: readonly Words[]): boolean {
  const [task, ...rest] = args.map(({ text }) => text);
  const tells = TELLING_TASKS[script.slice(script.lastIndexOf("/") + 1)];
  return task !== undefined && tells?.(task, rest) === true;
}
