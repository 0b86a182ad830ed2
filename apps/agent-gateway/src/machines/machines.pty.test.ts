import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keyOfSeed } from "@belay/core";
import type { TerminalInfo } from "@belay/protocol";
import { expect, test, vi } from "vitest";
import {
  agentOn,
  BY,
  collect,
  connected,
  exists,
  join1,
  joinedOverLink,
  onlyTerminal,
  refusal,
  SOON,
} from "../testing/machines/joined.ts";
import { startMachine } from "../testing/machines/test-machine.ts";
import { nextApproval } from "../testing/next-approval.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

test("G7 a machine joins with a token, and an agent works there", async () => {
  const gateway = await startTestGateway();
  const { token } = await gateway.machines.add("build-1", { hours: 1 }, BY);
  const machine = await startMachine({ url: gateway.url(), token });
  await machine.says('Connected to the gateway as "build-1"');
  await connected(gateway, "build-1");
  const agent = await agentOn(gateway, "build-1");

  const reply = await agent.call("terminal", { command: "pwd; echo $((6*7))" });

  expect(reply).toMatchObject({ exit_code: 0, isError: false });
  expect(String(reply.output)).toContain(machine.workspace);
  expect(String(reply.output)).toContain("42");
  const terminal = await onlyTerminal(gateway);
  expect(terminal).toMatchObject({ machine: "build-1" });

  // A person takes it over and types there.
  await gateway.terminals.promote(terminal.id);
  await gateway.terminals.write(terminal.id, "echo typed > by-a-person\n");
  await vi.waitFor(() => access(join(machine.workspace, "by-a-person")), SOON);

  // Its recording is copied here once it is closed, and the machine drops its own.
  await gateway.terminals.kill(terminal.id, { reason: "killed" });
  const raw = (dir: string) => join(dir, "recordings", `${terminal.id}.raw`);
  await vi.waitFor(() => expect(access(raw(machine.dataDir))).rejects.toThrow(), SOON);
  expect(await readFile(raw(gateway.dataDir), "utf8")).toContain("42");

  // The token was used: another machine cannot join with it.
  const second = await startMachine({ url: gateway.url(), token });
  expect(await second.ended).not.toBe(0);
  expect(second.printed()).toContain("This join token is not valid");
});

test("G7 a cut link costs no byte: shells go on, and everything resumes where it stopped", async () => {
  const { gateway, machine, link } = await joinedOverLink({
    rules: [{ id: "ask-bash", decision: "ask", program: "bash" }],
  });
  const agent = await agentOn(gateway, "build-1");
  await agent.call("terminal", { command: "true" });
  const { id } = await onlyTerminal(gateway);
  const shown = collect(gateway, id);
  const wait = (name: string) => `while [ ! -e ${name} ]; do sleep 0.02; done`;
  const part = (name: string) => `for i in $(seq 2000); do echo "${name}-$i-end"; done`;
  await writeFile(
    join(machine.workspace, "print.sh"),
    [part("a"), "touch a-done", wait("go-b"), part("b"), "touch b-done", wait("go-c"), part("c"), "exit 3"].join("\n"),
  );
  const asked = nextApproval(gateway);
  const running = agent.call("terminal", { command: "bash print.sh", timeout: 60_000, idle_ms: 60_000 });
  const approval = await asked;
  // The content of the script was read on the machine that runs it, and the yes is for that machine.
  expect(approval.subject).toMatchObject({
    machine: "build-1",
    files: [{ path: join(machine.workspace, "print.sh") }],
  });
  const yes = { decision: "approve", scope: { type: "once" }, editedText: null } as const;
  await gateway.approvals.decide(approval.id, yes, await gateway.admin());
  await exists(machine, "a-done");

  link.cut();
  await vi.waitFor(async () => expect(await onlyTerminal(gateway)).toMatchObject({ isAway: true }), SOON);
  // Nothing is done elsewhere, or later: the agent is told at once.
  expect(await refusal(agent, { command: "touch too-late", new: true })).toContain(
    'The machine "build-1" is not connected',
  );
  await writeFile(join(machine.workspace, "go-b"), "");
  await exists(machine, "b-done");
  link.heal();
  await vi.waitFor(async () => expect((await onlyTerminal(gateway)).isAway).toBeUndefined(), SOON);
  await writeFile(join(machine.workspace, "go-c"), "");

  const reply = await running;
  expect(reply.handle_id === undefined ? reply : await agent.finish(reply)).toMatchObject({ exit_code: 3 });
  await vi.waitFor(() => expect(shown.text()).toContain("c-2000-end"), SOON);
  const lines = [...shown.text().matchAll(/^([abc]-\d+)-end\r?$/gm)].map(([, line]) => line);
  expect(lines).toEqual(["a", "b", "c"].flatMap((name) => Array.from({ length: 2000 }, (_, i) => `${name}-${i + 1}`)));
  expect(shown.gaps).toEqual([]);
  await expect(access(join(machine.workspace, "too-late"))).rejects.toThrow();
});

