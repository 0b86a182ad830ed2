import { type Field, isKnown } from "../language/state/values.ts";
import { baseName } from "../language/words/paths.ts";
import { programNamed } from "./catalog/index.ts";

/** The program that a path names. One name stands for two programs, which only their words tell apart. */
export function programCalled(path: string, args: readonly Field[]): string {
  const written = baseName(path);
  // A program of Windows, which its subsystem for Linux starts as well.
  const plain = written.replace(/\.exe$/i, "");
  const name = plain !== written && programNamed(plain) !== undefined ? plain : written;
  return name === "sg" && isSearch(args) ? "ast-grep" : name;
}

const SEARCH_VERBS: ReadonlySet<string> = new Set("run scan test new lsp completions help".split(" "));

/**
 * `sg run -p 'f($A)'` searches code, and `sg docker -c 'ls'` runs a command with the rights of a group. A group may be
 * called `run`, so the words after it must not be a command for it either.
 */
function isSearch([first, second, ...rest]: readonly Field[]): boolean {
  const words = [first, second, ...rest];
  // Its own option of that name takes a file with settings.
  const runsCommand = words.some(
    (word, at) => /^(?:-c|--command)/.test(word?.text ?? "") && !isSettings(words[at + 1]),
  );
  if (first === undefined || runsCommand) return false;
  if (/^--?[a-zA-Z]/.test(first.text)) return isKnown(first.text);
  if (!SEARCH_VERBS.has(first.text)) return false;
  if (second === undefined) return true;
  return isKnown(second.text) && /^[\w./-]+$/.test(second.text) && programNamed(baseName(second.text)) === undefined;
}

function isSettings(word: Field | undefined): boolean {
  return /^[\w./-]+\.ya?ml$/.test(word?.text ?? "");
}
