import { type RunOnceRequest, type RunOnceResult, runOnce } from "./run-once.ts";

export interface RunScriptRequest extends Omit<RunOnceRequest, "argv"> {
  script: string;
  /** Path of the shell that reads it. */
  shell: string;
}

/** Runs a shell script to its end. */
export function runScript({ script, shell, ...request }: RunScriptRequest): Promise<RunOnceResult> {
  return runOnce({ ...request, argv: [shell, "-c", script] });
}

/**
 * Runs a command and returns only its output and exit code, for callers that need
 * nothing else: it always waits until the command is done.
 */
export async function runSync(request: RunScriptRequest): Promise<{ output: string; exitCode: number | null }> {
  const { output, exitCode, error } = await runScript(request);
  return {
    output: error === null ? output : `${output}${output === "" || output.endsWith("\n") ? "" : "\n"}${error}`,
    exitCode,
  };
}
