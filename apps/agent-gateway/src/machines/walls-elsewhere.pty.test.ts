import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { openTestContainers } from "@belay/core/testing";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { agentOn, BY, connected, onlyTerminal, refusal } from "../testing/machines/joined.ts";
import { startMachine, type TestMachine } from "../testing/machines/test-machine.ts";
import { nextApproval } from "../testing/next-approval.ts";
import { hasSandbox } from "../testing/sandboxed-gateway.ts";
import { startTestGateway, type TestGateway } from "../testing/start-test-gateway.ts";

/** An address of this machine other than its loopback, where a test server can act as a remote one. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.family === "IPv4" && !found.internal)?.address;

const containers = openTestContainers();
afterAll(() => containers?.remove());

test("G7 C13 an agent works in a container on another machine", { skip: !containers, timeout: 180_000 }, async () => {
  const container = { ...containers?.engine, image: containers?.image };
  const { gateway, machine } = await joined({ isolation: "container", container });
  const agent = await agentOn(gateway, "build-1");

  const reply = await agent.call("terminal", { command: "echo made > file; pwd; ls /home" });

  expect(String(reply.output)).toContain(machine.workspace);
  expect(readFileSync(join(machine.workspace, "file"), "utf8")).toBe("made\n");
  expect(await onlyTerminal(gateway)).toMatchObject({ machine: "build-1", wall: { isolation: "container" } });
});

describe.runIf(hasSandbox)("walls on other machines", () => {
  test("G7 C4 an agent works behind its wall on another machine, and sees nothing else of it", async () => {
    const { gateway, machine, home } = await joined({ isolation: "sandbox" });
    writeFileSync(join(home, "secret-of-the-person"), "secret\n");
    writeFileSync(join(machine.workspace, ".env"), "A=1\n");
    const agent = await agentOn(gateway, "build-1");

    const inside = await agent.call("terminal", { command: 'pwd; echo made > file; ls "$HOME"; echo $((6*7))' });
    const person = await agent.call("terminal", { command: `ls ${home}` });
    writeFileSync(join(machine.workspace, "look.sh"), `ls ${machine.dataDir}\n`);
    const data = await agent.call("terminal", { command: "bash look.sh" });
    writeFileSync(join(machine.workspace, "write.sh"), "echo B=2 > .env\n");
    await agent.call("terminal", { command: "bash write.sh" });

    expect(inside).toMatchObject({ exit_code: 0, output: `${machine.workspace}\n42` });
    expect(readFileSync(join(machine.workspace, "file"), "utf8")).toBe("made\n");
    expect(person.output).toContain("No such file or directory");
    // Of the data folder only what its own shell needs: not the machine's key.
    expect(data.output).toBe("terminals  trash  walls");
    expect(readFileSync(join(machine.workspace, ".env"), "utf8")).toBe("A=1\n");
    expect(await onlyTerminal(gateway)).toMatchObject({ machine: "build-1", wall: { isolation: "sandbox" } });
    // Its home is on that machine, and none was made here.
    expect(existsSync(join(machine.dataDir, "walls", "homes"))).toBe(true);
    expect(existsSync(join(gateway.dataDir, "walls", "homes"))).toBe(false);
  });

  test("G7 X12 what the wall there contains runs without a question, and what its home there holds asks", async () => {
    const { gateway, machine } = await joined({ isolation: "auto" });
    const agent = await agentOn(gateway, "build-1");
    const operator = await gateway.asPerson("operator");

    const ran = await agent.call("terminal", { command: `perl -e 'system("echo", "con" . "tained")'` });
    const printed = await agent.call("terminal", { command: "printenv NO_SUCH_TOKEN" });
    const { agentId } = await onlyTerminal(gateway);
    mkdirSync(join(machine.dataDir, "walls", "homes", String(agentId), ".config", "gh"), { recursive: true });
    const asked = nextApproval(gateway);
    const waiting = agent.call("terminal", { command: "gh auth token" });
    const question = await asked;
    await operator.approvals.decide.mutate({ id: question.id, decision: "deny" });
    await waiting;

    expect(ran).toMatchObject({ exit_code: 0, output: "contained" });
    expect(printed).toMatchObject({ exit_code: 1 });
    expect(question.subject).toMatchObject({ text: "gh auth token", machine: "build-1" });
    expect(await operator.audit.search.query({ types: ["command.judged"], text: "perl" })).toMatchObject({
      events: [{ detail: { decision: "allow", layer: "wall", machine: "build-1" } }],
    });
  });

  test.runIf(address)(
    "G7 C4 W3 a connection from behind a wall there is asked about here, and let through there",
    async () => {
      const server = createServer((request, response) => response.end(`outside ${request.url}\n`));
      server.listen(0, "0.0.0.0");
      await once(server, "listening");
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const { gateway, machine } = await joined({ isolation: "sandbox" });
      writeFileSync(join(machine.workspace, "fetch.py"), FETCH);
      const agent = await agentOn(gateway, "build-1");
      const operator = await gateway.asPerson("operator");
      const fetch = async (path: string) => {
        const asked = nextApproval(gateway);
        const reply = agent.call("terminal", { command: `python3 fetch.py http://${address}:${port}${path}` });
        return { question: await asked, reply };
      };

      const yes = await fetch("/allowed");
      await operator.approvals.decide.mutate({ id: yes.question.id, decision: "approve", scope: { type: "once" } });
      const allowed = await yes.reply;
      const no = await fetch("/refused");
      await operator.approvals.decide.mutate({ id: no.question.id, decision: "deny" });
      const refused = await no.reply;

      expect(yes.question.subject).toMatchObject({ text: `connect-to ${address}:${port}`, machine: "build-1" });
      expect(allowed.output).toBe("outside /allowed");
      expect(refused.output).toBe("refused 403");
    },
  );

  test("G7 C4 W3 a question about a connection there is withdrawn when its program is ended", async () => {
    const { gateway, machine } = await joined({ isolation: "sandbox" });
    writeFileSync(join(machine.workspace, "fetch.py"), FETCH);
    const agent = await agentOn(gateway, "build-1");

    const asked = nextApproval(gateway);
    const running = await agent.call("terminal", {
      command: "python3 fetch.py http://belay-none.invalid/",
      background: true,
    });
    const { id } = await asked;
    await agent.call("terminal", { handle_id: running.handle_id, input: "\u0003" });

    await expect
      .poll(async () => (await gateway.approvals.get(id)).state, { timeout: 30_000 })
      .toMatchObject({ status: "withdrawn", reason: "Its program has ended, or has given up connecting." });
  });

  test("G7 C4 what a machine cannot build starts nothing there, and says what to do", async () => {
    const container = { program: "podman", image: "localhost/belay-no-such-image" };
    const { gateway } = await joined({ isolation: "container", container, runAs: null });
    const agent = await agentOn(gateway, "build-1");

    const told = await refusal(agent, { command: "echo ran" });

    expect(told).toContain('is to run in isolation (container), which the machine "build-1" does not offer');
    expect(told).toContain("Nothing was started. On that machine: ");
    expect(await gateway.terminals.list()).toEqual([]);
  });
});

/** A script that connects through the proxy; in a file, because a command line would itself be judged. */
const FETCH = `import sys, urllib.request
try:
    print(urllib.request.urlopen(sys.argv[1], timeout=30).read().decode().strip())
except Exception as error:
    print("refused", getattr(error, "code", error))
`;

/** A gateway and a machine whose user has a home of its own beside the workspace. */
async function joined(security: object): Promise<{ gateway: TestGateway; machine: TestMachine; home: string }> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "belay-machine-home-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const gateway = await startTestGateway({ security });
  const { token } = await gateway.machines.add("build-1", { hours: 1 }, BY);
  const machine = await startMachine({ url: gateway.url(), token, env: { HOME: home } });
  await connected(gateway, "build-1");
  return { gateway, machine, home };
}
