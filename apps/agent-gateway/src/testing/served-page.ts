import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import type { TestAgent } from "./test-agent.ts";

export const SERVED_PORT = 5173;

/** As a development server: pages, headers that reach too far, and a socket that says when something changed. */
const SERVER = `
const { createServer } = require("node:http");
const { createHash } = require("node:crypto");
const server = createServer((request, response) => {
  if (request.url === "/headers") return response.end(JSON.stringify(request.headers));
  if (request.url === "/moved") {
    return response.writeHead(302, {
      location: "http://localhost:${SERVED_PORT}/there?a=1",
      "set-cookie": ["theme=dark; Domain=localhost; Path=/", "belay-port=forged; Path=/"],
      "strict-transport-security": "max-age=31536000",
      "content-security-policy": "img-src *; report-uri https://elsewhere.example/",
    }).end();
  }
  if (request.method === "POST") return void request.pipe(response);
  response.writeHead(200, { "content-type": "text/html" });
  response.end("<title>Served</title><h1>Made by the agent</h1><p id=socket>waiting</p><script>" +
    "document.cookie = 'seen=' + (document.cookie || 'none') + '; Path=/';" +
    "new WebSocket('ws://' + location.host + '/hot').onmessage = ({ data }) => { document.getElementById('socket').textContent = data; };" +
    "</script>");
});
server.on("upgrade", (request, socket) => {
  const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + accept + "\\r\\n\\r\\n");
  const text = Buffer.from("hot " + request.headers.origin);
  socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
  socket.on("error", () => {});
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("serving"));
`;

/** What a sandbox needs to see of this machine to run the server. */
export const SERVER_NEEDS = { readable: [dirname(process.execPath)] };

/** An agent starts the server in its own shell and leaves it running: it holds the call until the test ends. */
export function serve(agent: TestAgent, workspace: string): void {
  writeServer(workspace);
  agent.call("terminal", { command: `${process.execPath} serve.cjs ${SERVED_PORT}` }).catch(() => {});
}

/** The port is its argument. */
export function writeServer(workspace: string): void {
  writeFileSync(join(workspace, "serve.cjs"), SERVER);
}

export interface Visit {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A request to a host name that only browsers resolve. */
export function visit(
  url: string,
  {
    headers = {},
    method = "GET",
    body = "",
  }: { headers?: Record<string, string>; method?: string; body?: string } = {},
): Promise<Visit> {
  const { host, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path: `${pathname}${search}`, method, headers: { host, ...headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Follows a link and returns the cookie that a browser would keep. */
export async function enter(url: string): Promise<string> {
  const { headers, status, body } = await visit(url);
  const [cookie] = [headers["set-cookie"] ?? []].flat();
  if (status !== 200 || cookie === undefined) throw new Error(`${status} ${body}`);
  return cookie.split(";")[0] ?? "";
}
