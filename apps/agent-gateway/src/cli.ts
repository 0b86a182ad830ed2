import { existsSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { agentCommand } from "./cli/agent.ts";
import { approvalsCommand } from "./cli/approvals.ts";
import { auditCommand } from "./cli/audit.ts";
import { explainFailure } from "./cli/failure.ts";
import { freezeCommands } from "./cli/freeze.ts";
import { hostCommand } from "./cli/host.ts";
import { mcpCommand } from "./cli/mcp.ts";
import { policyCommand } from "./cli/policy.ts";
import { replayCommand } from "./cli/replay.ts";
import { startCommand } from "./cli/start.ts";
import { trashCommand } from "./cli/trash.ts";
import { userCommand } from "./cli/user.ts";
import { loadSettings } from "./env.ts";
import { VERSION } from "./version.ts";

/** `belay`: one file per command in cli/. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const program = new Command("belay")
    .description("Real terminals for AI agents, with a person on the rope.")
    .version(VERSION)
    .showHelpAfterError("(belay --help shows what there is)")
    .addCommand(startCommand(settings))
    .addCommand(hostCommand(settings))
    .addCommand(mcpCommand(settings))
    .addCommand(agentCommand(settings))
    .addCommand(userCommand(settings))
    .addCommand(approvalsCommand(settings))
    .addCommand(
      policyCommand({ settings, securityFile: existsSync(settings.securityFile) ? settings.securityFile : null }),
    )
    .addCommand(auditCommand(settings))
    .addCommand(replayCommand(settings))
    .addCommand(trashCommand(settings));
  for (const command of freezeCommands(settings)) program.addCommand(command);
  if (settings.isInsideTerminal) {
    throw new Error("belay does not work inside one of its own terminals. Run it in a terminal of your own.");
  }
  await program.parseAsync();
}

main().catch((error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`belay: ${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
});
