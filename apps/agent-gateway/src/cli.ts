import { existsSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { agentCommand } from "./doors/cli/commands/agent.ts";
import { approvalsCommand } from "./doors/cli/commands/approvals.ts";
import { auditCommand } from "./doors/cli/commands/audit.ts";
import { changesCommands } from "./doors/cli/commands/changes.ts";
import { connectCommand } from "./doors/cli/commands/connect.ts";
import { doctorCommand } from "./doors/cli/commands/doctor.ts";
import { freezeCommands } from "./doors/cli/commands/freeze.ts";
import { hookCommand } from "./doors/cli/commands/hook.ts";
import { loginCommands } from "./doors/cli/commands/login.ts";
import { mcpCommand } from "./doors/cli/commands/mcp.ts";
import { policyCommand } from "./doors/cli/commands/policy.ts";
import { replayCommand } from "./doors/cli/commands/replay.ts";
import { trashCommand } from "./doors/cli/commands/trash.ts";
import { userCommand } from "./doors/cli/commands/user.ts";
import { explainFailure } from "./doors/cli/failure.ts";
import { backupCommands } from "./doors/cli/service/backup.ts";
import { hostCommand } from "./doors/cli/service/host.ts";
import { startCommand } from "./doors/cli/service/start.ts";
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
    .addCommand(connectCommand(settings))
    .addCommand(hookCommand(settings))
    .addCommand(agentCommand(settings))
    .addCommand(userCommand(settings))
    .addCommand(approvalsCommand(settings))
    .addCommand(
      policyCommand({ settings, securityFile: existsSync(settings.securityFile) ? settings.securityFile : null }),
    )
    .addCommand(auditCommand(settings))
    .addCommand(replayCommand(settings))
    .addCommand(trashCommand(settings))
    .addCommand(doctorCommand(settings));
  for (const command of [
    ...changesCommands(settings),
    ...freezeCommands(settings),
    ...loginCommands(settings),
    ...backupCommands(settings),
  ])
    program.addCommand(command);
  if (settings.isInsideTerminal) {
    throw new Error("belay does not work inside one of its own terminals. Run it in a terminal of your own.");
  }
  await program.parseAsync();
}

// Whoever reads the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

main().catch((error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`belay: ${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
});
