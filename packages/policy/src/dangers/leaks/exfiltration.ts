import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import { type Field, has, TAINT } from "../../language/state/values.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { programNamed } from "../../programs/catalog/index.ts";
import { readUse } from "../../programs/effects/read-use.ts";
import { optionValues, parseOptions } from "../../programs/options.ts";
import { isThisMachine } from "../belay/own-port.ts";
import { isSecretPath } from "../paths/secret-paths.ts";
import { asks, hardBlock } from "../rule.ts";

/** Programs that send their arguments, files or input off the machine. */
export const NETWORK_SINKS = new Set(
  (
    "curl wget nc ncat netcat socat telnet ssh scp sftp rsync ftp tftp lftp http https httpie xh aria2c dig nslookup host ping ping6 " +
    "traceroute tracepath mtr whois finger mail mailx sendmail mutt msmtp swaks openssl aws gsutil gcloud az s3cmd rclone gh glab " +
    "kubectl docker podman nmap hping3 logger irc wall write xmpp slackcat termbin transfer magic-wormhole wormhole croc rsh rcp uucp smbclient"
  ).split(" "),
);

export const EXFILTRATION = [
  hardBlock({
    id: "exfiltration",
    reason: "Sends a secret off this machine.",
    fires: (invocation, context) => {
      if (writesSecretToSocket(invocation)) return true;
      if (staysInside(invocation) || keepsSecret(invocation) || usesToken(invocation)) return false;
      if (!NETWORK_SINKS.has(invocation.program) || staysHere(invocation)) return false;
      if (has(invocation.stdin.taint, TAINT.secret | TAINT.secretVariable) && !signsIn(invocation)) return true;
      if (invocation.args.some(({ taint }) => has(taint, TAINT.secret))) return true;
      return readsSecret(invocation) || sendsSecretVariable(invocation) || namesSecret(invocation, context);
    },
  }),
  // `curl -H "Authorization: Bearer $TOKEN" https://…`: a person sees whom the token is for.
  asks({
    id: "sends-secret",
    level: "dangerous",
    reason: "Sends a secret from the environment to another machine.",
    fires: (invocation) =>
      HTTP_CLIENTS.test(invocation.program) &&
      invocation.args.some(({ taint }) => has(taint, TAINT.secretVariable)) &&
      !staysHere(invocation),
  }),
];

function writesSecretToSocket(invocation: Invocation): boolean {
  return invocation.effects.some(
    ({ type, path, content }) =>
      type !== "read" &&
      /^\/dev\/(tcp|udp)\//.test(path.text) &&
      has((content?.taint ?? 0) | invocation.stdin.taint, TAINT.secret | TAINT.secretVariable),
  );
}

/**
 * `gh secret set -f .env`: puts it where the project keeps its secrets. A person is asked. Another repository may be
 * anyone's.
 */
function keepsSecret({ program, args, env }: Invocation): boolean {
  const [thing, verb, ...rest] = args.map(({ text }) => text);
  // `sops -d x.yaml | kubectl apply -f -`: the cluster of the project. An option or a variable may name another one.
  if (program === "kubectl" && (thing === "apply" || thing === "create") && !env.has("KUBECONFIG"))
    return (
      verb === "-f" && rest[0] === "-" && rest.slice(1).every((text) => /^(?:-n|--namespace|\w[\w-]*$)/.test(text))
    );
  const isElsewhere = rest.some((text) => /^(?:-R|--repo|-o|--org)/.test(text));
  return program === "gh" && thing === "secret" && verb === "set" && !isElsewhere;
}

/** Most of openssl only computes. */
function staysInside({ program, args }: Invocation): boolean {
  return program === "openssl" && !args.some(({ text }) => /^(?:s_client|s_server|s_time|ocsp|cmp)$/.test(text));
}

/** Clients that sign in with files, and name others as values: `--kubeconfig ~/.kube/config`, `--device /dev/sdf`. */
const USES_FILES = /^(?:kubectl|docker|podman|gcloud|az|aws)$/;
const SENDS_FILES = /^(?:cp|mv|scp|sync|upload|upload-.+|put-object)$/;

function readsSecret(invocation: Invocation): boolean {
  if (USES_FILES.test(invocation.program) && !invocation.args.some(({ text }) => SENDS_FILES.test(text))) return false;
  if (ASKS_FOR_NAMES.test(invocation.program)) return false;
  if (copiesToContainer(invocation)) return false;
  return invocation.effects.some(
    ({ type, path: { text }, isSecret }) =>
      // An argument with spaces is a message that mentions a path, not a file.
      type === "read" && isSecret && !/\s/.test(text) && COPIES_BACK.get(invocation.program)?.test(text) !== true,
  );
}

