import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "../deploy/proxy.mjs";
import { fail, ROOT, run } from "../run.mjs";
import { makeEmptyRoot } from "./empty-root.mjs";
import { openRoot } from "./open-root.mjs";

const INSTALLED = "/usr/local/lib/node_modules/belay";
const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier"];
/**
 * Signals the gateway itself: npx would signal a shell, which does not pass it on. If an older Node started a newer
 * one, the gateway runs in the newer one, which is the later process.
 */
const STOP = `for folder in $(ls -d /proc/[0-9]* | sort -V); do
  case "$(tr '\\0' ' ' 2>/dev/null <"$folder/cmdline")" in *bin/belay" start "* | *belay.mjs" start "*) found=\${folder#/proc/} ;; esac
done
kill -TERM "$found"`;
/** How this machine reaches a registry; an older Node downloads a newer one from there. */
const NPM_SETTINGS = ["registry", "proxy", "https-proxy", "noproxy", "strict-ssl", "cafile"];

/**
 * Installs the tarball in a root folder with nothing but a shell, Node and npm, starts it there and uses it.
 *
 * 1. Make the root with namespaces of its own, which clean up every mount and process.
 * 2. Install the tarball globally.
 * 3. Start it with npx, as the README says.
 * 4. Add an agent, let it run a command, load the console.
 * 5. Stop it, and remove everything.
 */
export async function prove(tarball, nodePath) {
  requireOwnRoot();
  const root = mkdtempSync(join(tmpdir(), "belay-root-"));
  let inside;
  try {
    await makeEmptyRoot(root, nodePath);
    copyFileSync(tarball, join(root, "root", basename(tarball)));
    inside = await openRoot(root, await readSettings(root));
    return await useInside(inside, `./${basename(tarball)}`);
  } finally {
    await inside?.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Exits if the test is not possible here; called before anything is built. */
export function requireOwnRoot() {
  if (process.platform === "linux" && process.getuid() === 0) return;
  fail("The package is tested in a root folder of its own, which needs Linux and root; --unproved only packs it.");
}

async function useInside(inside, tarball) {
  const install = await timed(() => inside.run("npm", "install", "--global", ...QUIET, tarball));
  const size = await inside.run("du", "-sk", INSTALLED);

  const starting = performance.now();
  const gateway = inside.start("npx", "--yes", tarball, "start");
  const [, url] = await gateway.waitFor(/Belay is ready at (\S+)/);
  const start = performance.now() - starting;

  const added = await inside.run("belay", "agent", "add", "probe", "--json");
  const { token } = JSON.parse(added.slice(added.indexOf("{"), added.lastIndexOf("}") + 1));
  const command = await timed(() => runAsAgent(url, token));
  const page = await fetch(`${url}/`);
  if (!page.ok || !(await page.text()).includes("<html")) throw new Error(`The console answers ${page.status}.`);
  const printed = await gateway.stop(STOP);
  if (!printed.includes("Stopped.")) throw new Error(`It did not stop cleanly: ${printed}`);
  return { installedKb: Number.parseInt(size, 10), timings: { install, start, command } };
}

/** Connects like an agent's client, and runs one command. */
export async function runAsAgent(url, token) {
  const require = createRequire(join(ROOT, "apps/agent-gateway/package.json"));
  const { Client, StreamableHTTPClientTransport } = await import(
    pathToFileURL(require.resolve("@modelcontextprotocol/client")).href
  );
  const client = new Client({ name: "probe", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  try {
    const reply = await client.callTool({ name: "terminal", arguments: { command: "echo it works" } });
    const text = JSON.stringify(reply);
    if (!text.includes("it works") || !text.includes("exit code 0"))
      throw new Error(`The command did not run: ${text}`);
  } finally {
    await client.close();
  }
}

/** The environment in the root: only the registry settings are taken from this machine. */
async function readSettings(root) {
  const port = await freePort();
  const env = {
    PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
    BELAY_PORT: String(port),
    BELAY_DATA_DIR: "/root/data",
    BELAY_WORKSPACE: "/root",
  };
  // Silent, because npm's warnings would be read as values.
  const args = ["config", "get", "--loglevel=silent", ...NPM_SETTINGS];
  const { text } = await run("npm", args, { output: "collect", cwd: tmpdir() });
  for (const [, name, value] of text.matchAll(/^([a-z-]+)=(.+)$/gm))
    if (value !== "null") env[`npm_config_${name.replaceAll("-", "_")}`] = value;
  if (process.env.NODE_EXTRA_CA_CERTS) env.NODE_EXTRA_CA_CERTS = process.env.NODE_EXTRA_CA_CERTS;
  for (const file of [env.npm_config_cafile, env.NODE_EXTRA_CA_CERTS]) {
    if (!file || !existsSync(file)) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    copyFileSync(file, join(root, file));
  }
  return env;
}

async function timed(act) {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
