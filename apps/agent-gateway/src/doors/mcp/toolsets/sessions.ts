import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { addTool, type ToolHost } from "../tool-call.ts";
import { bash, continueSession, list, start, stop } from "./sessions-calls.ts";
import { ListOutput } from "./sessions-list.ts";
import { BashOutput, SessionOutput } from "./sessions-reply.ts";

const Command = z.string().min(1).describe("The shell command to run.");
const SessionId = z
  .string()
  .min(1)
  .describe("The ID from terminal_start, or the handle of a bash that is still running.");
const RUNS = { readOnlyHint: false, destructiveHint: true };

/** One-shot commands and long-running sessions: replies are the texts that agents of this toolset expect. */
export function registerSessions(server: McpServer, host: ToolHost): void {
  addTool(
    server,
    host,
    {
      name: "bash",
      title: "Run a command",
      description:
        "Runs a shell command in the workspace, on its own, and gives its exit code and output; it keeps no state. For " +
        "servers, prompts and REPLs use terminal_start. A command that takes longer than the call comes back with a handle: " +
        "poll with terminal_continue and that as sessionId. A command that is not known to be safe waits for a person.",
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
        "Starts a long-running command in its own session, such as a server or a REPL, and returns its first output " +
        "with an ID. `stdin` is sent once it reads. Continue with terminal_continue, end it with terminal_stop.",
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
      title: "Continue a session",
      description:
        'Sends `stdin` to a session (with its Enter: "y\\n"), or only polls, and returns the output since the last ' +
        "call. `Complete: true` means that its command has ended, and the session with it.",
      input: z.strictObject({
        sessionId: SessionId,
        stdin: z.string().optional().describe("What to send to it. Without it, this only polls."),
      }),
      output: SessionOutput,
      annotations: RUNS,
    },
    ({ sessionId, stdin }, call) => continueSession(sessionId, stdin, call),
  );

  addTool(
    server,
    host,
    {
      name: "terminal_stop",
      title: "End a session",
      description: "Ends a session and everything running in it.",
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
