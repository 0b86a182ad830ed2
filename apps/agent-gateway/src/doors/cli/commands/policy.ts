import { readFileSync } from "node:fs";
import {
  defaultPolicy,
  explain,
  freshWall,
  type Judgement,
  judge,
  loadSecurityFile,
  type Policy,
  securityFileSchema,
} from "@belay/policy";
import { Decision, IsolationChoice } from "@belay/protocol";
import { Command, Option } from "commander";
import { z } from "zod";
import { isolationOf } from "../../../agents/isolation.ts";
import type { Settings } from "../../../env.ts";
import { machineContext } from "../../../policy/machine-context.ts";
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
interface CheckOptions extends FileOption {
  readonly profile?: string;
  readonly isolation?: IsolationChoice;
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
  const withPolicy = (options: FileOption, use: (policy: Policy) => void) => {
    const loaded = loadPolicy(options.file ?? securityFile);
    if (loaded.ok) {
      for (const notice of loaded.notices) warn(notice);
      return use(loaded.policy);
    }
    for (const problem of loaded.problems) print(problem);
    setExitCode(2);
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
    .action((text: string, options: CheckOptions) =>
      withPolicy(options, (policy) => {
        const { memoryAfter: _, mayWrite: __, ...verdict } = judgeFor(text, options, policy, settings);
        print(options.json ? JSON.stringify(verdict) : explain(verdict, text).forAgent);
      }),
    );

  judging("test")
    .description('Judge a file of lines {"command", "expect"} and compare')
    .argument("<file>")
    .option("--min-exact <percent>", "the share that must match exactly", "97")
    .option("--json", "print one object with every result")
    .action((path: string, options: TestOptions) =>
      withPolicy(options, (policy) => {
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
      }),
    );

  judging("explain")
    .description("Explain the verdict in plain words")
    .argument("<command>")
    .option("--json", "print the explanation as an object")
    .action((text: string, options: CheckOptions) =>
      withPolicy(options, (policy) => {
        const explanation = explain(judgeFor(text, options, policy, settings), text);
        print(options.json ? JSON.stringify(explanation) : explanation.forPerson);
      }),
    );

  command
    .command("schema")
    .description("The JSON Schema of security.json, for editors")
    .action(() => print(JSON.stringify(securityFileSchema(), null, 2)));
  if (settings) addPolicyHistory(command, settings);
  return command;
}

/** With settings, as the gateway on this machine would judge; without, for an ordinary user in a workspace. */
function judgeFor(text: string, options: CheckOptions, policy: Policy, settings?: Settings): Judgement {
  const context = settings ? machineContext(settings, () => []) : {};
  const profile = options.profile ?? policy.settings.defaultProfile;
  const isolation = isolationOf({ isolation: options.isolation ?? null, profile }, policy.settings);
  const wall = isolation === "none" ? null : freshWall(policy.settings, isolation);
  return judge(text, { ...context, profile, wall }, policy);
}

type LoadedPolicy = { ok: true; policy: Policy; notices: readonly string[] } | { ok: false; problems: string[] };

function loadPolicy(path: string | null): LoadedPolicy {
  if (path === null) return { ok: true, policy: defaultPolicy, notices: [] };
  const text = readText(path);
  if (text === null)
    return { ok: false, problems: [`Cannot read ${path}. Check that it exists and that you may read it.`] };
  const loaded = loadSecurityFile(text);
  if (loaded.ok) return loaded;
  return {
    ok: false,
    problems: loaded.errors.map(
      ({ line, column, path: at, message, fix }) => `${path}:${line}:${column} ${at}: ${message} ${fix}`,
    ),
  };
}

const Case = z.object({ command: z.string(), expect: Decision });

type LoadedCases = { ok: true; cases: z.infer<typeof Case>[] } | { ok: false; problem: string };

function readCases(path: string): LoadedCases {
  const text = readText(path);
  if (text === null)
    return { ok: false, problem: `Cannot read ${path}. Check that it exists and that you may read it.` };
  const cases: z.infer<typeof Case>[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed = Case.safeParse(parseJson(line));
    if (!parsed.success)
      return {
        ok: false,
        problem: `${path}:${index + 1} is not {"command": "…", "expect": "allow" | "ask" | "deny"}.`,
      };
    cases.push(parsed.data);
  }
  return { ok: true, cases };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Any failure leads to the same message, which names the file.
    return null;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Invalid JSON is not a test case; the schema rejects it.
    return undefined;
  }
}

interface Result {
  readonly command: string;
  readonly expect: Decision;
  readonly decision: Decision;
  readonly rule: string | null;
  readonly layer: string;
}

function compare(command: string, expect: Decision, verdict: Judgement): Result {
  return { command, expect, decision: verdict.decision, rule: verdict.matches[0]?.rule ?? null, layer: verdict.layer };
}

const RANK = { allow: 0, ask: 1, deny: 2 } as const;

function summarize(results: readonly Result[]) {
  const count = (isCounted: (result: Result) => boolean) => results.filter(isCounted).length;
  return {
    total: results.length,
    exact: count(({ expect, decision }) => decision === expect),
    unsafe: count(({ expect, decision }) => RANK[decision] < RANK[expect]),
    friction: count(({ expect, decision }) => RANK[decision] > RANK[expect]),
  };
}

function hasFailed(
  results: readonly Result[],
  { exact, total }: { exact: number; total: number },
  minExact: number,
): boolean {
  const isWrong = results.some(
    ({ expect, decision }) =>
      (expect === "deny" && decision === "allow") || (expect === "allow" && decision === "deny"),
  );
  return isWrong || (total > 0 && (100 * exact) / total < minExact);
}

function describeDifference({ command, expect, decision, rule, layer }: Result): string {
  return `${expect} expected, ${decision} by ${rule ?? layer}: ${JSON.stringify(command)}`;
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
