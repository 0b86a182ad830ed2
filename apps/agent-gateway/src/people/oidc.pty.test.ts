import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import Provider from "oidc-provider";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

const local = { type: "local" } as const;
const CLIENT = { client_id: "belay", client_secret: "a secret that both know" };

// Silences the provider's warning that it is not configured for production.
beforeEach(() => {
  for (const way of ["info", "warn"] as const) vi.spyOn(console, way).mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
});

test("G5 people whom an admin added sign in at a provider, which is recorded", async () => {
  const { gateway } = await startWithProvider({ email: "ada@belay.test", email_verified: true });
  await gateway.people.add(
    { email: "ada@belay.test", name: "Ada", role: "operator", password: "correct horse battery" },
    local,
  );

  const { cookie, location } = await signInAtProvider(gateway);
  const me = await fetch(`${gateway.url()}/trpc/gateway.me`, { headers: { cookie } });

  expect(location).toBe(`${gateway.url()}/approvals`);
  expect(await me.json()).toMatchObject({ result: { data: { email: "ada@belay.test", role: "operator" } } });
  const types = (await gateway.audit.list(10)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["person.account-linked", "person.signed-in"]));
  expect(types).not.toContain("person.sign-in-failed");
});

test("G5 an unknown person is refused by default", async () => {
  const { gateway } = await startWithProvider({ email: "eve@belay.test", email_verified: true });

  const { cookie } = await signInAtProvider(gateway);

  expect(await whoIs(gateway, cookie)).toBeNull();
  expect((await gateway.people.list()).map(({ email }) => email)).toEqual(["admin@belay.test"]);
});

test("G5 with a role for newcomers, unknown people get it, but only with a verified address", async () => {
  const env = { BELAY_OIDC_NEW_ROLE: "viewer" };
  const welcome = await startWithProvider({ email: "new@belay.test", email_verified: true, name: "New" }, env);
  const pretender = await startWithProvider({ email: "new@belay.test", email_verified: false }, env);

  const come = await signInAtProvider(welcome.gateway);
  const pretend = await signInAtProvider(pretender.gateway);

  expect(await whoIs(welcome.gateway, come.cookie)).toMatchObject({ email: "new@belay.test", role: "viewer" });
  const [added] = (await welcome.gateway.audit.search({ types: ["person.added"] }, { cursor: null, limit: 1 })).events;
  expect(added).toMatchObject({ detail: { email: "new@belay.test", role: "viewer", by: "provider" } });
  expect(await whoIs(pretender.gateway, pretend.cookie)).toBeNull();
});

test("G5 an unverified address does not take over an existing account", async () => {
  const { gateway } = await startWithProvider({ email: "admin@belay.test", email_verified: false });

  const { cookie } = await signInAtProvider(gateway);

  expect(await whoIs(gateway, cookie)).toBeNull();
});

test("G5 a provider that is down does not affect passwords, and works once it is back", async () => {
  const port = await freePort();
  const gateway = await startTestGateway({ env: settingsFor(`http://127.0.0.1:${port}`) });
  const start = () => startSignIn(gateway);

  const away = await start();
  const withPassword = await gateway.signIn();
  await startProvider(port, gateway, { email: "admin@belay.test", email_verified: true });
  const { cookie } = await signInAtProvider(gateway);

  expect(away.status).toBe(503);
  expect(await whoIs(gateway, withPassword)).toMatchObject({ role: "admin" });
  expect(await whoIs(gateway, cookie)).toMatchObject({ email: "admin@belay.test" });
});

test("G5 provider settings must be complete", async () => {
  const { loadSettings } = await import("../env.ts");

  expect(() => loadSettings({ BELAY_OIDC_ISSUER: "https://id.example" })).toThrow(
    /go together: set all three, or none/,
  );
});

interface Claims {
  email: string;
  email_verified: boolean;
  name?: string;
}

async function startWithProvider(claims: Claims, env: Record<string, string> = {}) {
  const port = await freePort();
  const gateway = await startTestGateway({ env: { ...settingsFor(`http://127.0.0.1:${port}`), ...env } });
  await startProvider(port, gateway, claims);
  return { gateway };
}

function settingsFor(issuer: string): Record<string, string> {
  return {
    BELAY_OIDC_ISSUER: issuer,
    BELAY_OIDC_CLIENT_ID: CLIENT.client_id,
    BELAY_OIDC_CLIENT_SECRET: CLIENT.client_secret,
  };
}

/** A real provider in which the same person is always signed in and consents to everything. */
async function startProvider(port: number, gateway: TestGateway, claims: Claims): Promise<Server> {
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [{ ...CLIENT, redirect_uris: [`${gateway.url()}/api/auth/callback/oidc`] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...claims }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ["only for this test"] },
  });
  const handle = provider.callback();
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return handle(request, response);
    const { prompt, params, grantId } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId: "person-1" } });
    }
    const existing = grantId ? await provider.Grant.find(grantId) : undefined;
    const grant = existing ?? new provider.Grant({ accountId: "person-1", clientId: String(params.client_id) });
    grant.addOIDCScope("openid email profile");
    const consent = { consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, consent, { mergeWithLastSubmission: true });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

function startSignIn(gateway: TestGateway): Promise<Response> {
  return fetch(`${gateway.url()}/api/auth/sign-in/social`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: gateway.url() },
    body: JSON.stringify({ provider: "oidc", callbackURL: "/approvals" }),
  });
}

/** Follows all redirects as a browser would, with the cookies of both sides. */
async function signInAtProvider(gateway: TestGateway): Promise<{ cookie: string; location: string }> {
  const jars = new Map<string, Map<string, string>>();
  const keep = (url: string, response: Response) => {
    const jar = jars.get(new URL(url).host) ?? new Map<string, string>();
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    jars.set(new URL(url).host, jar);
  };
  const cookieFor = (url: string) => {
    const jar = jars.get(new URL(url).host) ?? new Map<string, string>();
    return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  };
  const started = await startSignIn(gateway);
  keep(gateway.url(), started);
  let url = ((await started.json()) as { url: string }).url;
  for (let step = 0; step < 20; step += 1) {
    const response = await fetch(url, { redirect: "manual", headers: { cookie: cookieFor(url) } });
    keep(url, response);
    const location = response.headers.get("location");
    if (location === null) break;
    const isBack = url.startsWith(gateway.url());
    url = new URL(location, url).href;
    if (isBack) break;
  }
  return { cookie: cookieFor(gateway.url()), location: url };
}

async function whoIs(gateway: TestGateway, cookie: string): Promise<unknown> {
  const response = await fetch(`${gateway.url()}/trpc/gateway.me`, { headers: { cookie } });
  return ((await response.json()) as { result: { data: unknown } }).result.data;
}

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
