import { type Field, field } from "../../language/state/values.ts";

/** The paths and addresses that a word contains. */
export interface Places {
  readonly paths: readonly Field[];
  readonly addresses: readonly string[];
}

/** `--out=/tmp/a b`, `-o/home/me/a b`, `~/a b`. */
const BEGINS_AS_PATH =
  /^(?:-{1,2}[\w-]+=?)?(?:~\/|\.\.\/|\/(?:tmp|home|Users|root|etc|var|usr|opt|mnt|srv|dev|proc|sys)\/)/;

const SEPARATORS = new Set("=,;:@");

/**
 * Finds paths and addresses anywhere in a word, for words whose meaning no table knows: `-o/x`, `-Xlog:gc:file=/x`,
 * `--opt=a,/b`, `@list`, `-p:Name=../x`, `https://host/x`.
 */
export function placesIn({ text, taint }: Field): Places {
  const paths: Field[] = [];
  const addresses: string[] = [];
  // A text with spaces is a sentence or code, unless it begins like a path of the machine.
  if (/\s/.test(text) && !BEGINS_AS_PATH.test(text)) return { paths, addresses };
  // A part that is repeated names the same place.
  for (const [at, part] of [...new Set(split(text))].entries()) {
    const file = afterScheme(part, "file");
    if (file !== null) paths.push(field(file, taint));
    else if (isAddress(part)) addresses.push(part);
    else {
      const path = at === 0 && part.startsWith("-") ? gluedTo(part) : part;
      if (path !== "" && /[/.~]/.test(path)) paths.push(field(path, taint));
    }
  }
  return { paths, addresses };
}

/** The parts between separators. An address is one part, with everything that follows it. */
function split(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!SEPARATORS.has(text.charAt(at))) continue;
    if (text.startsWith("://", at)) break;
    if (at > start) parts.push(text.slice(start, at));
    start = at + 1;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}

/** `-o/x`, `-ox.txt`: the part after the letter. The name of a long option is not a path. */
function gluedTo(option: string): string {
  if (!option.startsWith("--")) return option.slice(2);
  const slash = option.indexOf("/");
  return slash < 0 ? "" : option.slice(slash);
}

function isAddress(part: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(part);
}

function afterScheme(part: string, scheme: string): string | null {
  return part.toLowerCase().startsWith(`${scheme}://`) ? part.slice(scheme.length + 3) : null;
}

/** Whether a path leads outside the folder in which it is used. */
export function leavesFolder({ text }: Field): boolean {
  return text.startsWith("/") || text.startsWith("~") || text === ".." || /(?:^|\/)\.\.(?:\/|$)/.test(text);
}
