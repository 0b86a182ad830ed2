import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { getProxyForUrl } from "proxy-from-env";
import { z } from "zod";
import { type NatsAddress, parseNatsUrl } from "./bus/nats-address.ts";
import { dataDirOf } from "./data-dir.ts";

/** Where Belay runs and what it may use, read once from the environment. */
export interface Settings {
  host: string;
  port: number;
  dataDir: string;
  /** PostgreSQL; null: SQLite in the data folder. */
  databaseUrl: string | null;
  /** The other gateways on the same database; null: this one is alone. */
  cluster: ClusterSettings | null;
  securityFile: string;
  workspace: string;
  /** The address that people open, if it is not the one Belay listens on. */
  publicUrl: string | null;
  /** Where people see what agents serve, with `*` for the name of each: on another domain than the public address. */
  portsUrl: string | null;
  /** Proxies whose forwarded client address is trusted: addresses, ranges, or `loopback`. Used only with a public address. */
  trustedProxies: string[];
  firstAdmin: { email: string; password: string } | null;
  /** Sign-in with an OpenID Connect provider. */
  oidc: OidcSettings | null;
  /** Lets a monitoring system read `/metrics`; null: only admins can. */
  metricsToken: string | null;
  /** In development: where `next dev` listens. The gateway proxies requests that are not its own. */
  webDevUrl: string | null;
  /** Hosts inside the local network that webhooks may reach anyway. */
  webhookInternalHosts: string[];
  /** For `belay mcp`: another machine's gateway, and the token for it. */
  client: { url: string | null; token: string | null };
  /** For `belay host --join`: the token with which this machine joins a gateway. */
  joinToken: string | null;
  /** Whether other machines may connect without encryption. */
  allowsPlainHttp: boolean;
  logLevel: "debug" | "info" | "warn" | "error";
  /** Every setting with its value and source, for display: without secrets. */
  shown: ShownSetting[];
  /** Whether this process runs inside one of our own terminals, where the CLI refuses to work. */
  isInsideTerminal: boolean;
  /** The environment that terminals inherit, without Belay's own settings. */
  terminalEnv: Record<string, string>;
}

export interface ShownSetting {
  name: SettingName;
  /** Null: not set, and there is no default. */
  value: string | null;
  from: "environment" | "file" | "default";
}

/** Several gateways on one database. */
interface ClusterSettings {
  nats: NatsAddress;
  /** Known to all gateways and to no one else. */
  secret: string;
  /** Null: the name of the machine. */
  name: string | null;
  /** Where the other gateways reach this one; null: by the address that it listens on. */
  url: string | null;
  /** A gateway that heard nothing for longer judges nothing. */
  deafAfterMs: number;
}

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name on the button: Sign in with … */
  name: string;
  /** The role of people who were not added before; null: they may not sign in. */
  newRole: "viewer" | "operator" | "admin" | null;
}

const Environment = z.object({
  BELAY_HOST: z.string().min(1).default("127.0.0.1"),
  BELAY_PORT: z.coerce.number().int().min(0).max(65535).default(7400),
  BELAY_DATA_DIR: z.string().min(1).optional(),
  BELAY_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  BELAY_NATS_URL: z
    .string()
    .refine((url) => parseNatsUrl(url) !== null, "an address such as nats://user:password@host:4222, or tls://…")
    .optional(),
  BELAY_CLUSTER_SECRET: z
    .string()
    .regex(/^\S{32,}$/, "must have at least 32 characters, and no spaces")
    .optional(),
  BELAY_GATEWAY_NAME: z.string().min(1).max(100).optional(),
  BELAY_GATEWAY_URL: z.url({ protocol: /^https?$/ }).optional(),
  BELAY_DEAF_AFTER_SECONDS: z.coerce.number().min(1).max(300).default(10),
  BELAY_SECURITY_FILE: z.string().min(1).optional(),
  BELAY_WORKSPACE: z.string().min(1).optional(),
  BELAY_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  BELAY_PORTS_URL: z
    .string()
    .regex(/^https?:\/\/\*(\.[a-z0-9-]+)+(:\d+)?\/?$/i, "an address such as https://*.belay-ports.example")
    .optional(),
  BELAY_TRUSTED_PROXIES: z
    .string()
    .refine((list) => list.split(",").every(isProxy), "addresses or ranges such as 10.0.0.0/8, or loopback")
    .default("loopback"),
  BELAY_ADMIN_EMAIL: z.email().optional(),
  BELAY_ADMIN_PASSWORD: z.string().min(10, "must have at least 10 characters").max(128).optional(),
  BELAY_WEBHOOK_INTERNAL_HOSTS: z.string().default(""),
  BELAY_OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  BELAY_OIDC_CLIENT_ID: z.string().min(1).optional(),
  BELAY_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  BELAY_OIDC_NAME: z.string().min(1).max(40).default("OpenID Connect"),
  BELAY_OIDC_NEW_ROLE: z.enum(["viewer", "operator", "admin"]).optional(),
  BELAY_METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, "must have at least 16 characters, and no spaces")
    .optional(),
  BELAY_URL: z.url({ protocol: /^https?$/ }).optional(),
  BELAY_TOKEN: z.string().min(1).optional(),
  BELAY_JOIN_TOKEN: z.string().min(1).optional(),
  BELAY_INSECURE_HTTP: z.enum(["yes", "no"]).default("no"),
  BELAY_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("warn"),
  BELAY_WEB_DEV_URL: z.url().optional(),
  BELAY_TERMINAL: z.string().optional(),
  XDG_DATA_HOME: z.string().min(1).optional(),
});

