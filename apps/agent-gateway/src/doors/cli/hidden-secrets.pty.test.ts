import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { endHost } from "../../testing/end-host.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

const BELAY = fileURLToPath(new URL("../../../bin/belay.mjs", import.meta.url));
const PASSWORD = "correct horse battery";
const TOKEN = "a-token-for-the-monitoring";

test("S7 secrets are in no process environment, and in no file that remains", async () => {
  // A unique value, because other tests start gateways at the same time.
  const temporary = temporaryDir();
  const env = {
    TMPDIR: temporary,
    BELAY_ADMIN_EMAIL: "admin@belay.test",
    BELAY_ADMIN_PASSWORD: PASSWORD,
    BELAY_METRICS_TOKEN: TOKEN,
  };
  const { url, pid } = await start(env);

  const shown = [pid, ...descendantsOf(pid)].map((process) => environmentOf(process));
  const signedIn = await signIn(url, PASSWORD);
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });

  expect(shown.filter((environ) => environ.includes(PASSWORD) || environ.includes(TOKEN))).toEqual([]);
  expect([signedIn, metrics.status]).toEqual([200, 200]);
  expect(readdirSync(temporary).filter((name) => name.startsWith("belay-start-"))).toEqual([]);
});

test("S7 a password can come from a file", async () => {
  const file = join(temporaryDir(), "password");
  writeFileSync(file, `${PASSWORD}\n`, { mode: 0o600 });
  const { url } = await start({ BELAY_ADMIN_EMAIL: "admin@belay.test", BELAY_ADMIN_PASSWORD_FILE: file });

  expect(await signIn(url, PASSWORD)).toBe(200);
});

test("S7 a gateway that belay mcp starts writes no link into its log", async () => {
  const dataDir = temporaryDir();
  const child = spawn(process.execPath, [BELAY, "mcp"], {
    env: { PATH: process.env.PATH, HOME: dataDir, BELAY_DATA_DIR: dataDir, BELAY_WORKSPACE: tmpdir(), BELAY_PORT: "0" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let gatewayPid = 0;
  for await (const line of createInterface({ input: child.stderr })) {
    gatewayPid = Number(/Started Belay \(process (\d+)/.exec(line)?.[1] ?? 0);
    if (gatewayPid > 0) break;
  }
  onTestFinished(async () => {
    process.kill(gatewayPid, "SIGKILL");
    await endHost(dataDir);
  });
  child.kill();
  const log = readFileSync(join(dataDir, "gateway.log"), "utf8");

  expect(log).toContain("Belay is ready at");
  expect(log).toContain("belay user add");
  expect(log).not.toContain("setup#");
});

test("S7 an agent reads the whole output of its own commands, but not of others'", async () => {
  const gateway = await startTestGateway();
  const [ada, eve] = [await gateway.connectAgent({ name: "ada" }), await gateway.connectAgent({ name: "eve" })];
  const { full_output_file: file } = await ada.call("terminal", { command: "seq 5000" });
  const folder = String(file).replace(/\/[^/]+$/, "");

  const own = await ada.call("terminal", { command: `tail -n 1 ${file}` });
  const spellings = [
    `cat ${file}`,
    `ls ${folder}`,
    `cat ${folder}/*`,
    `cat ${folder.slice(0, -3)}*/*`,
    `grep -r 1 ${folder}`,
  ];
  const others = [];
  for (const command of spellings) others.push((await eve.call("terminal", { command })).isError);

  expect(own).toMatchObject({ output: "5000" });
  expect(others).toEqual(spellings.map(() => true));
});

async function start(more: Record<string, string>): Promise<{ url: string; pid: number }> {
  const dataDir = temporaryDir();
  const child = spawn(process.execPath, [BELAY, "start"], {
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      BELAY_DATA_DIR: dataDir,
      BELAY_WORKSPACE: tmpdir(),
      BELAY_PORT: "0",
      ...more,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await endHost(dataDir);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Belay is ready at (\S+)$/.exec(line)?.[1];
    if (url) return { url, pid: child.pid ?? 0 };
  }
  throw new Error("It ended before it was ready.");
}

async function signIn(url: string, password: string): Promise<number> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "admin@belay.test", password }),
  });
  return response.status;
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || !existsSync(`/proc/${name}/stat`)) return false;
    return readFileSync(`/proc/${name}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1] === String(pid);
  });
  return children.flatMap((name) => [Number(name), ...descendantsOf(Number(name))]);
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-hidden-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Empty for a process that has ended. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}
