import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";

test("G5 cross-site requests are refused, over HTTP and on the socket", async () => {
  const gateway = await startTestGateway();
  const own = new URL(gateway.url());
  const port = Number(own.port);
  const cookie = await gateway.signIn();
  const origins = {
    own: own.origin,
    localhost: `http://localhost:${port}`,
    missing: undefined,
    foreign: "https://evil.example",
    null: "null",
    empty: "",
    suffixed: `http://127.0.0.1.evil.example:${port}`,
    prefixed: `http://evil-127.0.0.1:${port}`,
    otherPort: `http://127.0.0.1:${port + 1}`,
    noPort: "http://127.0.0.1",
    otherScheme: `https://127.0.0.1:${port}`,
    withPath: `${own.origin}/`,
    upperCase: `HTTP://127.0.0.1:${port}`,
    two: `${own.origin}, https://evil.example`,
  };

  const answers = Object.fromEntries(
    await Promise.all(
      Object.entries(origins).map(async ([name, origin]) => {
        const headers = { cookie, ...(origin === undefined ? {} : { origin }) };
        return [name, { http: await status(gateway, headers), socket: await upgrade(gateway, headers) }];
      }),
    ),
  );

  const refused = { http: 403, socket: 403 };
  const taken = { http: 200, socket: "open" };
  const { own: _own, localhost: _localhost, missing: _missing, ...others } = origins;
  expect(answers).toEqual({
    own: taken,
    localhost: taken,
    missing: taken,
    ...Object.fromEntries(Object.keys(others).map((name) => [name, refused])),
  });
});

test("G5 a foreign host name that resolves to this machine is refused, over HTTP and on the socket", async () => {
  const gateway = await startTestGateway();
  const { port } = new URL(gateway.url());
  const hosts = {
    [`127.0.0.1:${port}`]: [200, "open"],
    [`LOCALHOST:${port}`]: [200, "open"],
    [`evil.example:${port}`]: [421, 403],
    "evil.example": [421, 403],
    "127.0.0.1": [421, 403],
    [`127.0.0.1.evil.example:${port}`]: [421, 403],
    [`evil@127.0.0.1:${port}`]: [421, 403],
  };

  const answers = Object.fromEntries(
    await Promise.all(
      Object.keys(hosts).map(async (host) => [
        host,
        [await status(gateway, { host }), await upgrade(gateway, { host })],
      ]),
    ),
  );

  expect(answers).toEqual(hosts);
});

test("G5 with a public address that host is accepted, and HSTS is sent", async () => {
  const port = await freePort();
  const env = { BELAY_PUBLIC_URL: "https://belay.example", BELAY_PORT: String(port) };
  const local = { ...(await startTestGateway({ env })), url: () => `http://127.0.0.1:${port}` };

  expect(await status(local, { host: "belay.example", origin: "https://belay.example" })).toBe(200);
  expect(await status(local, { host: "belay.example", origin: "http://belay.example" })).toBe(403);
  expect(await status(local, { host: "belay.example", origin: "https://belay.example.evil.example" })).toBe(403);
  expect(await status(local, { host: "evil.example" })).toBe(421);
  expect(await status(local, { host: "10.1.2.3:7400" }, "/readyz")).toBe(200); // as a load balancer asks
  expect((await fetch(`${local.url()}/healthz`)).headers.get("strict-transport-security")).toBe("max-age=31536000");
});

test("G5 cross-site navigation is refused, except to pages and back from a provider", async () => {
  const gateway = await startTestGateway();
  const from = { "sec-fetch-site": "cross-site" };
  const get = (path: string) => status(gateway, from, path);

  expect(await get("/")).toBe(200);
  expect(await get("/trpc/gateway.me")).toBe(403);
  expect(await get("/api/audit/export")).toBe(403);
  expect(await get("/metrics")).toBe(403);
  expect(await get("/api/auth/callback/oidc")).toBe(404);
  expect(await status(gateway, { "sec-fetch-site": "same-origin" }, "/trpc/gateway.me")).toBe(200);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Plain HTTP, because `fetch` does not allow these headers to be set. */
function status(gateway: TestGateway, headers: Record<string, string>, path = "/trpc/gateway.me"): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, gateway.url());
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });
}

function upgrade(gateway: TestGateway, headers: Record<string, string>): Promise<"open" | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${gateway.url().replace(/^http/, "ws")}/ws`, { headers });
    socket.once("open", () => {
      socket.terminate();
      resolve("open");
    });
    socket.once("unexpected-response", (_request, response) => {
      response.resume();
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", reject);
  });
}
