import type { FileEffect } from "../../language/commands/invocation.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { type Field, field, isKnown, stream, TAINT } from "../../language/state/values.ts";
import { baseName, isInside, resolvePath } from "../../language/words/paths.ts";
import { programNamed } from "../catalog/index.ts";
import { commandWords } from "./command-words.ts";
import { write } from "./effect-parts.ts";
import { readUse } from "./read-use.ts";

/** Verbs that copy a repository: where its address is, and the folder if that is not the name of the repository. */
const CLONES: Readonly<Record<string, readonly string[]>> = {
  git: ["clone"],
  gh: ["repo clone", "gist clone"],
  glab: ["repo clone"],
  hg: ["clone"],
  svn: ["checkout", "co", "export"],
  jj: ["git clone"],
};

/** The folder of a new clone. Within the same command, its contents count as coming from the network. */
export function clonedFolder(shell: Shell, program: string, args: readonly Field[]): FileEffect[] {
  const verbs = CLONES[program];
  const known = programNamed(program);
  if (verbs === undefined || known === undefined) return [];
  const words = commandWords(program, args);
  const found = verbs.find((one) => one.split(" ").every((word, at) => words[at] === word));
  if (found === undefined) return [];
  const [address, given] = words.slice(found.split(" ").length);
  if (address === undefined || isOfProject(shell, address)) return [];
  const target = given ?? baseName(address).replace(/\.git$/, "");
  const folder = readUse(known, program, args).options.findLast(({ name, isGlobal }) => name === "-C" && isGlobal)
    ?.value?.text;
  const path = folder === undefined || target.startsWith("/") ? target : `${folder}/${target}`;
  return target === "" ? [] : [write(field(`${path}/`), stream(null, TAINT.network))];
}

/** `git clone . /tmp/copy`: the project's own code. */
function isOfProject({ state, context }: Shell, address: string): boolean {
  const path = /^(?:\/|\.\.?(?:\/|$))/.test(address) && isKnown(address) ? resolvePath(address, state.cwd) : null;
  return path !== null && isInside(path, context.workspace);
}
