import { type AgentToolSettings, parseCompoundCommand, safetyLevel } from "@belay/policy";
import type { Act, OnceAct } from "../../commands/act.ts";
import { describeOutcome } from "../../commands/describe-outcome.ts";
import { type CommandOutcome, isOver } from "../../commands/outcome.ts";
import { renderOutcome } from "../../commands/render-outcome.ts";
import { GatewayError } from "../../errors.ts";
import type { Gateway } from "../../gateway.ts";
import { newId } from "../../store/new-id.ts";
import type { AgentRow } from "../../store/tables/agents.ts";
import {
  type ExecuteCommandOptions,
  type ExecuteCommandResult,
  type TerminalProvider,
  toOneShotProvider,
} from "./terminal-provider.ts";

/** A call may wait for a person as long as the policy allows. */
const NO_HURRY = { signal: new AbortController().signal, maxMs: 2 ** 31 - 1 };
/** The most output that a program can use (A10). */
const OUTPUT_BYTES = 10_000_000;
const WHOLE = { maxChars: OUTPUT_BYTES, previewChars: OUTPUT_BYTES, maxLineChars: OUTPUT_BYTES };

/**
 * Belay for a program that embeds it (C12).
 *
 * A thin facade: everything that it runs takes the same path as an agent over MCP, with the
 * policy, the approvals and the record. Agents are identified by name.
 */
export class TerminalService {
  readonly #gateway: Gateway;
  readonly #providers = new Map<string, TerminalProvider>();
  /** Each program is one conversation. */
  readonly #conversationId = newId("cnv");

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Adds an agent of this name if it does not exist, and stores its settings. */
  async attach(name: string, options: { profile?: string; settings?: AgentToolSettings } = {}): Promise<void> {
    const { agents } = this.#gateway;
    const exists = (await agents.list()).some((agent) => agent.name === name);
    if (!exists) await agents.add({ name, profile: options.profile ?? "standard" }, { type: "local" });
    if (options.settings) await agents.configure(name, options.settings, { type: "local" });
  }

  /** Runs a program with its arguments, without a shell. A whole command line without arguments is run as one (C1). */
  async executeCommand(
    command: string,
    args: string[],
    options: Partial<ExecuteCommandOptions>,
    agent: string,
  ): Promise<ExecuteCommandResult> {
    const isLine = args.length === 0 && /\s/.test(command.trim());
    if (isLine) return this.runScript(command, options, agent);
    return this.#runOnce({ type: "argv", argv: [command, ...args] }, options, agent);
  }

  async runScript(
    script: string,
    options: Partial<ExecuteCommandOptions>,
    agent: string,
  ): Promise<ExecuteCommandResult> {
    return this.#runOnce({ type: "script", script }, options, agent);
  }

  /** Runs a command line and returns only its output and exit code (D11). Null: it did not run, or did not end. */
  async runSync(
    command: string,
    options: { timeoutMs?: number; cwd?: string; env?: Record<string, string> },
    agent: string,
  ): Promise<{ output: string; exitCode: number | null }> {
    const { runSyncTimeoutMs } = this.#gateway.agents.toolDefaults(await this.#gateway.agents.find(agent)).unified;
    const timeoutSeconds = (options.timeoutMs ?? runSyncTimeoutMs) / 1000;
    const { cwd, env } = options;
    const { output, exitCode, error } = await this.runScript(
      command,
      {
        timeoutSeconds,
        ...(cwd === undefined ? {} : { workingDirectory: cwd }),
        ...(env === undefined ? {} : { env }),
      },
      agent,
    );
    return { output: output === "" ? (error ?? "") : output, exitCode };
  }

