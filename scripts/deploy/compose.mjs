import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runAsAgent } from "../release/prove.mjs";
import { run, TOOL_ENV } from "../run.mjs";
import { addAgent, composeIn, fetchCertificate, fetchWith, startEngine, ULIMITS, until } from "./engine.mjs";
import { importBase, makeContext, removeImages } from "./image.mjs";
import { freePort } from "./proxy.mjs";

const NAME = `belay-compose-${process.pid}`;
const BASE = `localhost/${NAME}-base`;
const CLIENT = fileURLToPath(new URL("proxy-client.mjs", import.meta.url));
/** What the client of proxies signs in with. */
const ADMIN = { email: "admin@example.com", password: "correct horse battery" };
const OVERRIDE = {
  services: {
    belay: {
      build: { context: ".", args: { BASE } },
      ulimits: ULIMITS,
      environment: { BELAY_ADMIN_EMAIL: ADMIN.email, BELAY_ADMIN_PASSWORD: ADMIN.password },
    },
    // As Caddy's own image starts it.
    caddy: {
      image: BASE,
      entrypoint: ["caddy", "run", "--config", "/etc/caddy/Caddyfile"],
      ulimits: ULIMITS,
      environment: { HOME: "/root", XDG_DATA_HOME: "/data" },
    },
  },
};

/** Brings compose.yaml up with docker-compose on Podman's socket, uses it, restarts it, and takes it down; then behind Caddy. */
export async function* checkCompose() {
  const dir = mkdtempSync(join(tmpdir(), "belay-compose-"));
  const engine = await startEngine(join(dir, "podman.sock"));
  let compose;
  try {
    await importBase(dir, BASE, ["caddy"]);
    const context = await makeContext(dir, ["compose.yaml", "deploy"]);
    // JSON is YAML.
    writeFileSync(join(context, "override.yaml"), JSON.stringify(OVERRIDE));
    const [port, http, https] = await Promise.all([freePort(), freePort(), freePort()]);
    const settings = {
      DOCKER_HOST: engine.url,
      BELAY_PORT: String(port),
      BELAY_HTTP_PORT: String(http),
      BELAY_HTTPS_PORT: String(https),
      BELAY_DOMAIN: "localhost",
    };
    compose = composeIn(context, { project: NAME, file: "compose.yaml", settings });
    yield* checkPlain(compose.with({ BELAY_PUBLIC_URL: `http://127.0.0.1:${port}` }), `http://127.0.0.1:${port}`);
    yield* checkTls(compose, dir, https);
  } finally {
    await compose?.downWithVolumes();
    await engine.stop();
    await removeImages(BASE, `${NAME}_belay`);
    rmSync(dir, { recursive: true, force: true });
  }
}

async function* checkPlain(compose, url) {
  await compose("up", "-d", "--build");
  await untilHealthy(url);
  const token = await addAgent(compose, "belay");
  await runAsAgent(url, token);
  yield "up: an agent runs a command in it";
  await compose("restart", "belay");
  await untilHealthy(url);
  await runAsAgent(url, token);
  yield "restarted: the same agent is still known";
  await compose("stop", "belay");
  if (!(await compose("logs", "belay")).includes("Stopped.")) throw new Error("it did not stop by itself");
  await compose("down");
  await compose("up", "-d");
  await untilHealthy(url);
  await runAsAgent(url, token);
  yield "taken down and up again: the volume has kept everything";
}

/** Caddy makes a certificate of its own for localhost, where it would fetch one for a public name. */
async function* checkTls(compose, dir, https) {
  const url = `https://localhost:${https}`;
  const tls = compose.with({
    BELAY_PUBLIC_URL: url,
    BELAY_TRUSTED_PROXIES: "10.0.0.0/8",
    BELAY_INSECURE_HTTP: "no",
    COMPOSE_PROFILES: "tls",
  });
  await tls("up", "-d");
  const certificate = join(dir, "root.crt");
  await fetchCertificate(tls, certificate);
  await until(async () => (await fetchWith(certificate, `${url}/healthz`)).includes("ok"));
  const token = await addAgent(tls, "belay");
  const env = { ...TOOL_ENV, NODE_EXTRA_CA_CERTS: certificate };
  const client = await run(process.execPath, [CLIENT, url, token, await findOwnAddress()], { output: "collect", env });
  if (client.code !== 0) throw new Error(client.text);
  for (const line of client.text.trim().split("\n")) yield `behind Caddy: ${line}`;
  await tls("down");
}

/** What the proxy should report: this machine, as the containers see it. */
async function findOwnAddress() {
  const args = ["network", "inspect", "--format", "{{range .Subnets}}{{.Gateway}}{{end}}", `${NAME}_default`];
  return (await run("podman", args, { output: "collect" })).text.trim();
}

function untilHealthy(url) {
  return until(async () => {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    return answer?.ok ?? false;
  });
}
