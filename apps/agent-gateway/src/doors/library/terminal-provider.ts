import type { Isolation } from "@belay/protocol";
import type { OneShotProvider } from "../../agents/one-shot-providers.ts";

export interface ExecuteCommandOptions {
  /** The program's standard input. */
  input?: string;
  timeoutSeconds: number;
  env?: Record<string, string | undefined>;
  workingDirectory?: string;
}

export interface ExecuteCommandResult {
  ok: boolean;
  output: string;
  /** Null if it never ran, or a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  error?: string;
}

/** Where commands run: an embedding program can supply its own. Policy, approvals and record stay Belay's. */
export interface TerminalProvider {
  executeCommand(command: string, args: string[], options: ExecuteCommandOptions): Promise<ExecuteCommandResult>;
  runScript(script: string, options: ExecuteCommandOptions): Promise<ExecuteCommandResult>;
  getIsolationLevel(): Isolation;
}

export function toOneShotProvider(provider: TerminalProvider): OneShotProvider {
  return {
    isolation: provider.getIsolationLevel(),
    run: async ({ program, cwd, env, stdin, timeoutMs }) => {
      const startedAt = performance.now();
      const options: ExecuteCommandOptions = {
        timeoutSeconds: timeoutMs / 1000,
        env,
        workingDirectory: cwd,
        ...(stdin === null ? {} : { input: stdin }),
      };
      const result =
        program.type === "script"
          ? await provider.runScript(program.script, options)
          : await provider.executeCommand(program.argv[0], program.argv.slice(1), options);
      return {
        ...result,
        error: result.error ?? null,
        signal: null,
        isTimedOut: false,
        omittedBytes: 0,
        durationMs: performance.now() - startedAt,
      };
    },
  };
}
