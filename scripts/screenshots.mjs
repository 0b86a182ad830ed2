import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ROOT, run, TOOL_ENV } from "./run.mjs";
import { writeAnimation } from "./screenshots/animation.mjs";
import { setUp } from "./setup.mjs";

// `npm run screenshots`: the pictures of README.md and docs/, taken from a real gateway with a real agent.
const IMAGES = join(ROOT, "docs/images");
const BELAY = join(ROOT, "apps/agent-gateway/bin/belay.mjs");
const ADMIN = { email: "lead@example.com", password: "correct horse battery" };
const SIZE = { width: 1200, height: 750 };

await setUp();
const dir = mkdtempSync(join(tmpdir(), "belay-screenshots-"));
const env = {
  ...TOOL_ENV,
  BELAY_PORT: "0",
  BELAY_DATA_DIR: join(dir, "data"),
  BELAY_WORKSPACE: join(dir, "shop"),
  BELAY_ADMIN_EMAIL: ADMIN.email,
  BELAY_ADMIN_PASSWORD: ADMIN.password,
};
const gateway = await startGateway();
let browser = null;
try {
  const agent = await connectAgent(await addAgent("claude-code"));
  browser = await launch();
  const page = await openConsole();
  await takeApproval(page, agent);
  await takePages(page);
  await agent.close();
} finally {
  await browser?.close();
  gateway.child.kill();
  await once(gateway.child, "exit");
  rmSync(dir, { recursive: true, force: true });
}

/** One approval, from an empty queue to the command's output, as an animation. */
async function takeApproval(page, agent) {
  const frames = [];
  const shoot = async (delayMs) => frames.push({ png: await page.screenshot(), delayMs });
  await page.goto(`${gateway.url}/approvals`);
  await page.getByRole("heading", { name: "Approvals" }).first().waitFor();
  await page.waitForTimeout(1000);
  await shoot(1500);
  const call = agent.callTool({ name: "terminal", arguments: { command: "git push origin main" } });
  const button = page.getByRole("button", { name: "Run once" }).first();
  await button.waitFor();
  await page.waitForTimeout(800);
  await shoot(3000);
  writeFileSync(join(IMAGES, "approvals.png"), frames.at(-1).png);
  await button.hover();
  await shoot(900);
  await button.click();
  // Irreversible commands take a second confirmation.
  const sure = page.getByRole("button", { name: "Yes, run it" });
  await sure.waitFor();
  await shoot(1500);
  await sure.click();
  const reply = JSON.stringify(await call);
  if (!reply.includes("exit code 0")) fail(`The command did not run: ${reply}`);
  await page.waitForTimeout(800);
  await shoot(2000);
  await page.goto(`${gateway.url}/`);
  await page
    .getByRole("link", { name: /shop|git/ })
    .first()
    .waitFor();
  await page.waitForTimeout(800);
  await shoot(2500);
  writeAnimation(join(IMAGES, "approval.png"), frames);
  console.log("docs/images/approval.png, docs/images/approvals.png");
}

async function takePages(page) {
  for (const name of ["audit", "policy"]) {
    const answer = await page.goto(`${gateway.url}/${name}`);
    if (!answer?.ok()) continue;
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    console.log(`docs/images/${name}.png`);
  }
}

async function startGateway() {
  mkdirSync(IMAGES, { recursive: true });
  await makeProject(join(dir, "shop"));
  const child = spawn(process.execPath, [BELAY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const [, address] = /Belay is ready at (\S+)/.exec(text) ?? [];
      if (address) resolve(address);
    });
    child.once("exit", () => reject(new Error(`It ended before it was ready: ${text}`)));
  });
  return { child, url };
}

/** A repository with a commit to push, and a remote. */
async function makeProject(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "README.md"), "# Shop\n");
  const author = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com"];
  for (const args of [
    ["init", "--quiet", "--bare", join(dir, "origin.git")],
    ["init", "--quiet", "--initial-branch=main", folder],
    ["-C", folder, "remote", "add", "origin", join(dir, "origin.git")],
    ["-C", folder, "add", "."],
    ["-C", folder, ...author, "commit", "--quiet", "-m", "feat: let customers pay by invoice"],
  ]) {
    const { code, text } = await run("git", args, { output: "collect" });
    if (code !== 0) fail(text);
  }
}

async function addAgent(name) {
  const { code, text } = await run(process.execPath, [BELAY, "agent", "add", name, "--json"], {
    output: "collect",
    env,
  });
  if (code !== 0) fail(text);
  return JSON.parse(text.slice(text.indexOf("{"))).token;
}

async function connectAgent(token) {
  const require = createRequire(join(ROOT, "apps/agent-gateway/package.json"));
  const { Client, StreamableHTTPClientTransport } = await import(
    pathToFileURL(require.resolve("@modelcontextprotocol/client")).href
  );
  const client = new Client({ name: "claude-code", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit }));
  await client.callTool({ name: "terminal", arguments: { command: "git log --oneline" } });
  return client;
}

async function launch() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  const playwright = createRequire(join(ROOT, "package.json")).resolve("@playwright/test");
  const { chromium } = (await import(pathToFileURL(playwright).href)).default;
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

async function openConsole() {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "dark", reducedMotion: "reduce" });
  const answer = await page.request.post(`${gateway.url}/api/auth/sign-in/email`, { data: ADMIN });
  if (!answer.ok()) fail(await answer.text());
  return page;
}
