import { expect, test } from "vitest";
import { nextApproval } from "../../testing/next-approval.ts";
import { startTestGateway } from "../../testing/start-test-gateway.ts";
import type { TerminalProvider } from "./terminal-provider.ts";
import { TerminalService } from "./terminal-service.ts";

test("C1 C12 a command without a shell, with input, variables and a folder", async () => {
  const gateway = await startTestGateway();
  const terminals = new TerminalService(gateway);
  await terminals.attach("helper");

  const result = await terminals.executeCommand(
    "sh",
    ["-c", 'cat; echo "$GREETING $PWD"; echo oops >&2; exit 3'],
    { input: "in\n", env: { GREETING: "hi", GONE: undefined }, workingDirectory: "/" },
    "helper",
  );

  expect(result).toMatchObject({ ok: false, exitCode: 3, stdout: "in\nhi /\n", stderr: "oops\n" });
});

test("C1 G2 a question waits for a person, and a refused command never runs", async () => {
  const gateway = await startTestGateway();
  const terminals = new TerminalService(gateway);
  const operator = await gateway.asPerson("operator");
  await terminals.attach("helper");
  const asked = nextApproval(gateway);

  const result = terminals.runScript("some-unknown-program", {}, "helper");
  const { id, subject } = await asked;
  await operator.approvals.decide.mutate({ id, decision: "deny", message: "Not today." });

  expect(subject).toMatchObject({ text: "some-unknown-program", terminalId: null });
  expect(await result).toMatchObject({ ok: false, exitCode: null, error: expect.stringContaining("Not today.") });
  expect((await gateway.audit.list(20)).map(({ type }) => type)).not.toContain("command.started");
});

test("C1 a whole command line without arguments runs as one, and an argument with a space stays one", async () => {
  const terminals = new TerminalService(await startTestGateway());
  await terminals.attach("helper");

  const line = await terminals.executeCommand("printf '%s-' one two", [], { timeoutSeconds: 20 }, "helper");
  const program = await terminals.executeCommand("printf", ["%s-", "one two"], { timeoutSeconds: 20 }, "helper");

  expect(line).toMatchObject({ ok: true, exitCode: 0, output: "one-two-" });
  expect(program).toMatchObject({ ok: true, exitCode: 0, output: "one two-" });
});

test("C12 an agent with a provider of the program has no sessions outside of it", async () => {
  const gateway = await startTestGateway();
  const terminals = new TerminalService(gateway);
  const agent = await gateway.connectAgent({ name: "helper", toolset: "sessions" });
  terminals.registerTerminalProvider("elsewhere", {
    executeCommand: () => Promise.reject(new Error("not used")),
    runScript: async () => ({ ok: true, output: "from elsewhere", exitCode: 0, stdout: "from elsewhere", stderr: "" }),
    getIsolationLevel: () => "container",
  });
  await terminals.setActiveTerminal("elsewhere", "helper");

  const ran = await agent.client.callTool({ name: "bash", arguments: { command: "ls" } });
  const session = await agent.client.callTool({ name: "terminal_start", arguments: { command: "ls" } });

  expect(JSON.stringify(ran.content)).toContain("from elsewhere");
  expect(session).toMatchObject({ isError: true });
  expect(JSON.stringify(session.content)).toContain("has no sessions");
  expect(await gateway.terminals.list()).toEqual([]);
});

test("C12 the program's own provider runs what the policy allows", async () => {
  const gateway = await startTestGateway();
  const terminals = new TerminalService(gateway);
  await terminals.attach("helper");
  const seen: unknown[] = [];
  const provider: TerminalProvider = {
    executeCommand: async (command, args, options) => {
      seen.push([command, ...args, options.timeoutSeconds]);
      return { ok: true, output: "from elsewhere", exitCode: 0, stdout: "from elsewhere", stderr: "" };
    },
    runScript: () => Promise.reject(new Error("not used")),
    getIsolationLevel: () => "container",
  };

  terminals.registerTerminalProvider("elsewhere", provider);
  await terminals.setActiveTerminal("elsewhere", "helper");
  const allowed = await terminals.executeCommand("ls", ["-l"], { timeoutSeconds: 7 }, "helper");
  const denied = await terminals.executeCommand("sudo", ["some-program"], {}, "helper");

  expect(terminals.terminalProviders).toEqual(["local", "elsewhere"]);
  const active = await terminals.requireActiveTerminal("helper");
  expect(await active.executeCommand("ls", [], { timeoutSeconds: 5 })).toMatchObject({ output: "from elsewhere" });
  expect(terminals.requireTerminalProviderByName("elsewhere")).toBe(provider);
  expect(() => terminals.requireTerminalProviderByName("nowhere")).toThrow("There are: local, elsewhere");
  expect(await terminals.getState("helper")).toEqual({ sessions: { provider: "elsewhere" } });
  expect(allowed).toMatchObject({ ok: true, output: "from elsewhere" });
  expect(denied).toMatchObject({ ok: false, exitCode: null });
  expect(seen).toEqual([
    ["ls", "-l", 7],
    ["ls", 5],
  ]);
  await expect(terminals.setActiveTerminal("nowhere", "helper")).rejects.toThrow("There are: local, elsewhere");
});

test("A8 patterns added in code block and ask, on top of the file", async () => {
  const gateway = await startTestGateway({ security: { commandDenyPatterns: ["one-program"] } });
  const terminals = new TerminalService(gateway);
  terminals.addBlockedPatterns([/other-program\s+wipe/]);
  terminals.addApprovalPatterns(["^ls"]);

  const decide = async (command: string) => (await gateway.policyDrafts.try(command, {})).decision;
  const decisions = await Promise.all(["one-program", "other-program wipe", "ls", "pwd"].map(decide));
  expect(decisions).toEqual(["deny", "deny", "ask", "allow"]);
  await gateway.policy.reload();
  expect(await decide("other-program wipe")).toBe("deny");
});

test("C2 C3 levels and parts", async () => {
  const terminals = new TerminalService(await startTestGateway());

  expect(
    ["ls", "some-unknown-program", "rm -rf src", "sudo ls"].map((text) => terminals.getCommandSafetyLevel(text)),
  ).toEqual(["safe", "unknown", "dangerous", "dangerous"]);
  expect(terminals.parseCompoundCommand("a && b | c; d")).toEqual(["a", "b", "c", "d"]);
  expect(terminals.parseCompoundCommand('git add . && git commit -m "test" || echo "failed"')).toEqual([
    "git",
    "add",
    ".",
    "git",
    "commit",
    "-m",
    '"test"',
    "echo",
    '"failed"',
  ]);
});
