import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run, TOOL_ENV } from "../../run.mjs";
import { addAgent, composeIn, fetchCertificate, fetchWith, startEngine, ULIMITS, until } from "../engine.mjs";
import { importBase, makeContext, removeImages } from "../image.mjs";
import { freePort } from "../proxy.mjs";
import { findPostgresVersion, importStandIn } from "./stand-ins.mjs";

const NAME = `belay-cluster-${process.pid}`;
const BASE = `localhost/${NAME}-base`;
const GATEWAYS = ["gateway-1", "gateway-2"];
const STAND_INS = ["postgres", "nats", "caddy"];
const CLIENT = fileURLToPath(new URL("client.mjs", import.meta.url));
/** Asks a gateway from inside its container, past Caddy. */
const IS_READY = "fetch('http://127.0.0.1:7400/readyz').then((r) => console.log(r.status), () => {})";

/** Brings compose.cluster.yaml up with docker-compose on Podman's socket, and uses it through Caddy, also while a gateway is away. */
export async function* checkCluster() {
  if (findPostgresVersion() === null) return yield "left out: postgresql is not installed";
  const dir = mkdtempSync(join(tmpdir(), "belay-cluster-"));
  const engine = await startEngine(join(dir, "podman.sock"));
  let compose;
  try {
    await importBase(dir, BASE);
    for (const kind of STAND_INS) await importStandIn(dir, kind, imageOf(kind));
    const context = await makeContext(dir, ["compose.cluster.yaml", "deploy"]);
    // JSON is YAML.
    writeFileSync(join(context, "override.yaml"), JSON.stringify(override()));
    const [http, https] = await Promise.all([freePort(), freePort()]);
    const settings = { DOCKER_HOST: engine.url, ...secretsFor(`https://localhost:${https}`), ...ports(http, https) };
    compose = composeIn(context, { project: NAME, file: "compose.cluster.yaml", settings });
    yield* withLogs(compose, use(compose, { url: `https://localhost:${https}`, certificate: join(dir, "root.crt") }));
  } finally {
    await compose?.downWithVolumes();
    await engine.stop();
    await removeImages(BASE, ...GATEWAYS.map((gateway) => `${NAME}_${gateway}`), ...STAND_INS.map(imageOf));
    rmSync(dir, { recursive: true, force: true });
  }
}

/** If a step fails, what the containers printed says why. */
async function* withLogs(compose, steps) {
  try {
    yield* steps;
  } catch (error) {
    console.error(await compose("logs", "--no-color", "--tail", "20").catch(() => ""));
    throw error;
  }
}

async function* use(compose, { url, certificate }) {
  await compose("up", "-d", "--build");
  for (const gateway of GATEWAYS) await untilReady(compose, gateway);
  await fetchCertificate(compose, certificate);
  await until(async () => (await fetchWith(certificate, `${url}/healthz`)).includes("ok"));
  yield "up: both gateways are ready behind Caddy, over TLS";

  const token = await addAgent(compose, "gateway-1");
  const env = { ...TOOL_ENV, NODE_EXTRA_CA_CERTS: certificate };
  const client = async (part) => {
    const { code, text } = await run(process.execPath, [CLIENT, part, url, token], { output: "collect", env });
    if (code !== 0) throw new Error(text);
    return text.trim().split("\n");
  };
  yield* await client("both");
  await compose("stop", "gateway-1");
  for (const line of await client("one")) yield `gateway-1 is stopped: ${line}`;
  await compose("start", "gateway-1");
  await untilReady(compose, "gateway-1");
  yield* await client("again");
  for (const gateway of GATEWAYS) {
    await compose("exec", "-T", gateway, "belay", "audit", "verify");
    yield `${gateway} verifies the record`;
  }
}

/** Everything else is as the file has it: commands, environment, volumes and the script that makes the database. */
function override() {
  const gateways = GATEWAYS.map((name) => [name, { build: { context: ".", args: { BASE } }, ulimits: ULIMITS }]);
  const others = STAND_INS.map((kind) => [kind, { image: imageOf(kind), ulimits: ULIMITS }]);
  return { services: Object.fromEntries([...gateways, ...others]) };
}

function imageOf(kind) {
  return `localhost/${NAME}-${kind}`;
}

/** What people put into .env. */
function secretsFor(publicUrl) {
  return {
    BELAY_DOMAIN: "localhost",
    BELAY_PUBLIC_URL: publicUrl,
    BELAY_CLUSTER_SECRET: "only-the-gateways-of-this-check-know-this-secret",
    BELAY_DATABASE_PASSWORD: "a-password-of-the-database",
    BELAY_NATS_PASSWORD: "a-password-of-nats",
    BELAY_ADMIN_EMAIL: "admin@example.com",
    BELAY_ADMIN_PASSWORD: "correct horse battery",
  };
}

function ports(http, https) {
  return { BELAY_HTTP_PORT: String(http), BELAY_HTTPS_PORT: String(https) };
}

function untilReady(compose, gateway) {
  return until(async () =>
    (await compose("exec", "-T", gateway, "node", "-e", IS_READY).catch(() => "")).includes("200"),
  );
}
