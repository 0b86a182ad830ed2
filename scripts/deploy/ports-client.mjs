import { existsSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../run.mjs";

// What a person sees of a page that a sandboxed agent serves, through a proxy with TLS: the page, and its WebSocket.
const [, , url, token, workspace] = process.argv;
const ADMIN = { email: "admin@example.com", password: "correct horse battery" };
const PORT = 5173;
const require = createRequire(join(ROOT, "apps/agent-gateway/package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

/** A page whose script gets a message over a WebSocket of the same server, as with hot reload. */
const SERVER = `
const { createServer } = require("node:http");
const { createHash } = require("node:crypto");
const PAGE = "<title>Served</title><h1>Made by the agent</h1><p id=said></p><script>new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + '/hot').onmessage = ({ data }) => { document.getElementById('said').textContent = data; };</script>";
createServer((request, response) => response.writeHead(200, { "content-type": "text/html" }).end(PAGE))
  .on("upgrade", ({ headers }, socket) => {
    const accept = createHash("sha1").update(headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
    socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + accept + "\\r\\n\\r\\n");
    socket.write(Buffer.concat([Buffer.from([0x81, 8]), Buffer.from("reloaded")]));
    socket.on("error", () => {});
  })
  .listen(${PORT}, "127.0.0.1");
`;

if (!token) {
  console.log("pages that agents serve: left out, bubblewrap is not installed");
  process.exit(0);
}
const cookie = await signIn();
const agent = await startServer();
const id = await terminalThatListens();
await checkRequests();
await checkBrowser();
await agent.close();

async function signIn() {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(ADMIN),
  });
  expect(response.ok, `sign-in: ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((text) => text.split(";")[0])
    .join("; ");
}

async function startServer() {
  writeFileSync(join(workspace, "serve.cjs"), SERVER);
  const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
  const client = new Client({ name: "ports", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const command = `${process.execPath} serve.cjs`;
  await client.callTool({ name: "terminal", arguments: { command, background: true } });
  return client;
}

async function terminalThatListens() {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    for (const terminal of await ask("terminals.list")) {
      const ports = await ask("terminals.ports", { id: terminal.id });
      if (ports.some(({ port }) => port === PORT)) return terminal.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Nothing listens in the sandbox.");
}

async function checkRequests() {
  const { url: link } = await act("terminals.openPort", { id, port: PORT });
  const refused = await visit(new URL("/", link));
  const entered = await visit(new URL(link));
  const key = String(entered.headers["set-cookie"]).split(";")[0];
  const page = await visit(new URL("/", link), { cookie: key });
  expect(refused.status === 403, `without its cookie the page answers ${refused.status}`);
  expect(page.status === 200 && page.body.includes("Made by the agent"), `${page.status} ${page.body}`);
  const { default: WebSocket } = await load("ws");
  const { host, hostname, origin, port } = new URL(link);
  const socket = new WebSocket(`wss://127.0.0.1:${port}/hot`, {
    servername: hostname,
    headers: { host, origin, cookie: key },
  });
  const said = await new Promise((resolve, reject) => {
    socket.once("message", (data) => resolve(String(data)));
    socket.once("error", reject);
  });
  socket.terminate();
  expect(said === "reloaded", `the WebSocket said ${said}`);
  console.log(
    "a page that a sandboxed agent serves, and its WebSocket, reach the person who opened it, and no one else",
  );
}

async function checkBrowser() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) return console.log("no browser here: left out");
  const { chromium } = await import(
    pathToFileURL(createRequire(join(ROOT, "package.json")).resolve("@playwright/test")).href
  ).then((module) => module.default ?? module);
  const rules = "--host-resolver-rules=MAP *.belay-ports.example 127.0.0.1";
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", rules],
  });
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto((await act("terminals.openPort", { id, port: PORT })).url);
    await page.getByRole("heading", { name: "Made by the agent" }).waitFor();
    await page.getByText("reloaded").waitFor();
    console.log("a browser shows it on a domain of its own, with its WebSocket");
  } finally {
    await browser.close();
  }
}

/** A name that no server knows here. */
function visit({ host, hostname, port, pathname, search }, headers = {}) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", servername: hostname, port, path: `${pathname}${search}` };
    request({ ...options, headers: { host, ...headers } }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}

async function ask(procedure, input) {
  const query = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
  return resultOf(await fetch(`${url}/trpc/${procedure}${query}`, { headers: { cookie } }));
}

async function act(procedure, input) {
  const headers = { cookie, origin: url, "content-type": "application/json" };
  return resultOf(await fetch(`${url}/trpc/${procedure}`, { method: "POST", headers, body: JSON.stringify(input) }));
}

async function resultOf(response) {
  const body = await response.text();
  expect(response.ok, body);
  return JSON.parse(body).result.data;
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
