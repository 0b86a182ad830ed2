import { baseName, isInside } from "../language/paths.ts";

/** Directories and files of a home that hold credentials. */
const SECRET_IN_HOME = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".kube",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/op",
  ".docker/config.json",
  ".netrc",
  ".pgpass",
  ".my.cnf",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".vault-token",
  ".terraform.d",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".password-store",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
  ".sqlite_history",
];

const SECRET_ABSOLUTE = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/etc/krb5.keytab",
  "/run/secrets",
  "/var/run/secrets",
  "/root/.ssh",
  "/root/.aws",
];

/** Public by nature, although they lie beside secrets. */
const NOT_SECRET =
  /(\.pub|\/known_hosts(\.old)?|\/authorized_keys2?|\/\.ssh\/config|\/\.aws\/config|\.(example|sample|template|dist|md))$/;

const SECRET_NAME =
  /^(\.env(\..+)?|\.envrc|id_(rsa|dsa|ecdsa|ed25519)(_.+)?|.+\.(pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)|credentials(\.json)?|secrets?\.(json|ya?ml|toml|env|txt)|service-account.*\.json|\.netrc|\.pgpass|\.git-credentials|\.htpasswd|master\.key|kubeconfig)$/i;

/** Whether an absolute path is secret material, by where it lies or what it is called. */
export function isSecretPath(path: string, home: string): boolean {
  if (NOT_SECRET.test(path)) return false;
  if (/^\/proc\/[^/]+\/(environ|mem|maps|fd)|^\/dev\/(sd|nvme|vd|xvd|mmcblk|dm-|mem$|kmem$)/.test(path)) return true;
  if (SECRET_ABSOLUTE.some((secret) => isInside(path, secret))) return true;
  const inHome =
    /^(\/root|\/home\/[^/]+|\/Users\/[^/]+)\/(.+)$/.exec(path)?.[2] ??
    (isInside(path, home) ? path.slice(home.length + 1) : null);
  if (inHome !== null && SECRET_IN_HOME.some((secret) => isInside(inHome, secret))) return true;
  return SECRET_NAME.test(baseName(path));
}
