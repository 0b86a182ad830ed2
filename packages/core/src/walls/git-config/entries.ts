/** One setting of a git configuration file: `section.subsection.name`, case-insensitive parts in lower case. */
export interface ConfigEntry {
  key: string;
  value: string;
  /** Its line in the file, from 0. */
  line: number;
}

const SECTION = /^\[([A-Za-z0-9-]+)(?:[ \t]+"((?:[^"\\\n]|\\["\\])*)")?\][ \t]*(?:[#;].*)?$/;
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*(.*))?$/;

/**
 * Parses a file in the form that git itself writes. Null if anything is unusual: a setting on the line of its section
 * header, a continued line, a control character. Git accepts more, but what is not understood here is not trusted.
 */
export function parseGitConfig(text: string): ConfigEntry[] | null {
  const entries: ConfigEntry[] = [];
  let section: string | null = null;
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) return null;
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const header = SECTION.exec(line);
    if (header) {
      const [, name = "", sub] = header;
      section = name.toLowerCase() + (sub === undefined ? "" : `.${sub.replaceAll(/\\(["\\])/g, "$1")}`);
      continue;
    }
    const setting = SETTING.exec(line);
    const value = setting && readValue(setting[2]);
    if (section === null || !setting || value === null) return null;
    entries.push({ key: `${section}.${setting[1]?.toLowerCase()}`, value, line: at });
  }
  return entries;
}

/** The same file without these lines, and without sections that are now empty and were not there before. */
export function withoutLines(text: string, lines: ReadonlySet<number>, before: string): string {
  const known = new Set(before.split("\n"));
  const left = text.split("\n").filter((_, at) => !lines.has(at));
  const isHeader = (line: string) => SECTION.test(line.trim());
  const endsAt = left.findLastIndex((line) => line.trim() !== "");
  // Only directly before the next section or the end: what follows an empty line would belong to another section then.
  const isEmptySection = (line: string, at: number) =>
    isHeader(line) && !known.has(line) && (at === endsAt || isHeader(left[at + 1] ?? ""));
  return left.filter((line, at) => !isEmptySection(line, at)).join("\n");
}

/** Removes quotes, escapes and a comment; null if the value continues on the next line or is malformed. */
function readValue(text = "true"): string | null {
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else if (char !== "\\") value += char;
    else {
      const escaped = ESCAPES[text[++at] ?? ""];
      if (escaped === undefined) return null;
      value += escaped;
    }
  }
  return isQuoted ? null : value.trim();
}

const ESCAPES: Record<string, string> = { '"': '"', "\\": "\\", n: "\n", t: "\t", b: "\b" };
