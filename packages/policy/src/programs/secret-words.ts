import { isKnown } from "../language/state/values.ts";
import type { Effect } from "./define-program.ts";

/** Options that make any program print what it would otherwise hide. */
const REVEALS =
  /^--?(?:(?:show|reveal|print|export|include|with|unmask|display|expose)-?(?:secrets?|(?:secret-)?values|tokens?|passwords?|credentials?|sensitive|private-keys?|auth)|with-decryption|decrypt|plaintext-secrets|reveal|unmask|recovery-unseal|env-vars|DshowPasswords)$/i;

/** What holds a secret, and what one does to see it. */
const HOLDS =
  /^(?:secrets?|tokens?|credentials?|creds|passwords?|passwd|passphrase|privatekey|kubeconfig|apikey|vault|keychain)$/;
const SHOWS =
  /^(?:get|show|view|read|reveal|dump|export|download|pull|access|cat|print|fetch|find|generate|create|copy|url|retrieve|lookup)$/;
/** Verbs that need no object. */
const OPENS = /^(?:decrypt|unseal|reveal)$/;
/** Names of settings that hold a secret: `config get _authToken`, `config http-basic.x`. */
const SETTING = /token|secret|passw|credential|oauth|http-?basic|_auth\b|api-?key|private-?key/i;
const SETTINGS = /^(?:config|configuration|settings?|env|getenv|variables?|vars?)$/;

/** Effects of programs that have accounts. What only reads or checks the project has other words in its arguments. */
const WITH_ACCOUNT: ReadonlySet<Effect> = new Set(["remote", "change", "install", "code", "network"]);
/** Their tables say which of their verbs print secrets. */
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

/** Whether the words of a program of unknown effect (null), or of one with an account, say that it prints a secret. */
export function saysSecret(program: string, args: readonly Words[], does: Effect | null): boolean {
  if (does !== null && (!WITH_ACCOUNT.has(does) || KNOWN_WELL.has(program))) return false;
  const words = args.map(({ text }) => text).filter((text) => isKnown(text) && text.length <= 60);
  const verbs = words.filter((text) => !text.startsWith("-") && !/[\s/@]/.test(text)).slice(0, 4);
  if (namesSecretSetting(verbs)) return true;
  const parts = verbs.flatMap((word) => word.toLowerCase().split(/[:._-]/));
  if (parts.some((part) => OPENS.test(part))) return true;
  if (/^(?:private|preshared)-keys?$/.test(verbs.at(-1) ?? "")) return true;
  if (isPair(parts, "auth", "token") || isPair(parts, "key", "export") || isPair(parts, "export", "key")) return true;
  return parts.some(
    (part, at) => HOLDS.test(part) && (SHOWS.test(parts[at - 1] ?? "") || SHOWS.test(parts[at + 1] ?? "")),
  );
}

function isPair(parts: readonly string[], first: string, second: string): boolean {
  return parts.some((part, at) => part === first && parts[at + 1] === second);
}

/** `config get token`, `config:get API_KEY`, `config http-basic.x`, but not `config set token x`. */
function namesSecretSetting(verbs: readonly string[]): boolean {
  const [object = "", ...names] = verbs.flatMap((word, at) => (at === 0 ? word.split(":") : [word]));
  return SETTINGS.test(object) && !names.includes("set") && names.some((name) => SETTING.test(name));
}

/** Tasks of well-known frameworks that print the settings of the application, with its keys. */
const TELLING_TASKS: Readonly<Record<string, (task: string, rest: readonly string[]) => boolean>> = {
  "manage.py": (task) => task === "diffsettings",
  artisan: (task, [name = ""]) =>
    task === "env:decrypt" ||
    (task === "config:show" && (!name.includes(".") || SETTING.test(name) || /\.key$/.test(name))),
  console: (task, rest) => task.startsWith("secrets:") && rest.some((word) => word.startsWith("--reveal")),
  rails: (task) => task.startsWith("credentials:") || task.startsWith("secrets:"),
};

/** `php artisan config:show database`, `python manage.py diffsettings`. */
export function taskPrintsSecrets(script: string, args: readonly Words[]): boolean {
  const [task, ...rest] = args.map(({ text }) => text);
  const tells = TELLING_TASKS[script.slice(script.lastIndexOf("/") + 1)];
  return task !== undefined && tells?.(task, rest) === true;
}
