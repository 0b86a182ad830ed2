import { once } from "node:events";
import type { ListeningPort } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";
import { enter, SERVED_PORT, SERVER_NEEDS, serve, visit, writeServer } from "../testing/served-page.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

vi.setConfig({ testTimeout: 120_000 });
const patience = { timeout: 40_000, interval: 50 };

async function open(security: object = {}) {
  const gateway = await startSandboxedGateway({ sandbox: SERVER_NEEDS, ...security });
  const agent = await gateway.connectAgent();
  serve(agent, gateway.workspace);
  const operator = await gateway.asPerson("operator");
  const { id } = await vi.waitFor(() => listening(gateway), patience);
  const listed = () => operator.terminals.ports.query({ id });
  const link = async () => (await operator.terminals.openPort.mutate({ id, port: SERVED_PORT })).url;
  return { gateway, id, operator, listed, link };
}

/** The terminal in which a program listens, and what is said about it. */
async function listening(gateway: TestGateway): Promise<ListeningPort & { id: TerminalId }> {
  for (const { id } of await gateway.terminals.list()) {
    const [found] = await gateway.ports.list(id);
    if (found) return { ...found, id };
  }
  throw new Error("Nothing listens yet.");
}

afterEach(() => vi.useRealTimers());

describe.runIf(hasSandbox)("a port that a sandboxed program listens on", () => {
  test.each(["allowlist", "none"])("C18 opens in a person’s browser, with the network %s", async (mode) => {
    const { gateway, id, listed, link } = await open({ network: { mode } });

    expect(await listed()).toEqual([{ port: SERVED_PORT, program: "node", closedBecause: null }]);
    const url = await link();
    expect(new URL(url).host).toMatch(/^[a-z2-7]{26}\.localhost:\d+$/);
    const cookie = await enter(url);
    const page = await visit(new URL("/", url).href, { headers: { cookie } });

    expect(page).toMatchObject({ status: 200, body: expect.stringContaining("Made by the agent") });
    const echoed = await visit(new URL("/", url).href, {
      headers: { cookie },
      method: "POST",
      body: "x".repeat(300_000),
    });
    expect(echoed.body).toHaveLength(300_000);
    const [opened] = (await gateway.audit.list(20)).filter(({ type }) => type === "terminal.port-opened");
    expect(opened).toMatchObject({ terminalId: id, actor: { type: "person" }, detail: { port: SERVED_PORT } });
  });

  test("C18 needs the cookie that a link gives once, within a minute, and to one host name", async () => {
    const { link } = await open();
    const url = await link();
    const page = new URL("/", url).href;

    expect((await visit(page)).status).toBe(403);
    expect((await visit(page, { headers: { cookie: "belay-port=guessed" } })).status).toBe(403);
    const cookie = await enter(url);
    await expect(enter(url)).rejects.toThrow("This link was used already");
    expect((await visit(page, { headers: { cookie } })).status).toBe(200);
    const other = page.replace(/\/\/[a-z2-7]{26}/, `//${"a".repeat(26)}`);
    expect((await visit(other, { headers: { cookie } })).status).toBe(403);

    const late = await link();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    await expect(enter(late)).rejects.toThrow("older than a minute");
    expect((await visit(page, { headers: { cookie } })).status).toBe(200);
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    expect((await visit(page, { headers: { cookie } })).status).toBe(403);
  });

  test("C18 refuses pages of other origins, and anyone who may not operate", async () => {
    const { gateway, id, link } = await open();
    const url = await link();
    const cookie = await enter(url);
    const page = new URL("/", url).href;

    const strangers: Record<string, string>[] = [
      { origin: gateway.url() },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of strangers) {
      expect((await visit(page, { headers: { cookie, ...headers } })).status).toBe(403);
    }
    const viewer = await gateway.asPerson("viewer");
    expect(await viewer.terminals.ports.query({ id })).toHaveLength(1);
    await expect(viewer.terminals.openPort.mutate({ id, port: SERVED_PORT })).rejects.toThrow(
      "needs the role operator",
    );
    // Under the name of a port nothing of the console is found, even with a session.
    const console = await gateway.signIn();
    expect((await visit(new URL("/trpc/terminals.list", url).href, { headers: { cookie: console } })).status).toBe(403);
  });

  test("C18 the server gets nothing of Belay’s, and its answer reaches no further than its page", async () => {
    const { gateway, link } = await open();
    const url = await link();
    const { origin } = new URL(url);
    const cookie = await enter(url);
    const console = await gateway.signIn();
    const sent = {
      cookie: `${cookie}; ${console}; theme=dark`,
      origin,
      referer: `${origin}/page`,
      "x-forwarded-for": "10.0.0.1",
      "x-belay-client-address": "10.0.0.1",
    };

    const got = JSON.parse((await visit(`${origin}/headers`, { headers: sent })).body);
    expect(got).toMatchObject({
      host: `localhost:${SERVED_PORT}`,
      origin: `http://localhost:${SERVED_PORT}`,
      referer: `http://localhost:${SERVED_PORT}/page`,
      cookie: "theme=dark",
    });
    expect(Object.keys(got).filter((name) => name.startsWith("x-"))).toEqual([]);

    const { headers } = await visit(`${origin}/moved`, { headers: { cookie } });
    expect(headers.location).toBe(`${origin}/there?a=1`);
    expect(headers["set-cookie"]).toEqual(["theme=dark; Path=/"]);
    expect(headers["strict-transport-security"]).toBeUndefined();
    expect(headers["content-security-policy"]).toMatch(/^img-src \*; ?, default-src 'self'/);
  });

  test("C18 passes sockets on, for its own page only, and closes them with the terminal", async () => {
    const { gateway, id, operator, link } = await open();
    const url = await link();
    const { origin, host, port } = new URL(url);
    const cookie = await enter(url);
    const connect = (headers: Record<string, string>) =>
      new WebSocket(`ws://127.0.0.1:${port}/hot`, { headers: { host, cookie, ...headers } });

    const foreign = connect({ origin: gateway.url() });
    expect(String(await once(foreign, "error"))).toContain("403");
    const socket = connect({ origin });
    const [message] = await once(socket, "message");
    expect(String(message)).toBe(`hot http://localhost:${SERVED_PORT}`);

    const closed = once(socket, "close");
    await operator.terminals.kill.mutate({ id });
    await closed;
    expect((await visit(`${origin}/`, { headers: { cookie } })).status).toBe(403);
    const why = (await gateway.audit.list(20)).find(({ type }) => type === "terminal.port-closed");
    expect(why).toMatchObject({ terminalId: id, detail: { port: SERVED_PORT, why: "terminal-closed" } });
  });

  test("C18 closes when the person loses the role or the session", async () => {
    const { gateway, id } = await open();
    const person = { email: "eve@belay.test", password: "correct horse battery" };
    await gateway.people.add({ ...person, name: "Eve", role: "operator" }, { type: "system" });
    const session = await gateway.signIn(person);
    const caller = await gateway.people.sessionOf(new Headers({ cookie: session }));
    if (!caller) throw new Error("not signed in");
    const { url } = await gateway.ports.open(id, SERVED_PORT, { type: "person", ...caller });
    const cookie = await enter(url);
    const page = new URL("/", url).href;
    expect((await visit(page, { headers: { cookie } })).status).toBe(200);

    await gateway.people.setRole(person.email, "viewer", { type: "system" });

    await vi.waitFor(async () => expect((await visit(page, { headers: { cookie } })).status).toBe(403), patience);
  });

  test("C18 says that nothing answers when the program has ended, and opens no port of another program", async () => {
    const { gateway, id, operator, listed, link } = await open();
    const url = await link();
    const cookie = await enter(url);
    const page = new URL("/", url).href;
    // The proxy of the sandbox listens there too.
    await expect(operator.terminals.openPort.mutate({ id, port: 3128 })).rejects.toThrow("listens on port 3128");

    await gateway.terminals.write(id, "\x03");
    await vi.waitFor(async () => expect(await listed()).toEqual([]), patience);

    expect(await visit(page, { headers: { cookie } })).toMatchObject({
      status: 502,
      body: expect.stringContaining(`Nothing answers on port ${SERVED_PORT}`),
    });
    await expect(link()).rejects.toThrow(`listens on port ${SERVED_PORT}`);
  });

  test("C18 with the network of the machine the list says where to open it instead", async () => {
    const gateway = await startSandboxedGateway({ sandbox: SERVER_NEEDS, network: { mode: "host" } });
    const operator = await gateway.asPerson("operator");
    writeServer(gateway.workspace);
    const agent = await gateway.connectAgent();
    await agent.call("terminal", { command: "true" });
    // Typed past the policy, which would ask about it with this network.
    const [shell] = await gateway.terminals.list();
    await gateway.terminals.write(shell?.id ?? "pty-0none", `${process.execPath} serve.cjs 0\n`);

    const { id, port, closedBecause } = await vi.waitFor(() => listening(gateway), patience);

    expect(closedBecause).toContain(`http://localhost:${port}`);
    await expect(operator.terminals.openPort.mutate({ id, port })).rejects.toThrow("own network");
  });
});
