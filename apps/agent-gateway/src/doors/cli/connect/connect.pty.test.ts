import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { HookClient } from "@belay/protocol";
import { expect, onTestFinished, test } from "vitest";
import { runBelay } from "../../../testing/belay-process.ts";

const BELAY = fileURLToPath(new URL("../../../../bin/belay.mjs", import.meta.url));

/** A temporary home folder, which is also the project, and Belay's command line in it. */
async function makeHome() {
  const home = await mkdtemp(join(tmpdir(), "belay-connect-"));
  const dataDir = join(home, "belay-data");
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await mkdir(dataDir);
  return {
    dataDir,
    read: (file: string) => readFile(join(home, file), "utf8").catch(() => null),
    write: async (file: string, content: string) => {
      await mkdir(dirname(join(home, file)), { recursive: true });
      await writeFile(join(home, file), content);
    },
    mode: async (file: string) => (await stat(join(home, file))).mode & 0o777,
    connect: async (...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: home, BELAY_DATA_DIR: dataDir, BELAY_WORKSPACE: home };
      const child = spawn(process.execPath, [BELAY, "connect", ...args], {
        env,
        cwd: home,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { stdout, stderr, code };
    },
  };
}

const SETTINGS = `{
  // what a person wrote stays
  "model": "opus",
  "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "their-own-hook" }] }] }
}
`;

test("G9 belay connect adds its entries to existing files, is idempotent, and --remove removes them", async () => {
  const home = await makeHome();
  await home.write(".claude/settings.json", SETTINGS);

  const first = await home.connect("claude", "--yes");
  const settings = await home.read(".claude/settings.json");
  const again = await home.connect("claude", "--yes");
  const removed = await home.connect("claude", "--remove", "--yes");

  expect([first.code, again.code, removed.code]).toEqual([0, 0, 0]);
  expect(settings).toContain("// what a person wrote stays");
  expect(settings).toContain("their-own-hook");
  expect(settings?.match(/hook claude --timeout 600/g)).toHaveLength(2);
  expect(settings).toContain('"onFailure": "block"');
  expect(again.stdout).toContain("Nothing to change");
  const left = await home.read(".claude/settings.json");
  expect(left).toContain("their-own-hook");
  expect(left).not.toContain("belay");
  expect(await home.read(".claude.json")).toBeNull();
});

test("G9 belay connect shows what it would write, and writes nothing without a confirmation", async () => {
  const home = await makeHome();

  const { stdout } = await home.connect("cursor");

  expect(stdout).toContain("+      {");
  expect(stdout).toContain("beforeShellExecution");
  expect(stdout).toContain("--yes");
  expect(await home.read(".cursor/hooks.json")).toBeNull();
});

test("G9 --mcp sets up only the tools, --hook only the hook, and --dry-run writes neither", async () => {
  const files = async (...args: string[]) => {
    const home = await makeHome();
    const { code, stdout } = await home.connect("claude", "--yes", ...args);
    expect(code).toBe(0);
    const [tools, hook] = await Promise.all([home.read(".claude.json"), home.read(".claude/settings.json")]);
    return { tools: tools?.includes("mcpServers") ?? false, hook: hook?.includes("hook claude") ?? false, stdout };
  };

  expect(await files()).toMatchObject({ tools: true, hook: true });
  expect(await files("--mcp")).toMatchObject({ tools: true, hook: false });
  expect(await files("--hook")).toMatchObject({ tools: false, hook: true });
  const tried = await files("--dry-run");
  expect(tried).toMatchObject({ tools: false, hook: false, stdout: expect.stringContaining("mcpServers") });
});

test("G9 a file that is not JSON is left alone, and named with its line", async () => {
  const home = await makeHome();
  await home.write(".gemini/settings.json", '{\n  "theme": \n}\n');

  const { stderr, code } = await home.connect("gemini", "--yes");

  expect(code).toBe(1);
  expect(stderr).toMatch(/settings\.json is not JSON \(line 3: /);
  expect(await home.read(".gemini/settings.json")).toBe('{\n  "theme": \n}\n');
});

test("G9 Codex's other settings keep their comments, and only Belay's table changes", async () => {
  const home = await makeHome();
  const config = '# mine\nmodel = "gpt"\n\n[mcp_servers.other]\nurl = "http://127.0.0.1:9"\n';
  await home.write(".codex/config.toml", config);

  await home.connect("codex", "--yes");
  const written = await home.read(".codex/config.toml");
  await home.connect("codex", "--remove", "--yes");

  expect(written?.startsWith(config)).toBe(true);
  expect(written).toMatch(
    /\[mcp_servers\.belay\]\ncommand = "node"\nargs = \[".*belay\.mjs", "mcp", "--agent", "codex"\]/,
  );
  expect((await home.read(".codex/config.toml"))?.trimEnd()).toBe(config.trimEnd());
});

test("G9 --verify proves every client's hook with a command that must be denied, and says when it does not work", {
  timeout: 180_000,
}, async () => {
  const home = await makeHome();
  const set = (client: HookClient) =>
    home.connect(client, "--hook", "--yes", ...(client === "vscode" ? ["--project"] : []));
  for (const { code } of await Promise.all(HookClient.options.map(set))) expect(code).toBe(0);
  const asleep = await home.connect("claude", "--verify");
  await runBelay(home.dataDir, ["start"]).ready;
  const verified: Record<string, boolean[]> = {};
  const verify = async (client: HookClient) => {
    const { stdout } = await home.connect(client, "--verify", "--json");
    verified[client] = (JSON.parse(stdout) as { isInForce: boolean }[]).map(({ isInForce }) => isInForce);
  };
  await Promise.all(HookClient.options.map(verify));

  expect(asleep).toMatchObject({ code: 1, stdout: expect.stringContaining("belay start") });
  for (const client of HookClient.options) expect(verified[client], client).toContain(true);
  expect(Object.values(verified).flat()).not.toContain(false);
  expect(await home.mode("Documents/Cline/Hooks/PreToolUse")).toBe(0o755);
  expect((await home.connect("codex", "--verify")).stdout).toContain("late or broken");
});
