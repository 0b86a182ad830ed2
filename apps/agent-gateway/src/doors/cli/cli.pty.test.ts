import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runBelay } from "../../testing/belay-process.ts";
import { TestAgent } from "../../testing/test-agent.ts";

test("G1 a port in use gives one sentence that says what to do", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as { port: number };

  const ended = await belay(["start"], { BELAY_PORT: String(port) }).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toBe(
    `belay: Port ${port} on 127.0.0.1 is taken by another program. Stop it, or choose another port: BELAY_PORT=7401 npm start\n`,
  );
});

test("G1 a data folder that cannot be written gives one sentence that says what to do", async () => {
  const ended = await belay(["start"], { BELAY_DATA_DIR: "/proc/belay" }).ended;

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^belay: Belay cannot write to its data folder \/proc\/belay\. .*BELAY_DATA_DIR.*\n$/);
});

test("G1 invalid settings are named", async () => {
  const ended = await belay(["start"], { BELAY_PORT: "none", BELAY_PUBLIC_URL: "belay.example" }).ended;

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^belay: These settings cannot be used: BELAY_PORT: .*; BELAY_PUBLIC_URL: .*\n$/);
});

test("C9 a broken policy prevents the start, with line and column", async () => {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, "security.json"), '{\n  "commandDenyPattern": []\n}\n');

  const ended = await belay(["start"], { BELAY_DATA_DIR: dataDir }).ended;

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`${dataDir}/security.json:2:3: `);
  expect(ended.stderr).toContain("commandDenyPattern");
});

test("G1 SIGTERM ends the terminals, says how many, and leaves no process", async () => {
  const dataDir = temporaryDir();
  const gateway = belay(["start"], { BELAY_DATA_DIR: dataDir, BELAY_PORT: "0" });
  const url = await gateway.ready;
  const added = await belay(["agent", "add", "tester", "--json"], { BELAY_DATA_DIR: dataDir }).ended;
  const agent = await TestAgent.connect(url, JSON.parse(added.stdout).token);
  const { output } = await agent.call("terminal", { command: "echo $$" });
  await agent.close();

  gateway.child.kill("SIGTERM");
  const ended = await gateway.ended;

  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout).toMatch(/SIGTERM: stopping, ending 1 terminal …\nStopped\.\n$/);
  expect(() => process.kill(Number(output), 0)).toThrow("ESRCH");
});

test("G2 a second gateway on the same data folder is refused", async () => {
  const dataDir = temporaryDir();
  const first = belay(["start"], { BELAY_DATA_DIR: dataDir, BELAY_PORT: "0" });
  await first.ready;

  const second = await belay(["start"], { BELAY_DATA_DIR: dataDir, BELAY_PORT: "0" }).ended;
  first.child.kill("SIGTERM");
  await first.ended;

  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^belay: Belay is already running on .*\n$/);
});

test("W8 people are added, get another role and another password on the command line", async () => {
  const env = { BELAY_DATA_DIR: temporaryDir() };
  const run = async (...args: string[]) => {
    const ended = await belay(args, env).ended;
    return ended.code === 0 ? JSON.parse(ended.stdout) : ended.stderr;
  };

  const added = await run("user", "add", "Ada@belay.test", "--role", "admin", "--json");
  const changed = await run("user", "role", "ada@belay.test", "viewer", "--json");
  const renewed = await run("user", "password", "ada@belay.test", "--json");
  const unknownPerson = await run("user", "role", "eve@belay.test", "admin");

  expect(added).toMatchObject({ email: "ada@belay.test", role: "admin", password: expect.stringMatching(/^.{16}$/) });
  expect(changed).toBe("belay: ada@belay.test is the only admin. Make another person an admin first.\n");
  expect(renewed.password).not.toBe(added.password);
  expect(unknownPerson).toBe(
    "belay: No person has the address eve@belay.test. List the people to see their addresses.\n",
  );
  expect(await run("user", "list", "--json")).toMatchObject([{ email: "ada@belay.test", role: "admin" }]);
});

test("G4 a recording is exported as asciicast and as text, and the view is recorded", async () => {
  const env = { BELAY_DATA_DIR: temporaryDir(), BELAY_PORT: "0" };
  const gateway = belay(["start"], env);
  const url = await gateway.ready;
  const { token } = JSON.parse((await belay(["agent", "add", "tester", "--json"], env).ended).stdout);
  const agent = await TestAgent.connect(url, token);
  const { terminal_id } = await agent.call("terminal", { command: "echo on record" });
  await agent.close();

  const cast = await belay(["replay", String(terminal_id)], env).ended;
  const text = await belay(["replay", String(terminal_id), "--format", "text"], env).ended;
  const nothing = await belay(["replay", "pty-0000"], env).ended;
  const tail = await belay(["audit", "tail", "--json"], env).ended;
  gateway.child.kill("SIGTERM");
  await gateway.ended;

  const [header, ...events] = cast.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ version: 3, term: { cols: 120, rows: 40 } });
  expect(events.map(([, , data]) => data).join("")).toContain("on record");
  expect(text.stdout).toMatch(/echo on record\non record/);
  expect(nothing).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(tail.stdout)).toContainEqual(
    expect.objectContaining({ type: "recording.opened", terminalId: terminal_id }),
  );
});

test("A6 the command line refuses to work inside one of its own terminals", async () => {
  const ended = await belay(["agent", "list"], { BELAY_TERMINAL: "pty-abc" }).ended;

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("does not work inside one of its own terminals");
});

function belay(args: string[], env: Record<string, string>) {
  return runBelay(env.BELAY_DATA_DIR ?? temporaryDir(), args, [], undefined, env);
}

function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "belay-cli-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
