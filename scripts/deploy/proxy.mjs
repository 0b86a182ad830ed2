import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT, run, TOOL_ENV } from "../run.mjs";
import { isInstalled, PROXIES } from "./proxy-programs.mjs";

const ADMIN = { email: "admin@example.com", password: "correct horse battery" };
const CLIENT = fileURLToPath(new URL("proxy-client.mjs", import.meta.url));
const PORTS_CLIENT = fileURLToPath(new URL("ports-client.mjs", import.meta.url));
const BELAY = join(ROOT, "apps/agent-gateway/bin/belay.mjs");

/** Each proxy with TLS, configured as in deploy/, in front of a real gateway: what people and agents do, through both. */
export async function* checkProxies() {
  for (const [name, start] of Object.entries(PROXIES)) {
    if (!isInstalled(name)) {
      yield `${name}: left out, it is not installed`;
      continue;
    }
    for await (const line of checkProxy(start)) yield `${name}: ${line}`;
  }
}

async function* checkProxy(startProxy) {
  const dir = mkdtempSync(join(tmpdir(), "belay-proxy-"));
  const started = [];
  try {
    const [plain, tls, behind] = await Promise.all([freePort(), freePort(), freePort()]);
    const url = `https://localhost:${tls}`;
    const certificate = await makeCertificate(dir);
    writeFileSync(join(dir, "password"), ADMIN.password, { mode: 0o600 });
    // Lets the sandbox see the Node that serves a page in it.
    const security = join(dir, "security.json");
    writeFileSync(security, JSON.stringify({ sandbox: { readable: [dirname(process.execPath)] } }));
    const env = {
      ...TOOL_ENV,
      BELAY_PORT: String(behind),
      BELAY_DATA_DIR: join(dir, "data"),
      BELAY_WORKSPACE: join(dir, "workspace"),
      BELAY_SECURITY_FILE: security,
      BELAY_PUBLIC_URL: url,
      BELAY_PORTS_URL: `https://*.belay-ports.example:${tls}`,
      BELAY_ADMIN_EMAIL: ADMIN.email,
      BELAY_ADMIN_PASSWORD_FILE: join(dir, "password"),
    };
    mkdirSync(join(dir, "workspace"));
    const gateway = spawn(process.execPath, [BELAY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
    started.push(gateway);
    await lineOf(gateway, "Belay is ready");
    const addAgent = async (...options) => {
      const args = [BELAY, "agent", "add", ...options, "--json"];
      return JSON.parse((await run(process.execPath, args, { output: "collect", env })).text).token;
    };
    const token = await addAgent("probe");
    const walled = isInstalled("bwrap") ? await addAgent("walled", "--isolation", "sandbox") : "";

    const proxy = startProxy(dir, { plain, tls, behind, certificate });
    started.push(proxy.child);
    await Promise.race([untilOpen(tls), proxy.ended]);

    const clientEnv = { ...TOOL_ENV, NODE_EXTRA_CA_CERTS: certificate.cert };
    for (const args of [
      [CLIENT, url, token],
      [PORTS_CLIENT, url, walled, join(dir, "workspace")],
    ]) {
      const client = await run(process.execPath, args, { output: "collect", env: clientEnv });
      if (client.code !== 0) throw new Error(client.text);
      yield* client.text.trim().split("\n");
    }
  } finally {
    for (const child of started.reverse()) {
      if (child.exitCode !== null) continue;
      child.kill();
      await once(child, "exit");
    }
    rmSync(dir, { recursive: true, force: true });
  }
}

async function makeCertificate(dir) {
  const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:*.belay-ports.example"];
  const args = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    cert,
    ...subject,
  ];
  const { code, text } = await run("openssl", args, { output: "collect" });
  if (code !== 0) throw new Error(text);
  return { cert, key };
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilOpen(port) {
  for (;;) {
    const answered = await fetch(`https://localhost:${port}/healthz`).then(
      () => true,
      (error) => error.cause?.code !== "ECONNREFUSED",
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function lineOf(child, words) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes(words)) resolve();
    });
    child.once("exit", () => reject(new Error(`It ended before it said "${words}": ${text}`)));
  });
}
