import { ApprovalId, type ApprovalScope } from "@belay/protocol";
import { Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { printJson, printTable } from "../print.ts";

/** `belay approvals …`: answers pending approvals from the command line. */
export function approvalsCommand(settings: Settings): Command {
  const approvals = new Command("approvals").description("Commands that wait for a person");

  approvals
    .command("list")
    .description("List what waits")
    .option("--all", "also answered ones")
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
    .description("Let it run: once, or for longer")
    .option("--terminal", "also if it is repeated in the same terminal")
    .option("--minutes <count>", "also if it is repeated within this many minutes", parseMinutes)
    .option("--always", "from now on: adds the narrowest rule that allows it to the policy")
    .option("--edit <command>", "run this instead; it is judged again")
    .option("--json", "print JSON")
    .action(async (id: ApprovalId, options: ApproveOptions) => {
      const command = options.edit === undefined ? {} : { command: options.edit };
      const settled = await withControl(settings, (client) =>
        client.approvals.decide.mutate({ id, decision: "approve", scope: scopeOf(options), ...command }),
      );
      if (options.json) return printJson(settled);
      process.stdout.write(
        settled.state.status === "pending" ? "Recorded; it needs another person's approval.\n" : "Approved.\n",
      );
    });

  approvals
    .command("deny")
    .argument("<id>", "the approval", parseId)
    .description("Refuse it")
    .option("-m, --message <text>", "a message to the agent")
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

interface ApproveOptions {
  terminal?: boolean;
  minutes?: number;
  always?: boolean;
  edit?: string;
  json?: boolean;
}

function scopeOf({ terminal, minutes, always }: ApproveOptions): ApprovalScope {
  const chosen: ApprovalScope[] = [
    ...(terminal ? [{ type: "terminal" as const }] : []),
    ...(minutes === undefined ? [] : [{ type: "minutes" as const, minutes }]),
    ...(always ? [{ type: "always" as const }] : []),
  ];
  if (chosen.length > 1) throw new Error("Choose one of --terminal, --minutes and --always.");
  return chosen[0] ?? { type: "once" };
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= 1440) return minutes;
  throw new InvalidArgumentError("Enter a number of minutes from 1 to 1440.");
}

function parseId(value: string): ApprovalId {
  const parsed = ApprovalId.safeParse(value);
  if (!parsed.success)
    throw new InvalidArgumentError("An approval's id begins with apr-; belay approvals list shows them.");
  return parsed.data;
}
