import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";
import type { TestAgent } from "../testing/test-agent.ts";

/** An address of this machine other than its loopback, where a test server can act as a remote one. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.family === "IPv4" && !found.internal)?.address;

/** A server outside the sandbox that echoes the request. */
async function startServer(): Promise<number> {
  const server = createServer((request, response) => response.end(`outside ${request.url}\n`));
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A script that reaches it through the proxy; in a file, because a command line would itself be judged. */
const FETCH = `import os, sys, urllib.request
try:
    print(urllib.request.urlopen((sys.argv + [""])[1] or open("target").read(), timeout=30).read().decode().strip())
except Exception as error:
    print("refused", getattr(error, "code", error))
`;

describe.runIf(hasSandbox && address)("the network of a sandbox", () => {
  async function open(security: object = {}) {
    const gateway = await startSandboxedGateway(security);
    writeFileSync(join(gateway.workspace, "fetch.py"), FETCH);
    const agent = await gateway.connectAgent();
    const fetch = async (url: string) => (await agent.call("terminal", { command: `python3 fetch.py ${url}` })).output;
    return { gateway, agent, fetch };
  }

  test("C4 reaches listed hosts through the proxy, and nothing else", async () => {
    const port = await startServer();
    const { gateway, agent, fetch } = await open({ network: { hosts: [`${address}:${port}`] } });
    const straight = `import socket; socket.create_connection(("${address}", ${port}), 2)`;
    writeFileSync(join(gateway.workspace, "straight.py"), straight);

    expect(await fetch(`http://${address}:${port}/listed`)).toBe("outside /listed");
    const direct = await agent.call("terminal", { command: "python3 straight.py" });
    expect(direct.output).toContain("Network is unreachable");
  });

  test("C4 W3 a host that is not listed waits for a person, and the record names the program", async () => {
    const port = await startServer();
    const { gateway, fetch } = await open();
    const operator = await gateway.asPerson("operator");

    const allowed = fetch(`http://${address}:${port}/asked`);
    const question = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id: question.id, decision: "approve", scope: { type: "terminal" } });
    const once = await allowed;
    const again = await fetch(`http://${address}:${port}/again`);

    expect(question.subject.text).toBe(`connect-to ${address}:${port}`);
    expect(question.verdict.matches[0]?.reason).toMatch(
      /^python3.* wants to reach .* It is not on the list of hosts\.$/,
    );
    expect(question.verdict.matches[1]?.reason).toBe(`It runs as: python3 fetch.py http://${address}:${port}/asked`);
    expect(once).toBe("outside /asked");
    expect(again).toBe("outside /again");
    expect(await operator.audit.search.query({ types: ["command.opened"], text: "connect-to" })).toMatchObject({
      events: [{ detail: { program: ["python3", "fetch.py", expect.any(String)] } }, {}],
    });
  });

  test("C4 a refused connection fails", async () => {
    const port = await startServer();
    const { gateway, fetch } = await open();
    const operator = await gateway.asPerson("operator");

    const reply = fetch(`http://${address}:${port}/refused`);
    const { id } = await nextApproval(gateway);
    await operator.approvals.decide.mutate({ id, decision: "deny" });

    expect(await reply).toBe("refused 403");
  });

  test("C4 G5 neither the gateway nor a cloud's metadata can be reached, even if listed by name", async () => {
    const { gateway, fetch } = await open({
      network: { hosts: ["localhost:*", "*.localhost:*", "127.0.0.1.nip.io:*"] },
    });
    const { port } = new URL(gateway.url());
    writeFileSync(
      join(gateway.workspace, "fetch.py"),
      FETCH.replace("try:", 'os.environ["no_proxy"] = ""; os.environ["NO_PROXY"] = ""\ntry:'),
    );

    for (const url of [`http://localhost:${port}/healthz`, "http://169.254.169.254/latest", `http://[::1]:${port}/`]) {
      writeFileSync(join(gateway.workspace, "target"), url);
      expect(await fetch("")).toBe("refused 403");
    }
    const operator = await gateway.asPerson("operator");
    expect(await operator.audit.search.query({ types: ["command.judged"], text: "own-address" })).toMatchObject({
      events: [{}, {}, {}],
    });
  });

  test("C4 an agent's terminals reach each other's servers, and other agents do not", {
    timeout: 90_000,
  }, async () => {
    const { gateway, agent } = await open();
    const other = await gateway.connectAgent({ name: "other" });
    const served = { command: "python3 -m http.server 8123 --bind 127.0.0.1", background: true };
    writeFileSync(join(gateway.workspace, "page"), "from the other terminal");

    await agent.call("terminal", served);
    const look = (who: TestAgent) =>
      who.call("terminal", { command: "python3 fetch.py http://127.0.0.1:8123/page" }).then(({ output }) => output);

    await vi.waitFor(async () => expect(await look(agent)).toBe("from the other terminal"), { timeout: 60_000 });
    expect(await look(other)).toContain("Connection refused");
  });
});
