import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import {
  defaultPolicy,
  emptyMemory,
  explain,
  type JudgeContext,
  type Judgement,
  judge,
  loadSecurityFile,
  type Policy,
  type ShellMemory,
} from "@belay/policy";
import type { TerminalId, Verdict } from "@belay/protocol";
import type { Question } from "./approvals.ts";
import type { Settings } from "./env.ts";
import { SettingsError } from "./env.ts";
import type { CommandRequest } from "./submit-command.ts";

/** A verdict, and beside it what only the gateway needs. */
export interface Judged {
  verdict: Verdict;
  syntax: Judgement["syntax"];
  memoryAfter: ShellMemory;
}

/** The policy in force, and what each terminal's shell remembers of the commands before. */
export class PolicyStore {
  readonly #policy: Policy;
  readonly #context: Partial<JudgeContext>;
  readonly #memories = new Map<TerminalId, ShellMemory>();
  /** Changes with every change of the file; approvals are bound to it. */
  readonly version: string;

  /** Reads the file; where there is none, the defaults hold. A file that is broken stops the start. */
  static async open(file: string, settings: Settings): Promise<PolicyStore> {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (text === null) return new PolicyStore(defaultPolicy, "default", settings);
    const loaded = loadSecurityFile(text);
    if (!loaded.ok) {
      const problems = loaded.errors.map(
        ({ line, column, message, fix }) => `  ${file}:${line}:${column}: ${message} ${fix}`,
      );
      throw new SettingsError(`The policy cannot be used, so nothing was started:\n${problems.join("\n")}`);
    }
    return new PolicyStore(loaded.policy, createHash("sha256").update(text).digest("hex").slice(0, 16), settings);
  }

  private constructor(policy: Policy, version: string, settings: Settings) {
    this.#policy = policy;
    this.version = version;
    this.#context = {
      workspace: settings.workspace,
      home: homedir(),
      user: userInfo().username,
      own: { paths: [settings.dataDir, settings.securityFile], processIds: [process.pid], ports: [settings.port] },
    };
  }

  get settings(): Policy["settings"] {
    return this.#policy.settings;
  }

  /** What the policy says to a command, in the terminal that would run it. */
  judge(line: string, terminalId: TerminalId, context: Partial<JudgeContext>): Judged {
    const memory = this.#memories.get(terminalId) ?? emptyMemory;
    const { syntax, memoryAfter, ...verdict } = judge(line, { ...this.#context, memory, ...context }, this.#policy);
    return { verdict, syntax, memoryAfter };
  }

  /** What the policy would say, for somebody who wants to know beforehand. */
  check(line: string, profile: string | undefined) {
    const { memoryAfter: _, ...verdict } = judge(
      line,
      { ...this.#context, ...(profile ? { profile } : {}) },
      this.#policy,
    );
    return { ...verdict, explanation: explain(verdict, line), policyVersion: this.version };
  }

  /** What a person is asked when the verdict is to ask, and how long they have. */
  question({ commandId, line, terminalId, agent }: CommandRequest, verdict: Verdict, cwd: string): Question {
    const { approversNeeded, timeouts } = this.settings.approval;
    return {
      commandId,
      subject: { text: line, terminalId, cwd, agentId: agent.id, policyVersion: this.version },
      verdict,
      approversNeeded,
      timeoutMs: verdict.level === "dangerous" ? timeouts.dangerousMs : timeouts.unknownMs,
    };
  }

  /** Called once a command has run: later ones in the same terminal may mean something else now. */
  remember(terminalId: TerminalId, memory: ShellMemory): void {
    this.#memories.set(terminalId, memory);
  }

  forget(terminalId: TerminalId): void {
    this.#memories.delete(terminalId);
  }
}
