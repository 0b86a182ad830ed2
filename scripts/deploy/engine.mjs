import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { run, TOOL_ENV } from "../run.mjs";

const POLL_MS = 300;
const LONGEST_WAIT_MS = 120_000;
/** Not every machine lets the container runtime raise its limits. */
export const ULIMITS = { nofile: { soft: 4096, hard: 4096 }, nproc: 4096 };
/** Where Caddy keeps the certificate that it signs its own with, for names that are not public. */
const ROOT_CERTIFICATE = "/data/caddy/pki/authorities/local/root.crt";

/** Podman speaks Docker's protocol on a socket. runc, because crun fails where it may not change the limits of a process. */
export async function startEngine(socket) {
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

/** Runs docker-compose on `file` and override.yaml with these settings; `with` gives the same with more of them. */
export function composeIn(context, { project, file, settings }) {
  const files = ["--project-name", project, "--file", file, "--file", "override.yaml"];
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

/** Adds an agent on the command line inside a container, and returns its token. */
export async function addAgent(compose, service) {
  const added = await compose("exec", "-T", service, "belay", "agent", "add", `probe-${Date.now()}`, "--json");
  return JSON.parse(added.slice(added.indexOf("{"), added.lastIndexOf("}") + 1)).token;
}

/** Keeps the certificate that Caddy in these containers signs its own with, once there is one. */
export async function fetchCertificate(compose, certificate) {
  await until(async () => {
    const found = await compose("exec", "-T", "caddy", "cat", ROOT_CERTIFICATE).catch(() => "");
    const [text] = /-----BEGIN.+END CERTIFICATE-----/s.exec(found) ?? [];
    if (text) writeFileSync(certificate, `${text}\n`);
    return existsSync(certificate);
  });
}

/** In a process of its own, because Node reads trusted certificates at start-up. */
export async function fetchWith(certificate, url) {
  const script = `fetch(${JSON.stringify(url)}).then((r) => r.text()).then(console.log, () => {})`;
  const env = { ...TOOL_ENV, NODE_EXTRA_CA_CERTS: certificate };
  return (await run(process.execPath, ["-e", script], { output: "collect", env })).text;
}

export async function until(isDone) {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    if (await isDone()) return;
    if (performance.now() > deadline) throw new Error("it took too long");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
