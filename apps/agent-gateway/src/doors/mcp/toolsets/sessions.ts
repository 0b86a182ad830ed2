import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { addTool, type ToolHost } from "../tool-call.ts";
import { bash, goOn, list, start, stop } from "./sessions-calls.ts";
import { ListOutput } from "./sessions-list.ts";
import { BashOutput, SessionOutput } from "./sessions-reply.ts";

const Command = z.string().min(1).describe("The shell command to run.");
const SessionId = z.string().min(1).describe("The ID that terminal_start gave, or the handle of a bash that goes on.");
const RUNS = { readOnlyHint: false, destructiveHint: true };

/** One-shot commands, and sessions that go on: replies are the texts that agents of this toolset know. */
export function registerSessions(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "bash",
      title: "Run a command",
      description:
        "Runs a shell command in the workspace, by itself, and gives its exit code and output; nothing of it stays. For " +
        "servers, prompts and REPLs use terminal_start. A command that takes longer than the call comes back with a handle: " +
        "terminal_continue with that as sessionId asks again. A command that is not known to be safe waits for a person.",
      input: z.strictObject({ command: Command }),
      output: BashOutput,
      annotations: RUNS,
    },
    ({ command }, call) => bash(command, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_start",
      title: "Start a session",
      description:
        "Starts a command that goes on in a session of its own, such as a server or a REPL, and returns its first output " +
        "with an ID. `stdin` is sent once it reads. Go on with terminal_continue, end it with terminal_stop.",
      input: z.strictObject({
        command: Command,
        stdin: z.string().optional().describe("What to send to it first, with its Enter."),
      }),
      output: SessionOutput,
      annotations: RUNS,
    },
    ({ command, stdin }, call) => start(command, stdin, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_continue",
      title: "Go on with a session",
      description:
        'Sends `stdin` to a session (with its Enter: "y\\n"), or only looks, and returns what was printed since the last ' +
        "look. `Complete: true` means that its command has ended, and the session with it.",
      input: z.strictObject({
        sessionId: SessionId,
        stdin: z.string().optional().describe("What to send to it. Without it, this only looks."),
      }),
      output: SessionOutput,
      annotations: RUNS,
    },
    ({ sessionId, stdin }, call) => goOn(sessionId, stdin, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_stop",
      title: "End a session",
      description: "Ends a session and all that runs in it.",
      input: z.strictObject({ sessionId: SessionId }),
      output: z.object({ sessionId: z.string(), terminated: z.literal(true) }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    ({ sessionId }, call) => stop(sessionId, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_list",
      title: "List sessions",
      description: "Lists your open sessions with their command, position and uptime.",
      input: z.strictObject({}),
      output: ListOutput,
      annotations: { readOnlyHint: true },
    },
    (_, call) => list(call),
  );
}
