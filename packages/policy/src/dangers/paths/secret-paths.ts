import { ANY_ONE, HOLE, hasGlob, STAR } from "../../language/state/values.ts";
import { matchesWhole } from "../../language/words/glob.ts";
import { isInside } from "../../language/words/paths.ts";
import { SECRET_ABSOLUTE, SECRET_IN_HOME } from "./secret-places.ts";

/** Public files beside secrets. */
const NOT_SECRET =
  /(\.pub|\/known_hosts(\.old)?|\/authorized_keys2?|\/\.ssh\/config|\/\.aws\/config|\.(example|sample|template|dist|md))$/;

const SECRET_NAME =
  /^(\.env(\..+|[-_].+)?|\.envrc|\.flaskenv|id_(rsa|dsa|ecdsa|ed25519)(_.+)?|ssh_host_\w+_key|.*(?:key|priv|sec|private|secret|backup)[\w-]*\.asc|.+\.(pem|key|p12|pfx|jks|keystore|kdbx?|gpg|ppk|ovpn|keytab|tfstate|tfvars|p8)|(?!example|sample|template|test)[\w.-]+\.env|service[-_]?account(?:[-_]?key)?s?\.json|wallet\.dat|state\.vscdb|.+\.tfstate\.backup|.+\.tfvars\.json|credentials(\.(json|ya?ml|toml|csv|db))?|secrets?\.(json|ya?ml|toml|env|txt|ini|properties)|service[-_]account.*\.json|client_secret.*\.json|application_default_credentials\.json|\.netrc|_netrc|\.pgpass|\.pypirc|\.s3cfg|\.git-credentials|\.htpasswd|\.dockercfg|\.vault_pass(\.txt)?|vault[-_]password(\.txt)?|master\.key|kubeconfig(\.(ya?ml|json|conf))?|\.dev\.vars|(?:key|keystore|signing)\.properties|[\w-]*firebase-adminsdk.*\.json|(?:gcp|gcloud|google|service|sa)[-_](?:key|credentials?)s?\.json|(?:[\w-]+_)?(?:password|passwd|api_?key|access_?token|auth_?token)\.txt|\.my\.cnf|\.credentials\w*|\.[\w-]+[-_]token|rclone\.conf|sitemanager\.xml|logins\.json|key[34]\.db|cookies\.sqlite|login data|.+\.(?:keyring|remmina|agekey|kubeconfig|talosconfig)|talosconfig|deploy[-_]key|private[-_]?key(?:\.(?:json|txt|der|xml))?|(?!test|mock|fake|example)[\w.-]+_(?:rsa|ed25519|ecdsa)|(?!external|sealed|test|example)[\w-]+[-_.]secrets?\.(?:json|ya?ml|toml|ini)|env\.(?:local|prod|production|staging|secrets?|backup|bak|old)|oauth_creds\.json|wp-config\.php|\.claude\.json|\.credentials\.json)$/i;

/** A copy of a file: `.env~`, `id_rsa.bak`, `.netrc.gz`, `env.backup`. */
const COPY_OF =
  /(?:~|\.(?:bak|backup|old|orig|original|save|saved|swp|swo|copy|prev|gz|bz2|xz|zst|lz4|zip|gpg|enc|\d{1,8}))+$/i;

const LONGEST_SUFFIX = 30;

/** A file of a client's own settings that has what it signs in with: `~/.config/x/auth.json`. */
const SIGNS_IN =
  /^(?:[\w.-]*[-_.])?(?:auth|tokens?|credentials?|creds|secrets?|passwords?|api_?keys?|access_?token)(?:\.(?:json|ya?ml|toml|ini|txt|cfg|conf|xml|db))?$/i;

/** Examples of those names, to test a wildcard against. */
const SECRET_EXAMPLES =
  ".env .env.local .env.production .envrc id_rsa id_ed25519 id_ecdsa server.pem server.key cert.p12 credentials credentials.json secrets.json secrets.yml secrets.yaml secret.txt terraform.tfstate prod.tfvars .netrc .pgpass .pypirc .s3cfg .git-credentials .htpasswd .dockercfg master.key kubeconfig service-account.json wp-config.php prod.env".split(
    " ",
  );

