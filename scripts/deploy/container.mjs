import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAsAgent } from "../release/prove.mjs";
import { run } from "../run.mjs";
import { importBase, makeContext, removeImages } from "./image.mjs";
import { freePort } from "./proxy.mjs";

const NAME = `belay-check-${process.pid}`;
const BASE = `localhost/${NAME}-base`;
const IMAGE = `localhost/${NAME}`;
const ULIMITS = ["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"];

/** Builds, starts, uses and stops the image from the Dockerfile. The base image is made here, so no registry is needed. */
export async function* checkContainer() {
  const dir = mkdtempSync(join(tmpdir(), "belay-container-"));
  try {
    await importBase(dir, BASE);
    const context = await makeContext(dir);
    await podman(
      "build",
      "--isolation=chroot",
      "--network",
      "host",
      ...ULIMITS,
      "--format",
      "docker",
      "--build-arg",
      `BASE=${BASE}`,
      "-t",
      IMAGE,
      context,
    );
    yield "the image is built";

    const port = await freePort();
    const settings = { BELAY_PORT: port, BELAY_PUBLIC_URL: `http://127.0.0.1:${port}`, BELAY_INSECURE_HTTP: "yes" };
    const env = Object.entries(settings).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    await podman(
      "run",
      "-d",
      "--name",
      NAME,
      "--network",
      "host",
      "--cap-drop",
      "ALL",
      "--security-opt",
      "no-new-privileges",
      ...ULIMITS,
      ...env,
      IMAGE,
    );
    await untilReady();
    const added = await podman("exec", NAME, "belay", "agent", "add", "probe", "--json");
    const { token } = JSON.parse(added.slice(added.indexOf("{"), added.lastIndexOf("}") + 1));
    await runAsAgent(settings.BELAY_PUBLIC_URL, token);
    yield "an agent runs a command in it";
    const user = await podman("exec", NAME, "id", "-u");
    if (!/^10001$/m.test(user)) throw new Error(`it runs as ${user}`);
    await podman("healthcheck", "run", NAME);
    yield "it runs as user 10001 without capabilities, and says that it is healthy";
    await podman("stop", "-t", "15", NAME);
    if (!(await podman("logs", NAME)).includes("Stopped.")) throw new Error("it did not stop by itself");
    yield "it stops politely";
  } finally {
    await run("podman", ["rm", "-f", NAME], { output: "collect" });
    await removeImages(BASE, IMAGE);
    rmSync(dir, { recursive: true, force: true });
  }
}

async function untilReady() {
  for (;;) {
    const log = await podman("logs", NAME);
    if (log.includes("Belay is ready")) return;
    const state = await podman("inspect", "--format", "{{.State.Status}}", NAME);
    if (!state.includes("running")) throw new Error(log);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** runc, because crun fails where it may not change the limits of a process. */
async function podman(...args) {
  const { code, text } = await run("podman", ["--runtime", "runc", ...args], { output: "collect" });
  if (code !== 0) throw new Error(`podman ${args[0]}: ${text}`);
  return text;
}
