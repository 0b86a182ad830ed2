import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT, run, TOOL_ENV } from "../run.mjs";

const ADMIN = { email: "admin@example.com", password: "correct horse battery" };
const CLIENT = fileURLToPath(new URL("proxy-client.mjs", import.meta.url));
const BELAY = join(ROOT, "apps/agent-gateway/bin/belay.mjs");

/** nginx with TLS, as in deploy/nginx, in front of a real gateway: what people and agents do, through both. */
export async function* checkProxy() {
  const dir = mkdtempSync(join(tmpdir(), "belay-proxy-"));
  const started = [];
  try {
    const [plain, tls, behind] = await Promise.all([freePort(), freePort(), freePort()]);
    const url = `https://localhost:${tls}`;
    const certificate = await makeCertificate(dir);
    writeFileSync(join(dir, "password"), ADMIN.password, { mode: 0o600 });
    const env = {
      ...TOOL_ENV,
      BELAY_PORT: String(behind),
      BELAY_DATA_DIR: join(dir, "data"),
      BELAY_WORKSPACE: join(dir, "workspace"),
      BELAY_PUBLIC_URL: url,
      BELAY_ADMIN_EMAIL: ADMIN.email,
      BELAY_ADMIN_PASSWORD_FILE: join(dir, "password"),
    };
    mkdirSync(join(dir, "workspace"));
    const gateway = spawn(process.execPath, [BELAY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
    started.push(gateway);
    await lineOf(gateway, "Belay is ready");
    const added = await run(process.execPath, [BELAY, "agent", "add", "probe", "--json"], { output: "collect", env });
    const { token } = JSON.parse(added.text);

    const config = writeConfig(dir, { plain, tls, behind, certificate });
    const nginx = spawn("nginx", ["-c", config, "-p", dir, "-g", "daemon off;"], {
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
      stdio: ["ignore", "inherit", "inherit"],
    });
    started.push(nginx);
    await untilOpen(tls);

    const clientEnv = { ...TOOL_ENV, NODE_EXTRA_CA_CERTS: certificate.cert };
    const client = await run(process.execPath, [CLIENT, url, token], { output: "collect", env: clientEnv });
    if (client.code !== 0) throw new Error(client.text);
    yield* client.text.trim().split("\n");
  } finally {
    for (const child of started.reverse()) {
      if (child.exitCode !== null) continue;
      child.kill();
      await once(child, "exit");
    }
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The example configuration with only its ports and certificates replaced. */
function writeConfig(dir, { plain, tls, behind, certificate }) {
  const server = readFileSync(join(ROOT, "deploy/nginx/belay.conf"), "utf8")
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${tls} ssl`)
    .replaceAll("belay.example.com", "localhost")
    .replace("/etc/ssl/belay/fullchain.pem", certificate.cert)
    .replace("/etc/ssl/belay/privkey.pem", certificate.key)
    .replace("127.0.0.1:7400", `127.0.0.1:${behind}`);
  const file = join(dir, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${dir}/${kind};`,
  );
  const user = process.getuid() === 0 ? "user root;" : "";
  writeFileSync(
    file,
    `${user} pid ${dir}/nginx.pid; error_log stderr error; events {} http { access_log off; ${temporary.join(" ")}\n${server}\n}`,
  );
  return file;
}

async function makeCertificate(dir) {
  const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
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
