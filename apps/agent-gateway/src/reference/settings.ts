import { loadSettings, SECRETS, SETTING_NAMES, type SettingName } from "../env.ts";

/** What each setting is for. A new one does not compile without a sentence here. */
const MEANING: Record<SettingName, string> = {
  BELAY_HOST:
    "The address it listens on. One that other machines can reach needs `BELAY_PUBLIC_URL` with https, or `BELAY_INSECURE_HTTP`",
  BELAY_PORT: "The port; 0 chooses a free one",
  BELAY_DATA_DIR: "Database, keys, recordings, terminals' files",
  BELAY_DATABASE_URL: "`postgres://…`: keeps the record, people, agents and approvals in PostgreSQL instead of SQLite",
  BELAY_NATS_URL:
    "`nats://user:password@host:4222` or `tls://…`: connects [several gateways](../gateways.md) that share a PostgreSQL database",
  BELAY_CLUSTER_SECRET:
    "With `BELAY_NATS_URL`: at least 32 random characters, the same for all gateways. Signs what they tell each other, and people's sessions",
  BELAY_GATEWAY_NAME: "With `BELAY_NATS_URL`: what people call this gateway",
  BELAY_GATEWAY_URL: "With `BELAY_NATS_URL`: where the other gateways reach this one, such as `http://10.0.0.5:7400`",
  BELAY_DEAF_AFTER_SECONDS:
    "With `BELAY_NATS_URL`: a gateway that heard nothing for this long judges nothing until it hears again",
  BELAY_SECURITY_FILE: "The policy",
  BELAY_WORKSPACE: "Where agents' shells begin",
  BELAY_PUBLIC_URL: "The address that people use, behind a reverse proxy. Other host names are refused",
  BELAY_PORTS_URL:
    "Behind a public address: where people see [what agents serve](../walls.md#see-what-an-agent-serves), such as `https://*.belay-ports.example`. On another domain than the public address",
  BELAY_TRUSTED_PROXIES:
    "Behind a public address: the proxies that are trusted to report a client's address (addresses, ranges, `loopback`)",
  BELAY_ADMIN_EMAIL: "Creates the first admin without the link, together with the password",
  BELAY_ADMIN_PASSWORD: "At least 10 characters",
  BELAY_WEBHOOK_INTERNAL_HOSTS:
    "Hosts inside your own network that webhooks may reach, such as `chat.internal:8065`; all others there are refused",
  BELAY_OIDC_ISSUER:
    "Signs people in at an OpenID Connect provider; its redirect address is `<your address>/api/auth/callback/oidc`",
  BELAY_OIDC_CLIENT_ID: "The id that the provider gave to Belay",
  BELAY_OIDC_CLIENT_SECRET: "The secret that goes with it",
  BELAY_OIDC_NAME: "The name on the button: Sign in with …",
  BELAY_OIDC_NEW_ROLE:
    "`viewer`, `operator` or `admin`: the role of people who were not added before; without it they may not sign in",
  BELAY_METRICS_TOKEN: "Lets a monitoring system read `/metrics`; without it only admins can",
  BELAY_URL: "For `belay mcp` and `belay hook`: another machine's gateway",
  BELAY_TOKEN: "For `belay mcp` and `belay hook`: an agent's token at that gateway",
  BELAY_JOIN_TOKEN:
    "For `belay host --join`: the token of `belay machine add`, with which this machine joins a gateway",
  BELAY_INSECURE_HTTP: "`yes` lets other machines connect without encryption",
  BELAY_LOG_LEVEL: "`debug`, `info`, `warn` or `error`",
};

/** Those that depend on the machine, in words. */
const DEFAULT_IN_WORDS: Partial<Record<SettingName, string>> = {
  BELAY_DATA_DIR: "`$XDG_DATA_HOME/belay`, that is `~/.local/share/belay`",
  BELAY_DATABASE_URL: "SQLite in the data folder",
  BELAY_GATEWAY_NAME: "the name of the machine",
  BELAY_GATEWAY_URL: "`http://` with the address and port that it listens on",
  BELAY_SECURITY_FILE: "`security.json` in the data folder",
  BELAY_WORKSPACE: "the current folder",
};

export function settingsPage(): string {
  const rows = SETTING_NAMES.map((name) => {
    const file = isSecret(name) ? `, \`${name}_FILE\`` : "";
    return `| \`${name}\`${file} | ${DEFAULT_IN_WORDS[name] ?? code(defaultOf(name))} | ${MEANING[name]} |`;
  });
  return `# Settings

All of them are environment variables. \`belay start --print-config\` shows the value and source of each, without secrets; \`.env.example\` has them all.

| variable | default | what |
| --- | --- | --- |
${rows.join("\n")}

A secret can be given by a file instead: \`BELAY_ADMIN_PASSWORD_FILE=/run/secrets/admin\`. Belay removes secrets from its own environment as it starts, but the process
that started it (a shell, npm) still shows them to programs of the same user: prefer a file.

What agents may do is not set here but in the policy: [security.json](policy.md).
`;
}

/** For a service or a container: everything is commented out, so the file changes nothing as it is. */
export function envExample(): string {
  const entries = SETTING_NAMES.map((name) => {
    const value = DEFAULT_IN_WORDS[name] === undefined ? (defaultOf(name) ?? "") : "";
    const file = isSecret(name) ? `\n#${name}_FILE=` : "";
    return `# ${MEANING[name].replaceAll("`", "")}.\n#${name}=${value}${file}\n`;
  });
  return `# Settings of Belay. Remove the # in front of what you want to set.\n\n${entries.join("\n")}`;
}

function defaultOf(name: SettingName): string | null {
  return DEFAULTS.get(name) ?? null;
}

const DEFAULTS = new Map(loadSettings({ HOME: "/" }, "/").shown.map(({ name, value }) => [name, value]));

function isSecret(name: SettingName): boolean {
  return (SECRETS as readonly string[]).includes(name);
}

function code(text: string | null): string {
  return text === null || text === "" ? "" : `\`${text}\``;
}
