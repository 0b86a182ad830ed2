import { projectOf } from "../../dangers/paths/project-paths.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { type Field, field, stream } from "../../language/state/values.ts";
import { programNamed } from "../catalog/index.ts";
import { readUse } from "../effects/read-use.ts";
import { dangersInCode } from "./inline-code.ts";

const CODE_FILE =
  /\.(py|js|mjs|cjs|ts|mts|cts|jsx|tsx|go|rb|rs|java|kt|kts|gradle|groovy|php|pl|lua|ex|exs|cs|swift|scala)$|\/(Rakefile|Gemfile|Makefile|justfile)$/;
const MAKEFILE = /\/((GNU)?[Mm]akefile[^/]*|[^/]*\.mk|[Jj]ustfile)$/;
/** With more files than this, they are not checked individually. */
const MAX_FILES = 8;

/**
 * Tests, builds and installs of the project run files that the command does not name. Those that this terminal wrote
 * are judged by their text, as if they were named.
 */
export function judgeWritten(shell: Shell, program: string, args: readonly Field[]): void {
  if (shell.state.files.isEmpty) return;
  const known = programNamed(program);
  if (known === undefined) return;
  const { does } = readUse(known, program, args);
  if (does !== "work" && does !== "restore") return;
  for (const { path, text, taint } of shell.state.files.newestTexts(MAX_FILES)) {
    if (!(CODE_FILE.test(path) || MAKEFILE.test(path)) || projectOf(path, shell.state.cwd, shell.context) === null)
      continue;
    const { dangers, commands } = dangersInCode(text, shell.context.home, {
      hasTemplates: /\.[cm]?[jt]sx?$|\.go$/.test(path),
    });
    for (const danger of dangers) shell.note("inline-danger", danger);
    for (const command of MAKEFILE.test(path) ? recipesOf(text) : commands)
      shell.inSubshell(() =>
        shell.under({ wrappers: [...shell.how.wrappers, program] }, () =>
          shell.runText(field(command, taint), stream(""), path),
        ),
      );
  }
}

/** The lines that make and just pass to a shell. */
function recipesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => /^(\t| {2,})\S/.test(line))
    .map((line) => line.trim().replace(/^[@+-]+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
}
