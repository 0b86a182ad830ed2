import { readFileSync } from "node:fs";
import { showHidden } from "@belay/protocol";
import { type Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { printJson, printTable } from "../print.ts";

/** The history of the policy and proposed rules: `belay policy versions`, `diff`, `rollback` … */
export function addPolicyHistory(policy: Command, settings: Settings): void {
  policy
    .command("versions")
    .description("List the versions of the policy, newest first")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const versions = await withControl(settings, (client) => client.policy.versions.query({ limit: 100 }));
      if (options.json) return printJson(versions);
      printTable(
        ["NUMBER", "WHEN", "BY", "NOTE"],
        versions.map(({ seq, at, author, note }) => [
          String(seq),
          new Date(at).toISOString(),
          author.type === "person" ? author.id : author.type,
          note,
        ]),
      );
    });

  policy
    .command("diff")
    .description("Show the difference between two versions, or to the policy in force")
    .argument("<from>", "its number", parseNumber)
    .argument("[to]", "its number; without it, the policy in force", parseNumber)
    .option("--json", "print JSON")
    .action(async (from: number, to: number | undefined, options: { json?: boolean }) => {
      const diff = await withControl(settings, (client) =>
        client.policy.diff.query({ from, ...(to === undefined ? {} : { to }) }),
      );
      if (options.json) return printJson({ diff });
      process.stdout.write(diff === "" ? "No difference.\n" : diff);
    });

  policy
    .command("waiting")
    .description("Show the edit of the policy file that waits for an admin, if there is one")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const edit = await withControl(settings, (client) => client.policy.waitingEdit.query());
      if (options.json) return printJson(edit);
      if (!edit) return void process.stdout.write("No edit of the policy file waits.\n");
      process.stdout.write(
        `${showHidden(edit.diff)}\nIt is not in force. To accept it: belay policy accept edit-${edit.version}\n` +
          `To discard it: belay policy reject edit-${edit.version}\n`,
      );
    });

  policy
    .command("rollback")
    .description("Make an earlier version the policy again, as a new version")
    .argument("<number>", "its number", parseNumber)
    .option("--json", "print JSON")
    .action(async (seq: number, options: { json?: boolean }) => {
      const saved = await withControl(settings, (client) => client.policy.rollBack.mutate({ seq }));
      if (options.json) return printJson(saved);
      process.stdout.write(`Version ${seq} is the policy again.\n`);
    });

  policy
    .command("simulate")
    .description("How a draft would have judged the latest recorded commands")
    .argument("<file>", "a draft of security.json")
    .option("--last <count>", "how many commands", parseNumber, 1000)
    .option("--json", "print JSON")
    .action(async (file: string, options: { last: number; json?: boolean }) => {
      const text = readFileSync(file, "utf8");
      const simulated = await withControl(settings, (client) =>
        client.policy.simulate.query({ text, lastCommands: options.last }),
      );
      if (options.json) return printJson(simulated);
      printTable(
        ["BEFORE", "AFTER", "TIMES", "COMMAND"],
        simulated.changes.map(({ before, after, count, line }) => [before, after, String(count), JSON.stringify(line)]),
      );
      process.stdout.write(`${simulated.changed} of ${simulated.judged} commands would be judged differently.\n`);
    });

  policy
    .command("proposals")
    .description("List the rules that operators propose")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const proposals = await withControl(settings, (client) => client.policy.proposals.query());
      if (options.json) return printJson(proposals);
      if (proposals.length === 0) return void process.stdout.write("There are no proposals.\n");
      printTable(
        ["ID", "RULES"],
        proposals.map(({ id, rules }) => [
          id,
          JSON.stringify(rules.map(({ program, args }) => [program, ...(args ?? [])])),
        ]),
      );
    });

  for (const decision of ["accept", "reject"] as const) {
    policy
      .command(decision)
      .description(
        decision === "accept"
          ? "Add the rules of a proposal to the policy, or accept an edit of the file"
          : "Reject a proposal, or restore the file to the policy in force",
      )
      .argument("<id>", "the proposal, or the edit that belay policy waiting shows")
      .option("--json", "print JSON")
      .action(async (id: string, options: { json?: boolean }) => {
        const version = /^edit-(\w+)$/.exec(id)?.[1];
        await withControl(settings, (client) =>
          version === undefined
            ? client.policy.settleProposal.mutate({ id, decision })
            : client.policy.settleEdit.mutate({ version, decision: decision === "accept" ? "accept" : "discard" }),
        );
        if (options.json) return printJson({ id, decision });
        if (version !== undefined) {
          const done =
            decision === "accept" ? "The edit is in force now." : "The file is restored to the policy in force.";
          return void process.stdout.write(`${done}\n`);
        }
        process.stdout.write(decision === "accept" ? "Its rules are in the policy now.\n" : "Rejected.\n");
      });
  }
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Enter a whole number of 1 or more.");
}
