import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import { TestAgent } from "../testing/test-agent.ts";

describe.runIf(hasSandbox)("an agent in a sandbox", () => {
  test("C4 works in its workspace, and sees nothing of Belay's data or the person's home", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent();

    const inside = await agent.call("terminal", {
      command: "echo made > file && cat file && ls ~ && ls /home",
    });
    writeFileSync(join(gateway.workspace, "look.sh"), 'cd "$(dirname "$0")/.." && ls belay-gateway-*\n');
    const data = await agent.call("terminal", { command: "bash look.sh" });

    expect(inside).toMatchObject({ state: "completed", exit_code: 2 });
    expect(inside.output).toMatch(/^made\nls: cannot access '\/home': No such file/);
    // Of the data folder only what its own shell needs: its start-up files, the trash of its rm, its home.
    expect(data.output).toBe("terminals  trash  walls");
    expect(readdirSync(gateway.workspace)).toContain("file");
    expect(await gateway.terminals.list()).toMatchObject([{ wall: { isolation: "sandbox", network: "allowlist" } }]);
  });

  test("X12 contained commands run without approval, and the record says so", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");

    const ran = await agent.call("terminal", { command: `perl -e 'system("echo", "con" . "tained")'` });
    const check = (isolation: "none" | "sandbox") =>
      operator.policy.check.query({ command: "some-unknown-program", isolation });

    expect(ran).toMatchObject({ state: "completed", output: "contained" });
    expect(await operator.audit.search.query({ types: ["command.judged"] })).toMatchObject({
      events: [{ detail: { decision: "allow", layer: "wall" } }],
    });
    expect(await check("sandbox")).toMatchObject({ decision: "allow", layer: "wall" });
    expect(await check("none")).toMatchObject({ decision: "ask", layer: "level" });
  });

  test("C4 the doctor and the list of agents show each wall, and its problems", async () => {
    const gateway = await startSandboxedGateway();
    const viewer = await gateway.asPerson("viewer");
    await gateway.addAgent({ name: "inside" });
    await gateway.agents.add({ name: "outside", profile: "standard", isolation: "none" }, { type: "system" });

    const report = await viewer.gateway.doctor.query();

    expect(report.machine).toContainEqual(expect.objectContaining({ id: "sandbox", status: "ready", fix: null }));
    expect(report.newAgents).toBe("New agents work in a sandbox, network allowlist.");
    expect(report.agents).toMatchObject([
      { name: "inside", wall: { isolation: "sandbox", network: "allowlist" }, problem: null },
      { name: "outside", wall: null, problem: null },
    ]);
    expect((await viewer.agents.list.query()).map(({ name, wall }) => [name, wall?.isolation])).toEqual([
      ["inside", "sandbox"],
      ["outside", undefined],
    ]);
  });

  test("C4 keeps working in folders that exist only in the sandbox", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent();

    await agent.call("terminal", { command: "mkdir /tmp/own && cd /tmp/own" });
    const there = await agent.call("terminal", { command: "pwd" });
    const once = await agent.call("terminal", { command: "pwd", cwd: "/tmp" });

    expect(there).toMatchObject({ output: "/tmp/own", exit_code: 0 });
    expect(once).toMatchObject({ output: "/tmp", exit_code: 0 });
    expect(existsSync("/tmp/own")).toBe(false);
  });

  test("C4 C1 one-shot programs run in the sandbox as well", async () => {
    const gateway = await startSandboxedGateway();
    const agent = await gateway.connectAgent({ toolset: "sessions" });

    const { content } = await agent.client.callTool({ name: "bash", arguments: { command: "pwd; ls /home" } });

    expect(JSON.stringify(content)).toContain(gateway.workspace);
    expect(JSON.stringify(content)).toContain("cannot access '/home'");
  });

  test.each(["allowlist", "none"] as const)(
    "C4 C1 a one-shot reaches a server in a terminal, network %s",
    async (mode) => {
      const gateway = await startSandboxedGateway({ network: { mode } });
      const { token } = await gateway.addAgent();
      const terminals = await TestAgent.connect(gateway.url(), token);
      const sessions = await TestAgent.connect(gateway.url(), token, "sessions");
      onTestFinished(async () => void (await Promise.all([terminals.close(), sessions.close()])));
      writeFileSync(join(gateway.workspace, "page"), "from a terminal");
      const serve = "python3 -m http.server 8765 --bind 127.0.0.1";
      await terminals.call("terminal", { command: serve, background: true });

      await vi.waitFor(async () => {
        const command = `python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:8765/page").read())'`;
        const { content } = await sessions.client.callTool({ name: "bash", arguments: { command } });
        expect(JSON.stringify(content)).toContain("from a terminal");
      }, 60_000);
      for (const { id } of await gateway.terminals.list()) await gateway.terminals.kill(id, { reason: "killed" });
    },
  );

  test("C4 D8 protected names are out of reach, even those that do not exist yet", async () => {
    const gateway = await startSandboxedGateway({ profiles: { open: { unknown: "allow", dangerous: "allow" } } });
    const { workspace } = gateway;
    mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
    writeFileSync(join(workspace, "notes.pem"), "kept");
    writeFileSync(
      join(workspace, "write.sh"),
      'for f in "$@"; do echo x > "$f" && echo "wrote $f"; done\nmv .git .moved\n',
    );
    const agent = await gateway.connectAgent({ profile: "open" });

    const names = [
      ".env",
      ".mcp.json",
      ".vscode/tasks.json",
      ".git/hooks/pre-commit",
      "notes.pem",
      ".git/config",
      "free",
    ];
    const reply = await agent.call("terminal", {
      command: `bash write.sh ${names.join(" ")} 2>&1 | grep -v "^write.sh"`,
    });
    const { id } = (await gateway.terminals.list())[0] ?? { id: "pty-0" as const };
    await gateway.terminals.kill(id, { reason: "killed" });

    expect(reply.output).toMatch(/^wrote \.git\/config\nwrote free\nmv: .*Device or resource busy$/);
    // And no placeholder is left.
    expect(readdirSync(workspace).sort()).toEqual([".git", "free", "notes.pem", "write.sh"]);
  });

  test("C4 G6 the sandbox keeps running when the gateway ends", async () => {
    const first = await startSandboxedGateway({}, { terminals: "own-process" });
    const agent = await first.connectAgent();
    await agent.call("terminal", { command: "kept=here" });
    const [terminal] = await first.terminals.list();
    await first.close({ keepTerminals: true });

    const second = await startTestGateway({
      dataDir: first.dataDir,
      env: { BELAY_WORKSPACE: first.workspace },
      terminals: "own-process",
    });
    const [found] = await second.terminals.list();

    expect(found).toMatchObject({ id: terminal?.id, wall: { isolation: "sandbox" } });
    expect(found?.state).toEqual(terminal?.state);
  });
});
