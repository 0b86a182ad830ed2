import { NetworkMode, type WallKind, type WallOpens } from "@belay/protocol";
import { z } from "zod";

const Paths = (description: string, defaults: readonly string[] = []) =>
  z
    .array(z.string().regex(/^(~\/|\/)./, "starts with / or ~/"))
    .default([...defaults])
    .describe(description);

/** Folders in which people install tool chains for themselves. They contain no credentials. */
export const TOOL_CHAINS = [
  "~/.nvm",
  "~/.volta",
  "~/.fnm",
  "~/.asdf",
  "~/.local/share/mise",
  "~/.local/share/pnpm",
  "~/.bun/bin",
  "~/.deno/bin",
  "~/.pyenv",
  "~/.local/bin",
  "~/.local/share/uv",
  "~/.rbenv",
  "~/.cargo/bin",
  "~/.rustup",
  "~/go/bin",
  "~/.sdkman/candidates",
];

/** What programs in a sandbox can see besides the workspace and, read-only, the system. */
export const SandboxSettings = z
  .strictObject({
    readable: Paths("Files and folders that a sandbox may read. Missing ones are skipped.", TOOL_CHAINS),
    writable: Paths("Folders outside the workspace that a sandbox may change."),
    env: z
      .array(z.string().regex(/^[A-Za-z_]\w*$/))
      .default([])
      .describe("Variables of Belay's own environment that are passed into a sandbox."),
  })
  .prefault({});

/** Containers for programs. Memory, processors and processes come from `limits.terminal`, the network from `network`. */
export const ContainerSettings = z
  .strictObject({
    program: z.enum(["podman", "docker"]).default("podman").describe("The engine that runs containers."),
    runtime: z
      .string()
      .regex(/^[\w./-]+$/)
      .nullable()
      .default(null)
      .describe("The OCI runtime of the engine, such as runc; null is the engine’s own choice."),
    image: z
      .string()
      .regex(/^[\w][\w./:@-]*$/, "is the name of an image")
      .nullable()
      .default(null)
      .describe("The image, which has to be on this machine already and needs bash. Null: there are no containers."),
    user: z
      .string()
      .regex(/^\d+:\d+$/, "is uid:gid, in numbers")
      .nullable()
      .default(null)
      .describe(
        "The user inside, as uid:gid; null is the user that Belay runs as. Another one needs Belay to be root.",
      ),
    startAhead: z
      .boolean()
      .default(false)
      .describe("While an agent has a terminal open, the container of its next one is started in advance."),
    readOnlyRoot: z.boolean().default(true).describe("The file system of the image cannot be changed; /tmp can."),
    readable: Paths("Files and folders of this machine that a container may read, under the same path."),
    writable: Paths("Folders outside the workspace that a container may change, under the same path."),
    env: z
      .array(z.string().regex(/^[A-Za-z_]\w*$/))
      .default([])
      .describe("Variables of Belay’s own environment that pass into a container."),
  })
  .prefault({});

/** Named lists of hosts, for `network.hosts`. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  registries: [
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "jsr.io",
    "npm.jsr.io",
    "pypi.org",
    "files.pythonhosted.org",
    "index.crates.io",
    "static.crates.io",
    "crates.io",
    "static.rust-lang.org",
    "proxy.golang.org",
    "sum.golang.org",
    "go.dev",
    "rubygems.org",
    "index.rubygems.org",
    "repo.maven.apache.org",
    "repo1.maven.org",
    "plugins.gradle.org",
    "services.gradle.org",
    "repo.packagist.org",
    "packagist.org",
    "api.nuget.org",
    "nodejs.org",
    "deb.debian.org",
    "security.debian.org",
    "archive.ubuntu.com",
    "security.ubuntu.com",
    "ports.ubuntu.com",
  ],
  "git-hosts": [
    "github.com",
    "api.github.com",
    "codeload.github.com",
    "raw.githubusercontent.com",
    "objects.githubusercontent.com",
    "release-assets.githubusercontent.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
  ],
};

const HOST = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:(\d{1,5}|\*))?$/i;
const PRESET_NAMES = Object.keys(PRESETS).join(" and ");

export const NetworkSettings = z
  .strictObject({
    mode: NetworkMode.default("allowlist").describe(
      "“none” has only a loopback, “allowlist” a proxy that allows listed hosts and asks about others, “host” is the network of this machine.",
    ),
    hosts: z
      .array(z.string().regex(HOST, "must be a host, *.host, or one of them with :port"))
      .default(["registries", "git-hosts"])
      .describe(
        `Hosts that programs behind a wall may connect to: host, *.host, host:port, or the lists ${PRESET_NAMES}. Without a port, 80 and 443.`,
      ),
  })
  .prefault({});

/** The hosts that a policy allows, with named lists expanded. */
export function hostsOf({ hosts }: z.infer<typeof NetworkSettings>): string[] {
  return hosts.flatMap((host) => PRESETS[host] ?? [host]);
}

/** The hosts that the policy names one by one, without those of named lists. */
export function ownHostsOf({ hosts }: z.infer<typeof NetworkSettings>): string[] {
  return hosts.filter((host) => !Object.hasOwn(PRESETS, host));
}

/** What a wall of this policy lets in besides the system, the workspace, the usual tool chains and the built-in lists of hosts. */
export function openingsOf(
  settings: {
    sandbox: z.infer<typeof SandboxSettings>;
    container: z.infer<typeof ContainerSettings>;
    network: z.infer<typeof NetworkSettings>;
  },
  isolation: WallKind,
): WallOpens {
  const { readable, writable, env } = settings[isolation];
  const usual = new Set(TOOL_CHAINS);
  return { hosts: ownHostsOf(settings.network), readable: readable.filter((path) => !usual.has(path)), writable, env };
}