/** `kubectl cp pod:/app/.env .`, `aws s3 cp s3://b/.env .`: the secret comes from elsewhere to this machine. */
const COPIES_BACK: ReadonlyMap<string, RegExp> = new Map([
  ..."aws gsutil s3cmd".split(" ").map((name) => [name, /^(?!file:)[a-z\d]+:\/\//i] as const),
  ..."kubectl docker podman rclone scp rsync".split(" ").map((name) => [name, /^[\w.@-]+:/] as const),
]);

/** `docker cp .env web:/app`: the container is on this machine, unless the client is told of another one. */
function copiesToContainer({ program, args, env }: Invocation): boolean {
  const isCopy = args.find(({ text }) => !text.startsWith("-") && !/^(?:container|compose)$/.test(text))?.text === "cp";
  return (
    /^(?:docker|podman)$/.test(program) &&
    isCopy &&
    !args.some(({ text }) => /^(?:-H|-c|--host|--context|--connection|--url|--remote|-r)/.test(text)) &&
    ![...env.keys()].some((name) => /^(?:DOCKER|CONTAINER)_(?:HOST|CONTEXT)$/.test(name))
  );
}

/**
 * `docker login --password-stdin` sends a token to the registry that issued it. A person is still asked, and sees which
 * registry.
 */
function signsIn({ args, stdin }: Invocation): boolean {
  return !has(stdin.taint, TAINT.secret) && readsPassword(args);
}

function readsPassword(args: readonly Field[]): boolean {
  const words = args.map(({ text }) => text);
  return (
    words.slice(0, 2).includes("login") &&
    words.some((text) => /^--(?:password-stdin|with-token|token-stdin)$/.test(text))
  );
}

/** Hosts of those that hand out tokens. A token of one of them signs in there, and nowhere else. */
const ISSUERS =
  /^(?:https:\/\/)?(?:[\w-]+\.)*(?:github\.com|ghcr\.io|amazonaws\.com|public\.ecr\.aws|googleapis\.com|gcr\.io|pkg\.dev|run\.app|cloudfunctions\.net|azure\.com|azurecr\.io|microsoft\.com)(?:[/:?]|$)/i;

/** `curl -H "Authorization: token $(gh auth token)" https://api.github.com/user`. A person is asked, and sees the host. */
function usesToken(invocation: Invocation): boolean {
  const { program, args, stdin } = invocation;
  if (program !== "curl" && program !== "docker" && program !== "podman") return false;
  const secret = args.filter(({ taint }) => has(taint, TAINT.secret));
  const isToken = (taint: number) => has(taint, TAINT.token);
  if (secret.length === 0 ? !isToken(stdin.taint) : !secret.every(({ taint }) => isToken(taint))) return false;
  if (args.some(({ text }) => REROUTES.test(text))) return false;
  if (program !== "curl") {
    const [, ...registry] = parseOptions(args, { short: "up", long: ["username", "password"] }).operands;
    return readsPassword(args) && registry.length > 0 && registry.every(({ text }) => ISSUERS.test(text));
  }
  const known = programNamed("curl");
  if (known === undefined || secret.length === 0 || readsSecret(invocation)) return false;
  const { options, operands } = readUse(known, program, args);
  const headers = options.filter(({ name }) => name === "-H" || name === "--header");
  const inHeaders = headers.filter(({ value }) => has(value?.taint ?? 0, TAINT.secret));
  const addresses = options.flatMap(({ name, kind, value }) =>
    kind === "host" || name === "--url" ? (value ?? []) : [],
  );
  return (
    inHeaders.length === secret.length &&
    operands.length > 0 &&
    [...operands, ...addresses].every(({ text }) => ISSUERS.test(text))
  );
}

/** Programs whose arguments are host names. */
const ASKS_FOR_NAMES = /^(dig|nslookup|host|ping6?|traceroute|tracepath|mtr|whois|finger)$/;

const HTTP_CLIENTS = /^(curl|wget|http|https|httpie|xh|curlie)$/;
/** Options that make a client connect to another machine than its address says. */
const REROUTES =
  /^(-x|--proxy|--preproxy|--socks.*|--resolve|--connect-to|--doh-url|-e|--execute|-L|--location.*|-K|--config)/;

/** Whether a client connects only to this machine, such as to a development server. */
function staysHere({ program, args }: Invocation): boolean {
  if (!HTTP_CLIENTS.test(program) || args.some(({ text }) => REROUTES.test(text))) return false;
  const hosts = args.flatMap(({ text }) => {
    const host = /^(?:https?:\/\/)?(?:[^/@\s]*@)?(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?(?:[/?#]|$)/i.exec(text)?.[1];
    return host !== undefined && /[.:]|^localhost$/i.test(host) && !/^[-@]/.test(text) ? [host] : [];
  });
  const urls = args.filter(({ text }) => /:\/\//.test(text));
  return hosts.length > 0 && urls.every(({ text }) => /^https?:\/\//i.test(text)) && hosts.every(isThisMachine);
}

/** `put ~/.ssh/id_rsa` in the commands for a file transfer program. */
function namesSecret({ program, stdin, args, cwd }: Invocation, { home }: JudgeContext): boolean {
  if (!/^(sftp|ftp|lftp|tftp|smbclient)$/.test(program)) return false;
  const texts = [stdin.text ?? "", ...args.map(({ text }) => text).filter((text) => /\s/.test(text))];
  return texts
    .flatMap((text) => text.split(/[\s;]+/))
    .some((word) => isSecretPath(resolvePath(word.replace(/^~(?=\/)/, home), cwd ?? home) ?? word, home));
}

/** A token in a header is used for authentication; anywhere else it is being leaked. */
function sendsSecretVariable(invocation: Invocation): boolean {
  if (!invocation.args.some(({ taint }) => has(taint, TAINT.secretVariable))) return false;
  const parsed = parseOptions(invocation.args, {
    short: "Hup",
    long: ["header", "user", "oauth2-bearer", "password", "token"],
  });
  const names = ["-H", "--header", "-u", "--user", "--oauth2-bearer", "--password", "--token"];
  const isLogin = invocation.args[0]?.text === "login";
  const signIns = optionValues(parsed, ...names, ...(isLogin ? ["-p"] : []));
  const inSignIn = signIns.filter(({ taint }) => has(taint, TAINT.secretVariable)).length;
  return invocation.args.filter(({ taint }) => has(taint, TAINT.secretVariable)).length > inSignIn;
}
