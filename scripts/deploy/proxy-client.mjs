import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../run.mjs";

// What people and agents do, through a proxy with TLS. A separate process, because Node reads trusted certificates at start-up.
const [, , url, token, ownAddress = "127.0.0.1"] = process.argv;
const ADMIN = { email: "admin@example.com", password: "correct horse battery" };
const require = createRequire(join(ROOT, "apps/agent-gateway/package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const cookie = await signIn();
await checkAddress();
await checkLargeBody();
await checkMcp();
await checkSocket();
await checkEvents();
await checkBrowser();

async function signIn() {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    // A client that claims a false address.
    headers: { "content-type": "application/json", origin: url, "x-forwarded-for": "203.0.113.9" },
    body: JSON.stringify(ADMIN),
  });
  const cookies = response.headers.getSetCookie();
  expect(response.ok && cookies.some((text) => /; Secure/i.test(text)), `sign-in: ${response.status} ${cookies}`);
  expect(response.headers.get("strict-transport-security") !== null, "no strict-transport-security");
  console.log("people sign in over TLS, with a cookie that only TLS carries");
  return cookies.map((text) => text.split(";")[0]).join("; ");
}

async function checkAddress() {
  const input = encodeURIComponent(JSON.stringify({ types: ["person.signed-in"], limit: 5 }));
  const response = await fetch(`${url}/trpc/audit.search?input=${input}`, { headers: { cookie } });
  const body = await response.text();
  expect(response.ok, body);
  expect(body.includes(`"${ownAddress}"`) && !body.includes("203.0.113.9"), `the record has another address: ${body}`);
  console.log("the record has the address that the proxy saw, not the one that the client claimed");
}

async function checkLargeBody() {
  const response = await fetch(`${url}/trpc/policy.check`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", origin: url },
    body: JSON.stringify({ command: `echo ${"x".repeat(1_500_000)}` }),
  });
  const text = await response.text();
  expect(
    text.includes('"error"') || text.includes('"result"'),
    `Belay did not answer: ${response.status} ${text.slice(0, 200)}`,
  );
  console.log(`a body of 1.5 MB reaches Belay, which answers it (${response.status})`);
}

async function checkMcp() {
  const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
  const client = new Client({ name: "proxy", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const reply = await client.callTool({ name: "terminal", arguments: { command: "echo through the proxy" } });
  await client.close();
  expect(JSON.stringify(reply).includes("through the proxy"), JSON.stringify(reply));
  console.log("an agent runs a command over MCP");
}

async function checkSocket() {
  const spawned = await fetch(`${url}/pty/spawn`, {
    method: "POST",
    headers: { cookie, origin: url, "content-type": "application/json" },
    body: "{}",
  });
  const { id } = await spawned.json();
  const { default: WebSocket } = await load("ws");
  const socket = new WebSocket(`${url.replace("https", "wss")}/ws`, { headers: { cookie, origin: url } });
  await new Promise((resolve, reject) => {
    let text = "";
    socket.on("open", () => socket.send(JSON.stringify({ type: "pty:attach", id })));
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data));
      if (frame.type === "pty:attached")
        socket.send(JSON.stringify({ type: "pty:input", id, data: "echo $((6 * 7))-typed\r" }));
      text += frame.data ?? "";
      if (text.includes("42-typed")) resolve();
    });
    socket.on("error", reject);
    socket.on("close", (code) => reject(new Error(`closed with ${code}`)));
  });
  socket.removeAllListeners("close");
  socket.close();
  console.log("a person types into a terminal over the WebSocket");
}

async function checkEvents() {
  const response = await fetch(`${url}/trpc/events.all`, { headers: { cookie, accept: "text/event-stream" } });
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  expect(value.length > 0, "no event");
  console.log("events arrive at once");
}

async function checkBrowser() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) return console.log("no browser here: left out");
  const { chromium } = await import(
    pathToFileURL(createRequire(join(ROOT, "package.json")).resolve("@playwright/test")).href
  ).then((module) => module.default ?? module);
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const errors = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(url);
    await page.getByLabel("Email").fill(ADMIN.email);
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page
      .getByRole("link", { name: /Terminals/ })
      .first()
      .waitFor();
    const refused = errors.filter((text) => /Content Security Policy|WebSocket|ERR_/.test(text));
    expect(refused.length === 0, refused.join("\n"));
    console.log("a person signs in with a browser");
  } finally {
    await browser.close();
  }
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
