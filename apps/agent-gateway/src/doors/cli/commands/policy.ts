import type { Policy } from "@belay/policy";
import { IsolationChoice } from "@belay/protocol";
import { Command, Option } from "commander";
import type { Settings } from "../../../env.ts";
import type { TrialOptions } from "../policy-trial.ts";
import { addPolicyHistory } from "./policy-history.ts";

export interface PolicyCommandDeps {
  /** The settings, if a gateway may be asked; without them only offline commands are available. */
  readonly settings?: Settings;
  /** The security file that `--file` replaces; null means the built-in defaults. */
  readonly securityFile: string | null;
  readonly print?: (text: string) => void;
  /** Writes messages that are not part of the answer. */
  readonly warn?: (text: string) => void;
  readonly setExitCode?: (code: number) => void;
}

interface FileOption {
  readonly file?: string;
}
interface CheckOptions extends FileOption, TrialOptions {
  readonly json?: boolean;
}
interface TestOptions extends CheckOptions {
  readonly minExact: string;
}

/** `belay policy …`: tries the policy without a gateway, using the policy package directly. */
export function policyCommand({
  securityFile,
  settings,
  print = printLine,
  warn = printWarning,
  setExitCode = setProcessExitCode,
}: PolicyCommandDeps): Command {
  /** Null if it cannot be used, which is printed. */
  const load = async (options: FileOption): Promise<Policy | null> => {
    // Loading what judges takes longer than most commands of this program.
    const { loadPolicy } = await import("../policy-trial.ts");
    const loaded = loadPolicy(options.file ?? securityFile);
    if (loaded.ok) {
      for (const notice of loaded.notices) warn(notice);
      return loaded.policy;
    }
    for (const problem of loaded.problems) print(problem);
    setExitCode(2);
    return null;
  };
  const command = new Command("policy").description("Try the policy without running anything, and manage its versions");
  /** A command that judges: with which policy, and for which kind of agent. */
  const judging = (name: string) =>
    command
      .command(name)
      .option("--profile <name>", "the agent's profile")
      .addOption(
        new Option("--isolation <kind>", "the agent's isolation; without it, the profile decides").choices(
          IsolationChoice.options,
        ),
      )
      .option("--file <path>", "security file to judge with");

  judging("check")
    .description("The verdict on one command")
    .argument("<command>")
    .option("--json", "print the whole verdict")
    .action(async (text: string, options: CheckOptions) => {
      const policy = await load(options);
      if (!policy) return;
      const { explain, judgeFor } = await import("../policy-trial.ts");
      const { memoryAfter: _, mayWrite: __, ...verdict } = judgeFor(text, options, policy, settings);
      print(options.json ? JSON.stringify(verdict) : explain(verdict, text).forAgent);
    });

  judging("test")
    .description('Judge a file of lines {"command", "expect"} and compare')
    .argument("<file>")
    .option("--min-exact <percent>", "the share that must match exactly", "97")
    .option("--json", "print one object with every result")
    .action(async (path: string, options: TestOptions) => {
      const policy = await load(options);
      if (!policy) return;
      const { compare, describeDifference, hasFailed, judgeFor, readCases, summarize } = await import(
        "../policy-trial.ts"
      );
      const cases = readCases(path);
      if (!cases.ok) {
        print(cases.problem);
        return setExitCode(2);
      }
      const results = cases.cases.map(({ command, expect }) =>
        compare(command, expect, judgeFor(command, options, policy)),
      );
      const summary = summarize(results);
      if (options.json) print(JSON.stringify({ ...summary, results }));
      else {
        for (const result of results) if (result.decision !== result.expect) print(describeDifference(result));
        print(`exact ${summary.exact} of ${summary.total}, unsafe ${summary.unsafe}, friction ${summary.friction}`);
      }
      if (hasFailed(results, summary, Number(options.minExact))) setExitCode(1);
    });

  judging("explain")
    .description("Explain the verdict in plain words")
    .argument("<command>")
    .option("--json", "print the explanation as an object")
    .action(async (text: string, options: CheckOptions) => {
      const policy = await load(options);
      if (!policy) return;
      const { explain, judgeFor } = await import("../policy-trial.ts");
      const explanation = explain(judgeFor(text, options, policy, settings), text);
      print(options.json ? JSON.stringify(explanation) : explanation.forPerson);
    });

  command
    .command("schema")
    .description("The JSON Schema of security.json, for editors")
    .action(async () => {
      const { securityFileSchema } = await import("@belay/policy");
      print(JSON.stringify(securityFileSchema(), null, 2));
    });
  if (settings) addPolicyHistory(command, settings);
  return command;
}

function printWarning(text: string): void {
  process.stderr.write(`belay: ${text}\n`);
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

function setProcessExitCode(code: number): void {
  process.exitCode = code;
}