/** Files of a process that contain its environment, its memory or its open files. */
const PROCESS_SECRETS = ["environ", "mem", "maps", "fd", "map_files", "auxv"];

/** Disks, memory, other terminals, and devices that record: keyboard, camera, microphone. */
const DEVICE = /^\/dev\/(?:sd|nvme|vd|xvd|mmcblk|dm-|mem$|kmem$|port$|pts\/\d|tty\d|vcs|input\/|hidraw|video|snd\/)/;

/** Whether an absolute path is secret material, or its wildcards can match some: by its location or its name. */
export function isSecretPath(path: string, home: string): boolean {
  const copied = path.slice(0, -LONGEST_SUFFIX) + path.slice(-LONGEST_SUFFIX).replace(COPY_OF, "");
  return isSecretOriginal(path, home) || (copied !== path && isSecretOriginal(copied, home));
}

function isSecretOriginal(path: string, home: string): boolean {
  const isOpen = hasGlob(path) || path.includes(HOLE);
  const steps = path.slice(1).split("/");
  const isSuspect = isOpen
    ? couldBeSecretName(steps.at(-1) ?? "") || liesInSecret(steps, home)
    : SECRET_NAME.test(steps.at(-1) ?? "") || liesInSecret(steps, home) || DEVICE.test(path);
  return isSuspect && !NOT_SECRET.test(path);
}

function liesInSecret(steps: readonly string[], home: string): boolean {
  if (fits(steps[0], "proc")) {
    // The memory of the kernel, and with it of every process.
    if (fits(steps[1], "kcore") || fits(steps[1], "vmcore")) return true;
    const inProcess = steps[2] !== undefined && fits(steps[2], "task") && steps.length > 4 ? steps[4] : steps[2];
    return inProcess !== undefined && PROCESS_SECRETS.some((name) => fits(inProcess, name));
  }
  if (liesInOne(steps, SECRET_ABSOLUTE, ABSOLUTE_STARTS)) return true;
  const inHome = belowHome(steps, home);
  if (inHome === null || isInstruction(inHome)) return false;
  if (liesInOne(inHome, SECRET_IN_HOME, HOME_STARTS)) return true;
  if (inHome.length > 1 && /^(?:\.|Library$)/.test(inHome[0] ?? "") && !TOOLS.has(inHome[0] ?? "")) {
    const isProgram = inHome[0] === ".local" && (inHome[1] !== "share" || TOOLS.has(inHome[2] ?? ""));
    if (!isProgram && SIGNS_IN.test(inHome.at(-1) ?? "")) return true;
  }
  return (
    HOME_STARTS.has(inHome[0] ?? "") &&
    inHome.indexOf(STAR) > 0 &&
    SECRET_IN_HOME.some((secret) => passesThrough(inHome, secret))
  );
}

/** What agents are told to do, beside the credentials of their client: `~/.codex/skills/pdf/SKILL.md`. */
function isInstruction([client = "", kind = "", ...rest]: readonly string[]): boolean {
  return (
    /^\.(?:codex|gemini|cursor|continue)$/.test(client) &&
    /^(?:skills|rules|commands|prompts|agents|plugins|plans)$/.test(kind) &&
    rest.length > 0
  );
}

/** Folders of a home with programs and their sources, in which files have any name. */
const TOOLS: ReadonlySet<string> = new Set(
  ".cache .npm .nvm .pyenv .rbenv .asdf .mise .rustup .cargo .vscode .vscode-server .m2 .gradle .ivy2 .sbt .pnpm .yarn .bun .deno .oh-my-zsh .vim .emacs.d .nix-profile .pub-cache .gem .rvm .sdkman .jenv .nodenv pnpm mise uv nvim man doc pipx virtualenvs python".split(
    " ",
  ),
);

