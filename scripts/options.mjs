import { parseArgs } from "node:util";

/** The exit code of commands that were called in the wrong way. */
const EXIT_USAGE = 2;

/**
 * Reads the options of a script. `--help` prints the usage and ends; what the script does not know is named,
 * with the usage below it.
 *
 * `takes` names the arguments without a dash, or is null if there are none and "any" if there is no list of them.
 */
export function readOptions({ usage, options = {}, takes = null, args = process.argv.slice(2) }) {
  const help = { type: "boolean", short: "h", default: false };
  let read;
  try {
    read = parseArgs({ args, options: { ...options, help }, allowPositionals: true });
  } catch (error) {
    refuse(error.message.split(". To specify")[0], usage);
  }
  const { help: wantsHelp, ...values } = read.values;
  if (wantsHelp) {
    console.log(usage);
    process.exit(0);
  }
  const isKnown = (word) => takes === "any" || takes?.includes(word);
  const unknown = read.positionals.find((word) => !isKnown(word));
  if (unknown !== undefined) {
    const choice = takes === null ? "" : ` There are: ${takes.join(", ")}.`;
    refuse(`Unknown argument '${unknown}'.${choice}`, usage);
  }
  return { values, wanted: read.positionals };
}

function refuse(sentence, usage) {
  console.error(`${sentence}\n\n${usage}`);
  process.exit(EXIT_USAGE);
}
