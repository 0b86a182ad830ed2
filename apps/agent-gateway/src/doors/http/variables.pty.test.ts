import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { startTestGateway } from "../../testing/start-test-gateway.ts";

test("G5 BELAY_TRUSTED_PROXIES: only a trusted proxy says which address a person has", async () => {
  const signedInFrom = async (proxies: string) => {
    const port = await freePort();
    const env = { BELAY_PUBLIC_URL: "https://belay.example", BELAY_PORT: String(port), BELAY_TRUSTED_PROXIES: proxies };
    const gateway = await startTestGateway({ env });
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.7" },
      body: JSON.stringify({ email: "admin@belay.test", password: "correct horse battery" }),
    });
    expect(response.status).toBe(200);
    const { events } = await gateway.audit.search({ types: ["person.signed-in"] }, { cursor: null, limit: 1 });
    return events[0]?.detail.address;
  };

  expect(await signedInFrom("127.0.0.1/32")).toBe("203.0.113.7");
  expect(await signedInFrom("192.0.2.0/24")).toBe("127.0.0.1");
});

test("G5 BELAY_OIDC_NAME is the name on the button of the sign-in page", async () => {
  const provider = {
    BELAY_OIDC_ISSUER: "http://127.0.0.1:9",
    BELAY_OIDC_CLIENT_ID: "belay",
    BELAY_OIDC_CLIENT_SECRET: "a secret that both know",
  };
  const nameWith = async (env: Record<string, string>) => {
    const gateway = await startTestGateway({ env });
    const answer = await fetch(`${gateway.url()}/trpc/people.signInOptions`);
    return ((await answer.json()) as { result: { data: { provider: string | null } } }).result.data.provider;
  };

  expect(await nameWith({})).toBeNull();
  expect(await nameWith({ ...provider, BELAY_OIDC_NAME: "Our Directory" })).toBe("Our Directory");
});

test("G5 BELAY_LOG_LEVEL decides what is logged", async () => {
  const gateway = await startTestGateway({ env: { BELAY_LOG_LEVEL: "error" } });

  expect([gateway.log.isLevelEnabled("error"), gateway.log.isLevelEnabled("warn")]).toEqual([true, false]);
});

test("W10 BELAY_WEBHOOK_INTERNAL_HOSTS: a webhook reaches only the internal hosts that it names", async () => {
  const gateway = await startTestGateway({ env: { BELAY_WEBHOOK_INTERNAL_HOSTS: "127.0.0.1:9, chat.internal" } });
  const admin = await gateway.asPerson("admin");
  const add = (url: string) => admin.webhooks.add.mutate({ name: "", url, tellsCommand: false });

  await add("http://127.0.0.1:9/hook");

  await expect(add("http://127.0.0.1:10/hook")).rejects.toThrow("own network");
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
