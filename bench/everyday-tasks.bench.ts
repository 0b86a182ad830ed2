import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBelay } from "@belay/agent-gateway";

/**
 * What twenty everyday tasks cost an agent: calls, and tokens of arguments and replies, through MCP with the default
 * toolset. The baseline is the same commands by `child_process`: bare output, and no persistent shell.
 *
 * Tokens are counted as four characters each.
 */
interface Task {
  name: string;
  /** In order, in one conversation; commands that have not finished are polled. */
  commands: string[];
}

const TASKS: Task[] = [
  { name: "list a folder", commands: ["ls -la"] },
  { name: "read a file", commands: ["cat src/index.js"] },
  { name: "find a text", commands: ["grep -rn TODO src"] },
  { name: "find files by name", commands: ["find . -name '*.js' -not -path './.git/*'"] },
  { name: "count lines", commands: ["wc -l src/*.js"] },
  { name: "git status", commands: ["git status --short"] },
  { name: "git log, which would open a pager", commands: ["git log"] },
  { name: "git diff", commands: ["git diff"] },
  { name: "look at a commit", commands: ["git show --stat HEAD"] },
  { name: "change folder, then look", commands: ["cd src", "pwd && ls"] },
  { name: "set a variable, then use it", commands: ["export STAGE=test", "echo $STAGE"] },
  { name: "make a folder and a file", commands: ["mkdir -p out && touch out/a && ls out"] },
  { name: "write a file", commands: ["printf 'a\\nb\\n' > notes.txt && cat notes.txt"] },
  { name: "sort and count", commands: ["cut -d' ' -f1 data.txt | sort | uniq -c | sort -rn | head -5"] },
  { name: "a command that fails", commands: ["ls no-such-file"] },
  { name: "output of 5,000 lines", commands: ["seq 1 5000"] },
  { name: "versions of the tools", commands: ["node --version && git --version"] },
  { name: "disk use", commands: ["du -sh . && df -h . | tail -1"] },
  { name: "a second of work", commands: ["sleep 1 && echo done"] },
  { name: "tests of a project", commands: ["node --test test/"] },
];

const folder = mkdtempSync(join(tmpdir(), "belay-tasks-"));
const workspace = join(folder, "project");
prepare(workspace);
const belay = await openBelay({ dataDir: join(folder, "data"), workspace });
const { token } = await belay.addAgent("bench");

interface Row {
  task: string;
  calls: number;
  tokens: number;
  floor: number;
}

const rows: Row[] = [];
for (const task of TASKS) rows.push({ task: task.name, ...(await throughBelay(task)), ...byChildProcess(task) });
const total = (key: "calls" | "tokens" | "floor") => rows.reduce((sum, row) => sum + row[key], 0);
console.table([...rows, { task: "all", calls: total("calls"), tokens: total("tokens"), floor: total("floor") }]);

await belay.close();
rmSync(folder, { recursive: true, force: true });

async function throughBelay({ commands }: Task): Promise<{ calls: number; tokens: number }> {
  const session = await openSession(`${belay.url}/mcp`, token);
  let calls = 0;
  let characters = 0;
  const call = async (args: Record<string, unknown>) => {
    const text = await session.call("terminal", args);
    calls += 1;
    characters += JSON.stringify(args).length + text.length;
    return text;
  };
  for (const command of commands) {
    let text = await call({ command });
    for (let handle = handleIn(text); handle !== null; handle = handleIn(text)) {
      text = await call({ handle_id: handle, wait_ms: 30_000 });
    }
  }
  return { calls, tokens: Math.ceil(characters / 4) };
}

function handleIn(text: string): string | null {
  return /handle_id (cmd-\w+), [^\]]*\]$/.exec(text)?.[1] ?? null;
}

function byChildProcess({ commands }: Task): { floor: number } {
  const script = commands.join("\n");
  const { stdout, stderr } = spawnSync("bash", ["-c", script], { cwd: workspace, encoding: "utf8" });
  return { floor: Math.ceil((script.length + stdout.length + stderr.length) / 4) };
}

/** A minimal client of the 2025 protocol. */
async function openSession(url: string, bearer: string) {
  let session: string | null = null;
  let id = 0;
  const send = async (method: string, params: unknown) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session === null ? {} : { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
    });
    session ??= response.headers.get("mcp-session-id");
    const text = await response.text();
    const data =
      text
        .split("\n")
        .findLast((line) => line.startsWith("data: "))
        ?.slice(6) ?? text;
    return JSON.parse(data) as { result: { content?: { text: string }[] } };
  };
  const clientInfo = { name: "bench", version: "1.0.0" };
  await send("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  return {
    call: async (name: string, args: Record<string, unknown>) => {
      const { result } = await send("tools/call", { name, arguments: args });
      return result.content?.[0]?.text ?? "";
    },
  };
}

function prepare(dir: string): void {
  for (const part of ["src", "test"]) mkdirSync(join(dir, part), { recursive: true });
  const source = Array.from(
    { length: 60 },
    (_, at) => `export const value${at} = ${at}; // TODO ${at % 7 ? "" : "check"}`,
  );
  writeFileSync(join(dir, "src/index.js"), `${source.join("\n")}\n`);
  writeFileSync(join(dir, "test/a.test.js"), 'import test from "node:test";\ntest("holds", () => {});\n');
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(dir, "data.txt"), Array.from({ length: 400 }, (_, at) => `key${at % 9} ${at}`).join("\n"));
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: dir });
  git("init", "-q");
  git("add", "-A");
  for (let at = 0; at < 40; at += 1) git("commit", "-q", "--allow-empty", "-m", `change ${at}`);
  writeFileSync(join(dir, "src/index.js"), `${source.slice(3).join("\n")}\n`);
}
