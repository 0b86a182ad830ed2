import { Command } from "commander";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { printJson, printTable } from "../print.ts";

/** `belay doctor`: what this machine supports, what is missing, and which agents have which wall. */
export function doctorCommand(settings: Settings): Command {
  return new Command("doctor")
    .description("What this machine supports, what is missing and how to get it, and which agents have which wall")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const report = await withControl(settings, (client) => client.gateway.doctor.query());
      if (json) return printJson(report);
      printTable(
        ["", "", ""],
        report.machine.map(({ title, status, detail, fix }) => [
          status,
          title,
          fix === null ? detail : `${detail} ${fix}`,
        ]),
      );
      process.stdout.write(`\n${report.newAgents}\n`);
      if (report.gateways.length > 0) {
        process.stdout.write("\n");
        printTable(
          ["gateway", "version", "since", ""],
          report.gateways.map(({ name, version, startedAt, problem, isThis }) => [
            isThis ? `${name} (this one)` : name,
            version,
            new Date(startedAt).toISOString(),
            problem ?? "",
          ]),
        );
      }
      if (report.agents.length === 0) return;
      process.stdout.write("\n");
      printTable(
        ["agent", "wall", "network", ""],
        report.agents.map(({ name, wall, problem }) => [
          name,
          wall?.isolation ?? "none",
          wall?.network ?? "host",
          problem ?? "",
        ]),
      );
    });
}
