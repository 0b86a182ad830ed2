import { CommanderError } from "commander";
import { explainFailure } from "./doors/cli/failure.ts";
import { createProgram } from "./doors/cli/program.ts";
import { loadSettings } from "./env.ts";

/** `belay`: one file per command in doors/cli/. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const program = createProgram(settings);
  if (settings.isInsideTerminal) {
    throw new Error("belay does not work inside one of its own terminals. Run it in a terminal of your own.");
  }
  await program.parseAsync();
}

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

main().catch((error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`belay: ${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
});
