import { TerminalId } from "@belay/protocol";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { printJson } from "../print.ts";
import type { RecordingFormat } from "../print-recording.ts";

/** `belay replay`: exports the recording of a terminal. */
export function replayCommand(settings: Settings): Command {
  return new Command("replay")
    .description("Write the recording of a terminal to standard output; without an id, list the recordings")
    .argument("[id]", "the terminal", parseId)
    .addOption(
      new Option("--format <format>", "asciicast (v3) for asciinema play -, asciicast-v2, text, or the raw bytes")
        .choices(["asciicast", "asciicast-v2", "text", "raw"])
        .default("asciicast"),
    )
    .option("--json", "print the list as JSON")
    .action(async (id: TerminalId | undefined, options: { format: RecordingFormat; json?: boolean }) => {
      if (id === undefined) return listAll(settings, options.json ?? false);
      const { dir } = await withControl(settings, (client) => client.recordings.noteLook.mutate({ id }));
      const { printRecording } = await import("../print-recording.ts");
      if (!(await printRecording(dir, id, options.format)))
        throw new Error(`No recording of "${id}". belay replay lists all of them.`);
    });
}

async function listAll(settings: Settings, asJson: boolean): Promise<void> {
  const ids = await withControl(settings, (client) => client.recordings.list.query());
  if (asJson) return printJson(ids);
  process.stdout.write(ids.length === 0 ? "Nothing is recorded yet.\n" : `${ids.join("\n")}\n`);
}

function parseId(value: string): TerminalId {
  const parsed = TerminalId.safeParse(value);
  if (!parsed.success)
    throw new InvalidArgumentError("A terminal's id begins with pty-; belay replay lists all of them.");
  return parsed.data;
}
