import { HOOK_TIMEOUT_S } from "./hooks.ts";
import type { SetupEntry } from "./types.ts";

/** opencode loads plugins into its own process, so this one starts the hook as other clients do. */
export function opencodePlugin(file: string, command: string): SetupEntry {
  const value = `// Asks Belay before each command, and denies it if there is no answer.
import { spawn } from "node:child_process";

const ask = (call) =>
  new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(\`Belay could not be asked, so the command does not run: \${why}\`));
    const child = spawn("sh", ["-c", ${JSON.stringify(command)}], { stdio: ["pipe", "pipe", "ignore"] });
    const late = setTimeout(() => {
      fail("the hook gave no answer");
      child.kill("SIGKILL");
    }, ${HOOK_TIMEOUT_S * 1000});
    let answer = "";
    child.stdout.on("data", (part) => (answer += part));
    child.stdin.on("error", () => {}); // it may end without reading
    child.on("error", ({ message }) => fail(message));
    child.on("close", () => {
      clearTimeout(late);
      try {
        resolve(JSON.parse(answer || "{}"));
      } catch {
        fail("its answer cannot be read");
      }
    });
    child.stdin.end(JSON.stringify(call));
  });

export const BelayHook = async ({ directory }) => ({
  "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
    if (tool !== "bash") return;
    const cwd = args.workdir ?? directory;
    const answer = await ask({ event: "tool.execute.before", sessionID, callID, cwd, command: args.command });
    if (answer.decision !== "allow") throw new Error(answer.reason ?? "Belay gave no answer, so the command does not run.");
    if (answer.editedTo) args.command = answer.editedTo;
  },
  "tool.execute.after": async ({ tool, sessionID, callID, args }, { metadata }) => {
    if (tool !== "bash") return;
    await ask({ event: "tool.execute.after", sessionID, callID, command: args?.command ?? "", exitCode: metadata?.exit ?? null }).catch(() => {}); // it has run already, even if the report fails
  },
});
`;
  return { file, format: "text", path: [], way: "set", value };
}
