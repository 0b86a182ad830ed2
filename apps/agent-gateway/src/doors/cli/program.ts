import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Settings } from "../../env.ts";
import { VERSION } from "../../version.ts";
import { agentCommand } from "./commands/agent.ts";
import { approvalsCommand } from "./commands/approvals.ts";
import { auditCommand } from "./commands/audit.ts";
import { changesCommands } from "./commands/changes/changes.ts";
import { previewCommand } from "./commands/changes/preview.ts";
import { connectCommand } from "./commands/connect.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { freezeCommands } from "./commands/freeze.ts";
import { hookCommand } from "./commands/hook.ts";
import { loginCommands } from "./commands/login.ts";
import { gatewayCommand } from "./commands/machines/gateway.ts";
import { machineCommand } from "./commands/machines/machine.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { policyCommand } from "./commands/policy.ts";
import { replayCommand } from "./commands/replay.ts";
import { trashCommand } from "./commands/trash.ts";
import { userCommand } from "./commands/user.ts";
import { backupCommands } from "./service/backup.ts";
import { hostCommand } from "./service/host.ts";
import { migrateCommand } from "./service/migrate.ts";
import { startCommand } from "./service/start.ts";

/** The command line with all of its commands. */
export function createProgram(settings: Settings): Command {
  const program = new Command("belay")
    .description("Real terminals for AI agents, with a person on the rope.")
    .version(VERSION)
    .showHelpAfterError("(belay --help lists all commands)")
    .addCommand(startCommand(settings))
    .addCommand(hostCommand(settings))
    .addCommand(mcpCommand(settings))
    .addCommand(connectCommand(settings))
    .addCommand(hookCommand(settings))
    .addCommand(agentCommand(settings))
    .addCommand(machineCommand(settings))
    .addCommand(gatewayCommand(settings))
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
    previewCommand(settings),
    ...freezeCommands(settings),
    ...loginCommands(settings),
    ...backupCommands(settings),
    migrateCommand(settings),
  ])
    program.addCommand(command);
  return program;
}
