import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../run.mjs";
import { isOnPath } from "../setup.mjs";

/** Starts each proxy with its example configuration, of which only ports and certificates are replaced. */
export const PROXIES = { nginx: startNginx, caddy: startCaddy };

export function isInstalled(name) {
  return isOnPath(name) || existsSync(`/usr/sbin/${name}`);
}

function startNginx(dir, { plain, tls, behind, certificate }) {
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
  return start("nginx", ["-c", file, "-p", dir, "-g", "daemon off;"], {});
}

function startCaddy(dir, { plain, tls, behind, certificate }) {
  const site = "{$BELAY_DOMAIN:belay.example.com} {";
  const text = readFileSync(join(ROOT, "deploy/caddy/Caddyfile"), "utf8");
  if (!text.includes(site)) throw new Error(`deploy/caddy/Caddyfile has no line ${site}`);
  const file = join(dir, "Caddyfile");
  // The certificate that Caddy would fetch by itself comes from a file here.
  const withCertificate = text.replace(site, `${site}\n\ttls ${certificate.cert} ${certificate.key}`);
  writeFileSync(
    file,
    `{\n\tadmin off\n\thttp_port ${plain}\n\tdefault_bind 127.0.0.1\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${withCertificate}`,
  );
  const sites = ["localhost", "*.belay-ports.example"].map((name) => `${name}:${tls}`);
  const env = { BELAY_DOMAIN: sites.join(", "), BELAY_UPSTREAM: `127.0.0.1:${behind}`, HOME: dir };
  return start("caddy", ["run", "--adapter", "caddyfile", "--config", file], env);
}

function start(program, args, env) {
  const child = spawn(program, args, {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const ended = new Promise((_, reject) => child.once("exit", () => reject(new Error(`${program} ended: ${said}`))));
  ended.catch(() => {}); // once it has answered, its end is no error
  return { child, ended };
}
