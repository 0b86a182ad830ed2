import type { Invocation } from "../language/commands/invocation.ts";
import { isKnown } from "../language/state/values.ts";
import { programNamed } from "../programs/catalog/index.ts";
import { readUse } from "../programs/effects/read-use.ts";
import type { SecuritySettings } from "../settings/schema.ts";
import { hostsOf } from "../settings/walls/behind-walls.ts";
import { hostsOfRules, reachesOwnHosts, type WallOpenings } from "./openings.ts";

/**
 * Programs that only talk to a cloud account or a cluster. Their hosts are on no built-in list, so the connection
 * itself needs approval, or fails. Programs that also reach git hosts and registries (`gh`, `npm`, `terraform`) are not
 * listed, nor are database clients, whose server may be the agent's own.
 */
const CLOUDS: ReadonlySet<string> = new Set(
  "aws awslocal az gcloud gsutil bq kubectl oc helm eksctl doctl hcloud auth0 cdk heroku fly flyctl vercel netlify firebase eas serverless sls wrangler supabase vault packer ansible-galaxy".split(
    " ",
  ),
);

/** Programs that connect directly, which fails behind a wall. If they use the proxy, it asks about the host. */
const SENDERS: ReadonlySet<string> = new Set(
  "ssh scp sftp rsync ssh-copy-id ftp nc ncat netcat telnet ansible ansible-console ansible-playbook ansible-pull ansible-test ansible-vault".split(
    " ",
  ),
);

const REQUESTS: ReadonlySet<string> = new Set(["curl", "curlie", "wget"]);

/** Whether the remote change is impossible, or needs approval when the program connects. */
export function asksOnConnecting(
  invocation: Invocation,
  rule: string,
  openings: WallOpenings,
  settings: SecuritySettings,
): boolean {
  const { program } = invocation;
  const isSent = rule === "publishes";
  if (REQUESTS.has(program)) return isSent && requestsNewHosts(invocation, openings, settings);
  if (!(CLOUDS.has(program) || (isSent && SENDERS.has(program)))) return false;
  return !reachesOwnHosts(openings, settings);
}

/** Whether the command does not show which host it connects to. */
export function isCloud({ program }: Invocation): boolean {
  return CLOUDS.has(program);
}

/** Whether every address is a literal and none is on a list of allowed hosts. */
function requestsNewHosts(
  { program: name, args }: Invocation,
  openings: WallOpenings,
  settings: SecuritySettings,
): boolean {
  const program = programNamed(name);
  if (program === undefined || !args.every(({ text }) => isKnown(text))) return false;
  const { operands, options, unknown } = readUse(program, name, args);
  if (unknown !== null || options.some(({ kind, does }) => kind === "host" || kind === "config" || does !== null))
    return false;
  const addresses = [
    ...operands,
    ...options.filter((option) => option.name === "--url").flatMap(({ value }) => value ?? []),
  ].map(({ text }) => text);
  const listed = [...hostsOf(settings.network), ...openings.hosts, ...hostsOfRules(settings.rules)];
  return addresses.length > 0 && addresses.every((address) => isNew(hostOf(address), listed));
}

/** Null unless the address is plain: curl expands braces and brackets itself. */
function hostOf(address: string): string | null {
  const match = /^(?:https?:\/\/)?(?:[^/?#@\\]*@)?([\w.-]+)(?::\d+)?(?:[/?#]|$)/i.exec(address);
  return match?.[1]?.toLowerCase().replace(/\.$/, "") ?? null;
}

/** Whether no pattern of the list matches the host, with any port. */
function isNew(host: string | null, listed: readonly string[]): boolean {
  if (host === null) return false;
  return listed.every((pattern) => {
    const wanted = pattern.toLowerCase().replace(/:(\d+|\*)$/, "");
    return wanted !== "*" && wanted !== host && !(wanted.startsWith("*.") && host.endsWith(wanted.slice(1)));
  });
}

const ENGINES: ReadonlySet<string> = new Set("docker podman nerdctl docker-compose podman-compose".split(" "));

/** Whether the command needs a container engine whose socket the wall does not let in. */
export function lacksEngine({ program, args, env }: Invocation, openings: WallOpenings): boolean {
  if (!ENGINES.has(program)) return false;
  const isLetIn = openings.readable.length > 0 || openings.writable.length > 0 || openings.env.some(namesEngine);
  const isNamed = args.some(({ text }) => !isKnown(text) || /^-H|^--(host|url|connection|context)\b|:\/\//.test(text));
  return !isLetIn && !isNamed && ![...env.keys()].some(namesEngine);
}

function namesEngine(variable: string): boolean {
  return /DOCKER|CONTAINER|PODMAN/.test(variable);
}
