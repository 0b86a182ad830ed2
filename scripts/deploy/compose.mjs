import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runAsAgent } from "../release/prove.mjs";
import { run, TOOL_ENV } from "../run.mjs";
import { importBase, makeContext, removeImages } from "./image.mjs";
import { freePort } from "./proxy.mjs";

const NAME = `belay-compose-${process.pid}`;
const BASE = `localhost/${NAME}-base`;
const CLIENT = fileURLToPath(new URL("proxy-client.mjs", import.meta.url));
/** What the client of proxies signs in with. */
const ADMIN = { email: "admin@example.com", password: "correct horse battery" };
const POLL_MS = 300;
const LONGEST_WAIT_MS = 60_000;
/** Not every machine lets the container runtime raise its limits. */
const ulimits = { nofile: { soft: 4096, hard: 4096 }, nproc: 4096 };
const OVERRIDE = {
  services: {
    belay: {
      build: { context: ".", args: { BASE } },
      ulimits,
      environment: { BELAY_ADMIN_EMAIL: ADMIN.email, BELAY_ADMIN_PASSWORD: ADMIN.password },
    },
    // As Caddy's own image starts it.
    caddy: {
      image: BASE,
      entrypoint: ["caddy", "run", "--config", "/etc/caddy/Caddyfile"],
      ulimits,
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
    compose = composeIn(context, settings);
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
  const token = await addAgent(compose);
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
  await until(async () => {
    const file = "/data/caddy/pki/authorities/local/root.crt";
    const found = await tls("exec", "-T", "caddy", "cat", file).catch(() => "");
    const [text] = /-----BEGIN.+END CERTIFICATE-----/s.exec(found) ?? [];
    if (text) writeFileSync(certificate, `${text}\n`);
    return existsSync(certificate);
  });
  await until(async () => (await fetchWith(certificate, `${url}/healthz`)).includes("ok"));
  const token = await addAgent(tls);
  const env = { ...TOOL_ENV, NODE_EXTRA_CA_CERTS: certificate };
  const client = await run(process.execPath, [CLIENT, url, token, await findOwnAddress()], { output: "collect", env });
  if (client.code !== 0) throw new Error(client.text);
  for (const line of client.text.trim().split("\n")) yield `behind Caddy: ${line}`;
  await tls("down");
}

/** Runs docker-compose with these settings; `with` gives the same with more of them. */
function composeIn(context, settings) {
  const files = ["--project-name", NAME, "--file", "compose.yaml", "--file", "override.yaml"];
  const withSettings = (own) => {
    const compose = async (...args) => {
      const { code, text } = await run("docker-compose", [...files, ...args], {
        output: "collect",
        cwd: context,
        env: { ...TOOL_ENV, ...own },
      });
      if (code !== 0) throw new Error(`docker-compose ${args.join(" ")}: ${text}`);
      return text;
    };
    compose.with = (more) => withSettings({ ...own, ...more });
    compose.downWithVolumes = () =>
      compose("--profile", "tls", "down", "--volumes", "--timeout", "15").catch((error) =>
        console.error(error.message),
      );
    return compose;
  };
  return withSettings(settings);
}

/** Podman speaks Docker's protocol on a socket. runc, because crun fails where it may not change the limits of a process. */
async function startEngine(socket) {
  const service = spawn("podman", ["--runtime", "runc", "system", "service", "--time=0", `unix://${socket}`], {
    stdio: "ignore",
  });
  const ended = once(service, "exit");
  await until(async () => {
    if (service.exitCode !== null) throw new Error("podman system service ended");
    return existsSync(socket);
  });
  return {
    url: `unix://${socket}`,
    stop: async () => {
      service.kill();
      await ended;
    },
  };
}

async function addAgent(compose) {
  const added = await compose("exec", "-T", "belay", "belay", "agent", "add", `probe-${Date.now()}`, "--json");
  return JSON.parse(added.slice(added.indexOf("{"), added.lastIndexOf("}") + 1)).token;
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

/** In a process of its own, because Node reads trusted certificates at start-up. */
async function fetchWith(certificate, url) {
  const script = `fetch(${JSON.stringify(url)}).then((r) => r.text()).then(console.log, () => {})`;
  const env = { ...TOOL_ENV, NODE_EXTRA_CA_CERTS: certificate };
  return (await run(process.execPath, ["-e", script], { output: "collect", env })).text;
}

async function until(isDone) {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    if (await isDone()) return;
    if (performance.now() > deadline) throw new Error("it took too long");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