  /** Runs a command in a persistent shell, and waits: ten seconds by default (A10). */
  async sendCommandAndWait(
    command: string,
    options: {
      timeoutMs?: number;
      /** Commands of different conversations run in different shells, and so concurrently. */
      conversation?: string;
    },
    agent: string,
  ): Promise<{ output: string; exitCode: number | null; success: boolean }> {
    const row = await this.#gateway.agents.find(agent);
    const { terminal, cwd, giveBack } = await this.#gateway.agentTerminals.borrow({
      agent: row,
      id: options.conversation ?? this.#conversationId,
    });
    const timeoutMs = options.timeoutMs ?? this.#gateway.agents.toolDefaults(row).deep.executeTimeoutMs;
    const wait = { type: "idle", idleMs: null, timeoutMs } as const;
    const outcome = await this.#submit(
      row,
      { type: "run", terminalId: terminal.id, line: command, wait, ...(cwd === undefined ? {} : { cwd }) },
      giveBack,
    );
    const { message } = describeOutcome(outcome, { text: command, url: this.#gateway.url() });
    const { text } = await renderOutcome(outcome, this.#gateway.outputTexts, { agentId: row.id, limits: WHOLE });
    const exitCode = outcome.status === "ran" && isOver(outcome) ? outcome.report.exitCode : null;
    return { output: message ?? text, exitCode, success: exitCode === 0 };
  }

  /** Blocked commands count as dangerous here. */
  getCommandSafetyLevel(shellString: string): "safe" | "unknown" | "dangerous" {
    const level = safetyLevel(shellString, this.#gateway.policy.current.policy);
    return level === "blocked" ? "dangerous" : level;
  }

  /** The words of each command of a compound one, with their quotes, in order (C12). */
  parseCompoundCommand(command: string): string[] {
    return parseCompoundCommand(command).flatMap((part) => part.match(WORD) ?? []);
  }

  addBlockedPatterns(patterns: (string | RegExp)[]): void {
    this.#gateway.policy.addPatterns({ blocked: patterns });
  }

  addApprovalPatterns(patterns: (string | RegExp)[]): void {
    this.#gateway.policy.addPatterns({ approval: patterns });
  }

  registerTerminalProvider(name: string, provider: TerminalProvider): void {
    this.#gateway.oneShots.register(name, toOneShotProvider(provider));
    this.#providers.set(name, provider);
  }

  /** A registered provider; the error lists all of them. */
  requireTerminalProviderByName(name: string): TerminalProvider {
    this.#gateway.oneShots.find(name);
    const provider = this.#providers.get(name);
    if (provider) return provider;
    throw new GatewayError(
      "provider-not-found",
      `The provider "${name}" is Belay's own, and runs nothing without an agent: use requireActiveTerminal.`,
    );
  }

  get terminalProviders(): string[] {
    return this.#gateway.oneShots.names;
  }

  /** Sets the provider of an agent's commands; the error lists all of them. */
  async setActiveTerminal(providerName: string, agent: string): Promise<void> {
    this.#gateway.oneShots.find(providerName);
    const state = await this.getState(agent);
    const sessions = { ...state.sessions, provider: providerName };
    await this.#gateway.agents.configure(agent, { ...state, sessions }, { type: "local" });
  }

  /** The provider of an agent. What it runs is judged, and recorded, as that agent's. */
  async requireActiveTerminal(agent: string): Promise<TerminalProvider> {
    const { provider } = this.#gateway.agents.toolDefaults(await this.#gateway.agents.find(agent)).sessions;
    const { isolation } = this.#gateway.oneShots.find(provider);
    return {
      executeCommand: (command, args, options) => this.executeCommand(command, args, options, agent),
      runScript: (script, options) => this.runScript(script, options, agent),
      getIsolationLevel: () => isolation,
    };
  }

  /** An agent's own settings, as plain data: pass them to `attach` to restore it (C9). */
  async getState(agent: string): Promise<AgentToolSettings> {
    const { toolSettings } = await this.#gateway.agents.find(agent);
    return JSON.parse(toolSettings) as AgentToolSettings;
  }

  async #runOnce(
    program: OnceAct["program"],
    { input, timeoutSeconds, env, workingDirectory }: Partial<ExecuteCommandOptions>,
    agent: string,
  ): Promise<ExecuteCommandResult> {
    const row = await this.#gateway.agents.find(agent);
    const defaults = this.#gateway.agents.toolDefaults(row).sessions;
    const outcome = await this.#submit(row, {
      type: "once",
      program,
      cwd: workingDirectory ?? row.workspace ?? this.#gateway.settings.workspace,
      env: definedOnly(env ?? {}),
      stdin: input ?? null,
      timeoutMs: timeoutSeconds === undefined ? defaults.executeTimeoutMs : timeoutSeconds * 1000,
      maxOutputBytes: OUTPUT_BYTES,
    });
    if (outcome.status === "done") {
      const { ok, output, exitCode, stdout, stderr, error } = outcome.result;
      return { ok, output, exitCode, stdout, stderr, ...(error === null ? {} : { error }) };
    }
    const { message } = describeOutcome(outcome, { text: "", url: this.#gateway.url() });
    if (message === null) throw new GatewayError("not-run", `It did not end: ${outcome.status}.`);
    return { ok: false, output: "", exitCode: null, stdout: "", stderr: "", error: message };
  }

  #submit(agent: AgentRow, act: Act, onSettled?: () => void): Promise<CommandOutcome> {
    return this.#gateway.commands.submit(
      { commandId: newId("cmd"), agent, origin: "library", act },
      NO_HURRY,
      onSettled,
    );
  }
}

/** Up to the next space outside quotes. */
const WORD = /(?:\\.|[^\s"'\\]|"(?:\\.|[^"\\])*"|'[^']*')+/g;

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
