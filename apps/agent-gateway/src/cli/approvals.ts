import { ApprovalId } from "@belay/protocol";
import { Command, InvalidArgumentError } from "commander";
import { withControl } from "../control/client.ts";
import type { Settings } from "../env.ts";
import { printJson, printTable } from "./print.ts";

/** `belay approvals …`: what waits for a person, answered from the command line. */
export function approvalsCommand(settings: Settings): Command {
  const approvals = new Command("approvals").description("Commands that wait for a person");

  approvals
    .command("list")
    .description("List what waits")
    .option("--all", "also what was answered")
    .option("--json", "print JSON")
    .action(async (options: { all?: boolean; json?: boolean }) => {
      const state = options.all ? "all" : "pending";
      const found = await withControl(settings, (client) => client.approvals.list.query({ state }));
      if (options.json) return printJson(found);
      if (found.length === 0) return void process.stdout.write("Nothing is waiting.\n");
      printTable(
        ["ID", "STATE", "LEVEL", "COMMAND"],
        // As JSON, so that control characters in a command cannot paint on this terminal.
        found.map(({ id, state: { status }, verdict, subject }) => [
          id,
          status,
          verdict.level,
          JSON.stringify(subject.text),
        ]),
      );
    });

  approvals
    .command("approve")
    .argument("<id>", "the approval", parseId)
    .description("Let it run, once")
    .option("--json", "print JSON")
    .action(async (id: ApprovalId, options: { json?: boolean }) => {
      const settled = await withControl(settings, (client) =>
        client.approvals.decide.mutate({ id, decision: "approve" }),
      );
      if (options.json) return printJson(settled);
      process.stdout.write(
        settled.state.status === "pending" ? "Counted; it waits for another person.\n" : "Approved.\n",
      );
    });

  approvals
    .command("deny")
    .argument("<id>", "the approval", parseId)
    .description("Refuse it")
    .option("-m, --message <text>", "what the agent reads")
    .option("--json", "print JSON")
    .action(async (id: ApprovalId, options: { message?: string; json?: boolean }) => {
      const { message } = options;
      const denial = { id, decision: "deny" as const, ...(message === undefined ? {} : { message }) };
      const settled = await withControl(settings, (client) => client.approvals.decide.mutate(denial));
      if (options.json) return printJson(settled);
      process.stdout.write("Denied.\n");
    });

  return approvals;
}

function parseId(value: string): ApprovalId {
  const parsed = ApprovalId.safeParse(value);
  if (!parsed.success)
    throw new InvalidArgumentError("An approval's id begins with apr-; belay approvals list shows them.");
  return parsed.data;
}
