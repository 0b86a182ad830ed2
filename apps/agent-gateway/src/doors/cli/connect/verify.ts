import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CLIENT_SETUPS, HOOK_CLIENT_NAMES, type HookClient, type SetupScope } from "@belay/protocol";
import { sampleCall } from "../../hooks/sample-call.ts";
import { ownElement, pathOf } from "./plan.ts";

/** Always denied, and harmless: Belay's own command line is forbidden to agents. */
const CANARY = "belay canary";

export interface Verified {
  client: HookClient;
  scope: SetupScope;
  /** The file in which the client has the hook. */
  file: string;
  /** Whether the hook, started as the file says, denied the canary and allowed a harmless command. */
  isInForce: boolean;
  problem: string | null;
  /** What the client does with a command if its hook is late, and if it fails. */
  lateHook: "runs" | "does not run";
  brokenHook: "runs" | "does not run";
  /** Notes for the person, such as what this client does when a hook fails. */
  warnings: string[];
}

/** Starts each configured hook of a client as the client would, with one harmless command that must be denied. */
export async function verifyHooks(client: HookClient): Promise<Verified[]> {
  const found: Verified[] = [];
  for (const scope of ["person", "project"] as const) {
    const hooked = await findHook(client, scope);
    if (!hooked) continue;
    const problem = await tryHook(client, hooked.command);
    const { lateHook, brokenHook } = CLIENT_SETUPS[client];
    found.push({
      client,
      scope,
      file: hooked.file,
      isInForce: problem === null,
      problem,
      lateHook,
      brokenHook,
      warnings: warningsOf(client),
    });
  }
  return found;
}

function warningsOf(client: HookClient): string[] {
  const { lateHook, brokenHook, notes } = CLIENT_SETUPS[client];
  const failures = [...(lateHook === "runs" ? ["late"] : []), ...(brokenHook === "runs" ? ["broken"] : [])];
  if (failures.length === 0) return [...notes];
  const name = HOOK_CLIENT_NAMES[client];
  return [`${name} runs a command whose hook is ${failures.join(" or ")}. Belay answers before that.`, ...notes];
}

async function findHook(client: HookClient, scope: SetupScope): Promise<{ file: string; command: string } | null> {
  const [entry] = (CLIENT_SETUPS[client].hook[scope]?.("") ?? []).filter(
    ({ format, way }) => format === "text" || way === "add" || client === "copilot",
  );
  if (!entry) return null;
  const file = pathOf(entry, scope);
  const content = await readFile(file, "utf8").catch(() => null);
  if (content === null || !ownElement(client)(content)) return null;
  const command = commandIn(content, client);
  return command === null ? null : { file, command };
}

/** The command line of the hook, from the client's own format. */
function commandIn(content: string, client: HookClient): string | null {
  if (client === "cline") return /^exec (.+)$/m.exec(content)?.[1] ?? null;
  const strings = content.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  for (const string of strings) {
    const value = JSON.parse(string) as string;
    if (ownElement(client)(value)) return value;
  }
  return null;
}

/** Null if it works. */
async function tryHook(client: HookClient, command: string): Promise<string | null> {
  const denied = await run(command, JSON.stringify(sampleCall(client, CANARY, process.cwd())));
  if (!isDenied(denied)) return `it allowed "${CANARY}", which must be denied: ${describe(denied)}`;
  const allowed = await run(command, JSON.stringify(sampleCall(client, "true", process.cwd())));
  return isDenied(allowed) ? `it denies even "true": ${describe(allowed)}` : null;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function run(command: string, input: string): Promise<Ended> {
  const child = spawn("sh", ["-c", command], { stdio: "pipe" });
  child.stdin.on("error", () => {}); // it may end without reading
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

function isDenied({ code, stdout }: Ended): boolean {
  return code === 2 || /"(permissionDecision|decision|permission)":"deny"|"cancel":true/.test(stdout);
}

function describe({ code, stdout, stderr }: Ended): string {
  return (stdout + stderr).trim().slice(0, 300) || `no output, exit code ${code}`;
}