/** Settings for people; the others are internal, or belong to other programs. */
export type SettingName = Exclude<
  keyof z.infer<typeof Environment>,
  "BELAY_WEB_DEV_URL" | "BELAY_TERMINAL" | "XDG_DATA_HOME"
>;

export const SETTING_NAMES = Object.keys(Environment.shape).filter(
  (name) => !["BELAY_WEB_DEV_URL", "BELAY_TERMINAL", "XDG_DATA_HOME"].includes(name),
) as SettingName[];

export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export function loadSettings(env: NodeJS.ProcessEnv = process.env, cwd: string = process.cwd()): Settings {
  // An empty variable is how scripts and compose files leave one out.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const given = new Set(Object.keys(set));
  const parsed = Environment.safeParse(withSecretFiles(set, cwd));
  // Child processes do not need them.
  if (env === process.env) for (const name of SECRETS) delete process.env[name];
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new SettingsError(`These settings cannot be used: ${problems.join("; ")}. Correct them and start again.`);
  }
  const values = parsed.data;
  if ((values.BELAY_ADMIN_EMAIL === undefined) !== (values.BELAY_ADMIN_PASSWORD === undefined)) {
    throw new SettingsError("BELAY_ADMIN_EMAIL and BELAY_ADMIN_PASSWORD go together: set both, or neither.");
  }

  const dataDir = dataDirOf(values, cwd);
  const settings = {
    host: values.BELAY_HOST,
    port: values.BELAY_PORT,
    dataDir,
    databaseUrl: values.BELAY_DATABASE_URL ?? null,
    cluster: clusterFrom(values),
    securityFile: resolve(cwd, values.BELAY_SECURITY_FILE ?? join(dataDir, "security.json")),
    workspace: resolve(cwd, values.BELAY_WORKSPACE ?? "."),
    publicUrl: values.BELAY_PUBLIC_URL ?? null,
    portsUrl: values.BELAY_PORTS_URL ?? null,
    trustedProxies: values.BELAY_TRUSTED_PROXIES.split(",").map((address) => address.trim()),
    firstAdmin:
      values.BELAY_ADMIN_EMAIL && values.BELAY_ADMIN_PASSWORD
        ? { email: values.BELAY_ADMIN_EMAIL, password: values.BELAY_ADMIN_PASSWORD }
        : null,
    oidc: oidcFrom(values),
    metricsToken: values.BELAY_METRICS_TOKEN ?? null,
    webDevUrl: values.BELAY_WEB_DEV_URL ?? null,
    webhookInternalHosts: values.BELAY_WEBHOOK_INTERNAL_HOSTS.split(",")
      .map((host) => host.trim())
      .filter((host) => host !== ""),
    client: { url: values.BELAY_URL ?? null, token: values.BELAY_TOKEN ?? null },
    joinToken: values.BELAY_JOIN_TOKEN ?? null,
    allowsPlainHttp: values.BELAY_INSECURE_HTTP === "yes",
    logLevel: values.BELAY_LOG_LEVEL,
    isInsideTerminal: values.BELAY_TERMINAL !== undefined,
    terminalEnv: inheritable(env),
  };
  return { ...settings, shown: show(values, settings, given) };
}

function show(
  values: z.infer<typeof Environment>,
  { dataDir, securityFile, workspace }: Pick<Settings, "dataDir" | "securityFile" | "workspace">,
  given: Set<string>,
): ShownSetting[] {
  const resolved = {
    ...values,
    BELAY_DATA_DIR: dataDir,
    BELAY_SECURITY_FILE: securityFile,
    BELAY_WORKSPACE: workspace,
  };
  return SETTING_NAMES.map((name) => {
    const value = resolved[name];
    const isSecret = (SECRETS as readonly string[]).includes(name);
    const from = given.has(name) ? "environment" : given.has(`${name}_FILE`) ? "file" : "default";
    return { name, value: value === undefined ? null : isSecret ? "(set, not shown)" : String(value), from };
  });
}

/**
 * Refuses connections from other machines without encryption: passwords, tokens and terminal output would
 * be readable on the network. A public https address means that a proxy handles TLS.
 */