function liesInOne(
  steps: readonly string[],
  secrets: readonly (readonly string[])[],
  starts: ReadonlySet<string>,
): boolean {
  const first = steps[0] ?? "";
  // A quick check: most paths share no prefix with any of them.
  if (!starts.has(first) && !hasGlob(first) && !first.includes(HOLE)) return false;
  return secrets.some((secret) => couldLieIn(steps, secret));
}

const ABSOLUTE_STARTS = new Set(SECRET_ABSOLUTE.map(([first = ""]) => first));
const HOME_STARTS = new Set(SECRET_IN_HOME.map(([first = ""]) => first));

/** The path below a home, this one or any other; null if it is in none. */
function belowHome(steps: readonly string[], home: string): readonly string[] | null {
  const own = home.slice(1).split("/");
  if (steps.length > own.length && own.every((step, at) => fits(steps[at], step))) return steps.slice(own.length);
  if (steps.length > 1 && fits(steps[0], "root")) return steps.slice(1);
  if (steps.length > 2 && (fits(steps[0], "home") || fits(steps[0], "Users"))) return steps.slice(2);
  return null;
}

function couldLieIn(steps: readonly string[], directory: readonly string[]): boolean {
  return steps.length >= directory.length && directory.every((name, at) => fits(steps[at], name));
}

/** A wildcard for any folder of `~/.config` reaches the secret ones too. */
function passesThrough(steps: readonly string[], directory: readonly string[]): boolean {
  return (
    steps.length > directory.length &&
    directory.every((name, at) => fits(steps[at], name) || (at > 0 && steps[at] === STAR && !name.startsWith(".")))
  );
}

/** Whether one part of a path, with wildcards, could be this name. A leading wildcard does not match hidden names. */
function fits(step: string | undefined, name: string): boolean {
  if (step === undefined) return false;
  if (step === name) return true;
  if (!hasGlob(step) && !step.includes(HOLE)) return false;
  if (name.startsWith(".") && (step.startsWith(STAR) || step.startsWith(ANY_ONE))) return false;
  // A part that is entirely unknown is not assumed to be a secret.
  return /[^\uE000-\uE002]/.test(step) && matchesWhole(step, name);
}

/** `.e*`, `*.pem`, `id_*`: wildcards that are specific enough to target a secret. */
function couldBeSecretName(step: string): boolean {
  const literal = step.replace(/[\uE000-\uE002]/g, "");
  const isTelling =
    step.startsWith(".") ||
    /\.(pem|key|p12|pfx|tfstate|tfvars|kdbx|env)$/i.test(step) ||
    /^[^\uE000-\uE002]{2}/.test(step);
  if (!isTelling || literal.length === 0 || (!step.startsWith(".") && literal.length < 3)) return false;
  return SECRET_EXAMPLES.some((name) => fits(step, name));
}

/** Whether reading everything below a directory would read secrets: a home, its parents, or a settings folder in it. */
export function holdsSecrets(directory: string, home: string): boolean {
  if (isInside(home, directory)) return true;
  const steps = directory.slice(1).split("/");
  if (/^(home|Users|root|proc|run)$/.test(steps[0] ?? "") && steps.length === 1) return true;
  const inHome = directory === home ? [] : belowHome(steps, home);
  return (
    inHome !== null &&
    SECRET_IN_HOME.some(
      (secret) => inHome.length < secret.length && inHome.every((step, at) => fits(step, secret[at] ?? "")),
    )
  );
}

/** Whether a path, with wildcards, could be this directory or inside it. */
export function couldBeInside(path: string, directory: string): boolean {
  if (isInside(path, directory)) return true;
  if (!hasGlob(path) && !path.includes(HOLE)) return false;
  const steps = path.slice(1).split("/");
  const wanted = directory.slice(1).split("/");
  // A bare `*` in place of the directory itself matches its siblings too, so it is not specific.
  if (steps.length < wanted.length || (steps.length === wanted.length && steps.at(-1) === STAR)) return false;
  return wanted.every((name, at) => fits(steps[at], name) || (steps[at] === STAR && !name.startsWith(".")));
}
