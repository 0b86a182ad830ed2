import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportAsciicast, exportRaw, exportText, openRecording, type RecordingReader, TextRenderer } from "@belay/core";
import { TerminalId } from "@belay/protocol";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Settings } from "../../../env.ts";
import { withControl } from "../../control/client.ts";
import { printJson } from "../print.ts";

type Format = "asciicast" | "asciicast-v2" | "text" | "raw";

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
    .action(async (id: TerminalId | undefined, options: { format: Format; json?: boolean }) => {
      if (id === undefined) return listAll(settings, options.json ?? false);
      const { dir } = await withControl(settings, (client) => client.recordings.noteLook.mutate({ id }));
      const recording = await openRecording(dir, id);
      if (!recording) throw new Error(`No recording of "${id}". belay replay lists all of them.`);
      const renderer = new TextRenderer();
      try {
        await pipeline(Readable.from(exportAs(options.format, recording, renderer)), process.stdout, { end: false });
      } finally {
        await Promise.all([recording.close(), renderer.close()]);
      }
    });
}

async function listAll(settings: Settings, asJson: boolean): Promise<void> {
  const ids = await withControl(settings, (client) => client.recordings.list.query());
  if (asJson) return printJson(ids);
  process.stdout.write(ids.length === 0 ? "Nothing is recorded yet.\n" : `${ids.join("\n")}\n`);
}

function exportAs(format: Format, recording: RecordingReader, renderer: TextRenderer) {
  switch (format) {
    case "asciicast":
      return exportAsciicast(recording, { version: 3 });
    case "asciicast-v2":
      return exportAsciicast(recording, { version: 2 });
    case "text":
      return exportText(recording, renderer);
    case "raw":
      return exportRaw(recording);
  }
}

function parseId(value: string): TerminalId {
  const parsed = TerminalId.safeParse(value);
  if (!parsed.success)
    throw new InvalidArgumentError("A terminal's id begins with pty-; belay replay lists all of them.");
  return parsed.data;
}