test("G7 a command that is held back on its way does not start late", async () => {
  const { gateway, machine, link } = await joinedOverLink();
  const agent = await agentOn(gateway, "build-1");
  await agent.call("terminal", { command: "true" });
  const { id } = await onlyTerminal(gateway);

  link.hold();
  const heldAt = Date.now();
  const commandId = "cmd-heldback" as const;
  const wait = { type: "idle", idleMs: null, timeoutMs: 60_000 } as const;
  const running = gateway.terminals.run(id, { commandId, line: "touch started-late", wait });
  const outcome = expect(running).rejects.toThrow(/did not start|nothing was done|has not answered/);
  // By then the gateway has hung up, and what is delivered now is past its deadline.
  await vi.waitFor(() => expect(Date.now() - heldAt).toBeGreaterThan(11_000), { timeout: 20_000, interval: 100 });
  const sent = link.sentByMachine();
  link.release();
  await vi.waitFor(() => expect(link.sentByMachine()).toBeGreaterThan(sent), SOON);

  await outcome;
  // The machine may still be connecting again, and a call that finds it away has no output.
  const listed = await vi.waitFor(async () => {
    const { output } = await agent.call("terminal", { command: "ls" });
    expect(output).toBeTypeOf("string");
    return output;
  }, SOON);
  expect(listed).not.toContain("started-late");
  await expect(access(join(machine.workspace, "started-late"))).rejects.toThrow();
});

test("G7 a machine that was killed has ended its terminals, and joins again without a token", async () => {
  const { gateway, machine, link } = await joinedOverLink();
  const agent = await agentOn(gateway, "build-1");
  await agent.call("terminal", { command: "echo before" });
  const { id } = await onlyTerminal(gateway);
  const closed = new Promise<TerminalInfo>((resolve) => {
    gateway.terminals.subscribe((event) => void (event.type === "closed" && resolve(event.terminal)));
  });

  machine.child.kill("SIGKILL");
  await machine.ended;
  const again = await startMachine({ ...machine, url: link.url });
  await again.says("Connected to the gateway");
  await connected(gateway, "build-1");

  expect(await closed).toMatchObject({ id, machine: "build-1", state: { status: "closed", reason: "host-lost" } });
  expect(await agent.call("terminal", { command: "echo after" })).toMatchObject({ exit_code: 0 });
});

test("G7 a revoked machine ends its terminals and itself, and is not let in again", async () => {
  const { gateway, machine } = await joinedOverLink();
  const agent = await agentOn(gateway, "build-1");
  await agent.call("terminal", { command: "echo $$" });

  await gateway.machines.revoke("build-1", BY);

  expect(await machine.ended).not.toBe(0);
  expect(machine.printed()).toContain('The machine "build-1" was revoked');
  expect(await gateway.terminals.list()).toEqual([]);
  expect(await refusal(agent, { command: "true" })).toContain("was revoked");
});

test("G7 a machine trusts only the gateway whose key is in its token", async () => {
  const [one, other] = [await startTestGateway(), await startTestGateway()];
  const { token } = await one.machines.add("build-1", { hours: 1 }, BY);

  const machine = await startMachine({ url: other.url(), token });

  await machine.says("its key is another one");
  expect(await other.machines.list()).toEqual([]);
});

test("G7 each agent works on its own machines, and on no other", async () => {
  const gateway = await startTestGateway();
  const [first, second] = [await join1(gateway, "build-1"), await join1(gateway, "build-2")];
  const [one, two, both] = [
    await agentOn(gateway, "build-1"),
    await agentOn(gateway, "build-2"),
    await agentOn(gateway, "build-2,gateway"),
  ];

  expect((await one.call("terminal", { command: "pwd" })).output).toContain(first.workspace);
  expect((await two.call("terminal", { command: "pwd" })).output).toContain(second.workspace);
  expect(await refusal(one, { command: "pwd", machine: "build-2" })).toContain('may not use the machine "build-2"');
  expect(await refusal(one, { command: "pwd", machine: "gateway" })).toContain('may not use the machine "gateway"');
  expect((await both.call("terminal", { command: "pwd" })).output).toContain(second.workspace);
  expect((await both.call("terminal", { command: "pwd", machine: "gateway" })).output).toContain(
    gateway.settings.workspace,
  );
  // It stays there until told otherwise.
  expect((await both.call("terminal", { command: "pwd" })).output).toContain(gateway.settings.workspace);
  expect(
    (await gateway.machines.list()).map(({ name, state, openTerminals }) => [name, state.status, openTerminals]),
  ).toEqual([
    ["build-1", "connected", 1],
    ["build-2", "connected", 2],
  ]);
});

test("G7 a machine that speaks another version is refused with both versions", async () => {
  const gateway = await startTestGateway();
  const machine = await join1(gateway, "build-1");
  const [row] = await gateway.machines.list();
  expect(row).toMatchObject({ skew: null, facts: { hostname: expect.any(String) } });
  const facts = gateway.machines.factsOf("build-1");
  if (!facts) throw new Error("It has not said anything.");
  const { seed } = JSON.parse(await readFile(join(machine.dataDir, "keys", "machine.json"), "utf8")) as {
    seed: string;
  };
  const proved = {
    key: keyOfSeed(Buffer.from(seed, "base64url")).publicKey,
    tokenKey: null,
    connection: Buffer.alloc(32),
  };

  const newer = { ...facts, program: "Belay 99.0.0", protocol: { min: 99, max: 99 } };
  expect(await gateway.machines.admit({ ...proved, facts: newer })).toMatchObject({
    reason: "version",
    message: expect.stringContaining("This machine runs Belay 99.0.0 (protocol 99 to 99), and the gateway Belay "),
  });
  // Another process with the machine's key: a copied data folder.
  expect(await gateway.machines.admit({ ...proved, facts: { ...facts, hostId: "other" } })).toMatchObject({
    reason: "taken",
  });
  // Another version that both understand is named, and lets it in.
  await gateway.machines.admit({ ...proved, facts: { ...facts, program: "Belay 0.0.1" } });
  expect((await gateway.machines.list())[0]).toMatchObject({ skew: expect.stringMatching(/^Belay \d/) });
});
