import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type HookReply, printed, refusedByExitCode } from "./doors/hooks/hook-form.ts";
import { askGateway, type HookQuestion } from "./doors/hooks/program/ask-gateway.ts";
import { type HookEnv, readHookEnv } from "./doors/hooks/program/env.ts";
import { NoGateway } from "./doors/hooks/program/post-to-socket.ts";

/**
 * `belay hook CLIENT`: asks the gateway about the command that a client is about to run.
 *
 * It is a small separate program, because the client waits for it before every command. It decides nothing; if
 * it gets no answer in time it denies, because most clients run the command if a hook is late or broken.
 */
const HELP = `Usage: belay hook CLIENT [--agent NAME] [--timeout SECONDS]

Asks Belay about the command that a client is about to run in its own shell. The client starts it: belay connect CLIENT
sets that up. The call comes on stdin, and the answer goes to stdout in the client's own form.

  CLIENT               claude, codex, gemini, copilot, cursor, vscode, opencode, windsurf or cline
  --agent NAME         the agent's name, added if it is new (default: the client's name)
  --timeout SECONDS    how long the client waits for its hook (default: 60); the answer comes before that
`;

/** Before the client's own time limit, even if the gateway hangs. */
const LAST_MOMENT_MS = 2_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(3),
    allowPositionals: true,
    options: { agent: { type: "string" }, timeout: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return void process.stdout.write(HELP);
  const [client = ""] = positionals;
  const timeoutS = Number(values.timeout ?? 60);
  if (client === "" || !(timeoutS >= 1))
    return end(refusedByExitCode(`belay: this hook is not set up correctly.\n${HELP}`));
  const agent = values.agent ?? client;
  // The client's clock started with the process. Nothing below may block, or this would come too late itself.
  const lastMomentMs = timeoutS * 1000 - Math.min(LAST_MOMENT_MS, timeoutS * 200) - performance.now();
  const tooLate = setTimeout(
    () => end(refused(client, "Belay did not answer in time, so the command does not run.")),
    lastMomentMs,
  );
  end(await answer({ client, agent, timeoutS, payload: await readAll(process.stdin) }));
  clearTimeout(tooLate);
}

async function answer(question: HookQuestion): Promise<HookReply> {
  try {
    const env = readHookEnv();
    if (env.isInsideTerminal) throw new Error("a client inside one of Belay's own terminals has no shell of its own");
    return await askGateway(question, env).catch((error: unknown) => {
      if (error instanceof NoGateway && mayJudgeOffline(env)) return askOffline(question);
      throw error;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const wayOut = error instanceof NoGateway ? " Start it: belay start" : "";
    return refused(question.client, `Belay could not be asked, so the command does not run: ${why}.${wayOut}`);
  }
}

/** A quick check of the file, to deny at once if that is the only possible outcome: the whole program reads the active policy. */
function mayJudgeOffline({ securityFile, remote }: HookEnv): boolean {
  try {
    return remote === null && readFileSync(securityFile, "utf8").includes('"offline"');
  } catch {
    return false; // no file, so the default applies: deny
  }
}

/** The whole program judges the command itself, and records it. */
async function askOffline({ client, agent, payload }: HookQuestion): Promise<HookReply> {
  const { spawn } = await import("node:child_process");
  const [node = "", script = ""] = process.argv;
  const child = spawn(node, [script, "hook", client, "--offline", "--agent", agent]);
  child.stdin.on("error", () => {}); // its exit code says what went wrong
  child.stdin.end(payload);
  const ended = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  const [stdout, stderr, exitCode] = await Promise.all([readAll(child.stdout), readAll(child.stderr), ended]);
  return { stdout, stderr, exitCode: exitCode ?? 2 };
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream) text += chunk;
  return text;
}

/** A denial in the client's own format, for clients that need more than an exit code. */
function refused(client: string, reason: string): HookReply {
  if (client === "cline") return printed({ cancel: true, errorMessage: reason });
  if (client === "opencode") return printed({ decision: "deny", reason });
  return refusedByExitCode(reason);
}

/** Flushed before the process ends, because half an answer is invalid. */
function end({ stdout, stderr, exitCode }: HookReply): void {
  process.exitCode = exitCode;
  process.stdout.write(stdout, () => process.stderr.write(stderr, () => process.exit()));
}

main().catch((error: Error) => end(refusedByExitCode(`belay: ${error.message}`)));