export function requireProtection({ host, publicUrl, allowsPlainHttp }: Settings): void {
  if (isLoopback(host) || publicUrl?.startsWith("https:") || allowsPlainHttp) return;
  throw new SettingsError(
    `BELAY_HOST=${host} would let other machines reach Belay without encryption. Put a proxy with TLS in front of it and set BELAY_PUBLIC_URL=https://…, or, on a network that you trust, set BELAY_INSECURE_HTTP=yes.`,
  );
}

/** Whether a host, by address or as in a URL, is this machine alone. A name such as 127.example.org is not. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || /^\[?::1\]?$/.test(host) || (isIP(host) === 4 && host.startsWith("127."));
}

/** Passwords and tokens, which can also be given by a file, because other programs can see the environment. */
export const SECRETS = [
  "BELAY_ADMIN_PASSWORD",
  "BELAY_OIDC_CLIENT_SECRET",
  "BELAY_METRICS_TOKEN",
  "BELAY_TOKEN",
  "BELAY_JOIN_TOKEN",
  "BELAY_DATABASE_URL",
  "BELAY_NATS_URL",
  "BELAY_CLUSTER_SECRET",
] as const;

function withSecretFiles(env: NodeJS.ProcessEnv, cwd: string): NodeJS.ProcessEnv {
  const read = SECRETS.flatMap((name): [string, string][] => {
    const file = env[`${name}_FILE`];
    if (file === undefined) return [];
    if (env[name] !== undefined) throw new SettingsError(`Set ${name} or ${name}_FILE, not both.`);
    try {
      return [[name, readFileSync(resolve(cwd, file), "utf8").replace(/\r?\n$/, "")]];
    } catch (error) {
      throw new SettingsError(`${name}_FILE: ${file} cannot be read. Check the path, and that this user may read it.`, {
        cause: error,
      });
    }
  });
  return { ...env, ...Object.fromEntries(read) };
}

function isProxy(text: string): boolean {
  const [address = "", bits] = text.trim().split("/");
  return address === "loopback" || (isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits)));
}

function clusterFrom(values: z.infer<typeof Environment>): ClusterSettings | null {
  const nats = values.BELAY_NATS_URL === undefined ? null : parseNatsUrl(values.BELAY_NATS_URL);
  if (!nats) return null;
  if (values.BELAY_DATABASE_URL === undefined) {
    throw new SettingsError(
      "BELAY_NATS_URL connects gateways that share a database, so it needs BELAY_DATABASE_URL=postgres://… too, the same for all of them. Without it, leave BELAY_NATS_URL out.",
    );
  }
  if (values.BELAY_CLUSTER_SECRET === undefined) {
    throw new SettingsError(
      "BELAY_NATS_URL needs BELAY_CLUSTER_SECRET (or BELAY_CLUSTER_SECRET_FILE): at least 32 random characters, the same for all gateways, by which they know each other. Make one with: openssl rand -hex 32",
    );
  }
  return {
    nats,
    secret: values.BELAY_CLUSTER_SECRET,
    name: values.BELAY_GATEWAY_NAME ?? null,
    url: values.BELAY_GATEWAY_URL?.replace(/\/$/, "") ?? null,
    deafAfterMs: values.BELAY_DEAF_AFTER_SECONDS * 1000,
  };
}

function oidcFrom(values: z.infer<typeof Environment>): OidcSettings | null {
  const { BELAY_OIDC_ISSUER: issuer, BELAY_OIDC_CLIENT_ID: clientId, BELAY_OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return null;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new SettingsError(
      "BELAY_OIDC_ISSUER, BELAY_OIDC_CLIENT_ID and BELAY_OIDC_CLIENT_SECRET go together: set all three, or none.",
    );
  }
  const newRole = values.BELAY_OIDC_NEW_ROLE ?? null;
  return { issuer: issuer.replace(/\/$/, ""), clientId, clientSecret, name: values.BELAY_OIDC_NAME, newRole };
}

/** The environment for other Belay processes: everything except secrets. */
export function inheritedEnv(): NodeJS.ProcessEnv {
  return { ...process.env };
}

/** The environment's value, unless the caller overrides it. */
export function loadSettingsWith(overrides: Record<string, string>): Settings {
  return loadSettings({ ...process.env, ...overrides });
}

/** Variables that package managers and Belay set for their own children, and that a person's shell does not have. */
function inheritable(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^(BELAY_|npm_|NODE_ENV$|NODE_CHANNEL|INIT_CWD$|TURBO_|PNPM_)/.test(name)) continue;
    kept[name] = value;
  }
  return kept;
}

/** The proxy through which this process reaches an address, by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. */
export function proxyFor(url: string): string | null {
  // The variables know only http and https; a WebSocket begins as one of them.
  return getProxyForUrl(url.replace(/^ws/, "http")) || null;
}
