import { Command, Option } from "commander";
import type { Settings } from "../../../env.ts";
import { newId } from "../../../store/new-id.ts";

const TOOLSETS = ["unified", "sessions", "pool", "deep", "all"];

/** `belay mcp`: MCP over stdio, for clients that start their servers themselves. */
export function mcpCommand(settings: Settings): Command {
  return new Command("mcp")
    .description("Speak MCP over stdin and stdout, for a client that starts its servers itself")
    .addOption(new Option("--toolset <toolset>", "which tools to offer").choices(TOOLSETS).default("unified"))
    .option("--structured", "also give replies as structured data, for programs")
    .option("--agent <name>", "without BELAY_TOKEN: the agent's name, added if it is new (default: local)")
    .addHelpText(
      "after",
      "\nWith BELAY_URL and BELAY_TOKEN it connects to that gateway. Without them it finds the one running on this machine\n" +
        "with the same data folder, or starts one.",
    )
    .action(async ({ toolset, agent, structured }: { toolset: string; agent?: string; structured?: boolean }) => {
      const [{ StdioBridge }, { findGateway }, { createPost }, { refuseClient }] = await Promise.all([
        import("../../stdio/bridge.ts"),
        import("../../stdio/find-gateway.ts"),
        import("../../stdio/post.ts"),
        import("../../stdio/refuse-client.ts"),
      ]);
      const say = (text: string) => void process.stderr.write(`belay: ${text}\n`);
      const tools = { toolset, structured: structured === true };
      const found = await findGateway(settings, { agent: agent ?? null, tools, say }).catch(async (error: Error) => {
        await refuseClient(error.message, process);
        throw error;
      });
      const post = createPost(found);
      const conversation = { conversationId: newId("cnv"), startedIn: process.cwd() };
      await new StdioBridge({ post, output: process.stdout, ...conversation }).serve(process.stdin);
    });
}
