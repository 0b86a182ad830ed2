/** The analysed languages. Code in any other needs a person. */
export type LookLanguage =
  | "python"
  | "javascript"
  | "perl"
  | "ruby"
  | "php"
  | "lua"
  | "octave"
  | "r"
  | "julia"
  | "elixir";

/** The placeholder for a string in `bare`. */
export const STRING = '""';

export interface CodeParts {
  /** The code without comments, with an empty string for each string. Interpolated code follows its string. */
  readonly bare: string;
  /** The strings, in their order in `bare`. */
  readonly strings: readonly string[];
}

/** Separates code from strings and comments. Null if that cannot be done reliably. */
export function separate(language: LookLanguage, code: string): CodeParts | null {
  const strings: string[] = [];
  const hasHash = language !== "javascript" && language !== "lua" && language !== "php";
  let bare = "";
  let at = 0;
  /** Interpolated code has its own strings. */
  const addInner = (inner: readonly string[]): boolean =>
    inner.every((text) => {
      const parts = separate(language, text);
      if (parts === null) return false;
      strings.push(...parts.strings);
      bare += ` ${parts.bare} `;
      return true;
    });
  while (at < code.length) {
    const char = code[at] ?? "";
    const triple = language === "python" ? code.slice(at, at + 3) : "";
    if (hasHash && char === "#" && (language !== "perl" || /\s|^$/.test(code[at - 1] ?? ""))) {
      at = endOf(code, "\n", at);
    } else if (language === "javascript" && code.startsWith("//", at) && code[at - 1] !== ":") {
      at = endOf(code, "\n", at);
    } else if (triple === '"""' || triple === "'''") {
      const end = code.indexOf(triple, at + 3);
      if (end < 0) return null;
      const text = code.slice(at + 3, end);
      strings.push(undoEscapes(language, text, bare));
      at = end + 3;
      bare += STRING;
      if (!addInner(interpolations(language, text, '"', code[at - text.length - 7] ?? ""))) return null;
    } else if (char === '"' || char === "'" || (char === "`" && language === "javascript")) {
      const end = closing(code, at + 1, char);
      if (end < 0) {
        // For example an apostrophe in a Perl regular expression. The whole text then counts as code.
        bare += char;
        at += 1;
        continue;
      }
      const text = code.slice(at + 1, end);
      strings.push(undoEscapes(language, text, bare));
      bare += STRING;
      if (!addInner(interpolations(language, text, char, code[at - 1] ?? ""))) return null;
      at = end + 1;
    } else {
      bare += char;
      at += 1;
    }
  }
  return { bare, strings };
}

const ESCAPES =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|([0-7]{1,3})|(["'\\/`]))/g;

/** Decodes escapes, which can spell anything; in a raw Python string they are only text. */
function undoEscapes(language: LookLanguage, text: string, before: string): string {
  if (!text.includes("\\") || (language !== "python" && language !== "javascript")) return text;
  if (language === "python" && /(?<![\w])[a-zA-Z]?[rR][a-zA-Z]?$/.test(before)) return text;
  return text.replace(ESCAPES, (_whole, hex, four, braced, eight, octal, plain) => {
    if (plain !== undefined) return plain;
    const code = octal === undefined ? Number.parseInt(hex ?? four ?? braced ?? eight, 16) : Number.parseInt(octal, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** Code inside a string: `${…}`, `#{…}`, `{…}` of an f-string, `@{[…]}`. */
function interpolations(language: LookLanguage, text: string, quote: string, before: string): string[] {
  if (language === "javascript")
    return quote === "`" ? [...text.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1] ?? "") : [];
  if ((language === "ruby" || language === "elixir") && quote === '"')
    return [...text.matchAll(/#\{([^}]*)\}/g)].map((match) => match[1] ?? "");
  if (language === "python" && /[fF]/.test(before))
    return [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
  if ((language === "perl" || language === "php" || language === "julia") && quote === '"')
    return /[@$]\{|\$\(/.test(text) ? [text] : [];
  return [];
}

function closing(code: string, from: number, quote: string): number {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code[at] === quote) return at;
    else if (code[at] === "\n" && quote !== "`") return -1;
  }
  return -1;
}

function endOf(code: string, mark: string, from: number): number {
  const end = code.indexOf(mark, from);
  return end < 0 ? code.length : end;
}

/** The code without modules that are imported under their own name. Unless they are used, they start nothing. */
export function withoutPlainImports(code: string): string {
  return code.replace(/(?<=^|[\n;])[ \t]*import[ \t][\w., \t]+(?=\n|;|$)/g, (line) =>
    /\sas\s/.test(line) ? line : "",
  );
}

/** Every string, and adjacent strings joined: `'.e' + 'nv'`, in Perl and PHP `'.e' . 'nv'`. */
export function wholeStrings({ bare, strings }: CodeParts): string[] {
  const found = [...strings];
  let index = 0;
  for (const [run] of bare.matchAll(/""(?:\s*[+.]?\s*"")*/g)) {
    const count = run.length === 2 ? 1 : run.split(STRING).length - 1;
    if (count > 1) found.push(strings.slice(index, index + count).join(""));
    index += count;
  }
  return found;
}

/** Which of the strings is at a position of `bare`. */
export function stringAt({ bare, strings }: CodeParts, at: number): string {
  let index = 0;
  for (let place = bare.indexOf(STRING); place >= 0 && place < at; place = bare.indexOf(STRING, place + 2)) index += 1;
  return strings[index] ?? "";
}

/**
 * Removes the texts in calls that only ask whether something exists: `os.path.exists(".env")`, `fs.existsSync(".env")`,
 * `bool(os.getenv("API_KEY"))`, `"set" if os.environ.get("API_KEY") else "missing"`.
 */
export function withoutQueries({ bare, strings }: CodeParts): CodeParts {
  const kept = [...strings];
  if (REDEFINES.test(bare)) return { bare, strings };
  let index = 0;
  let seen = 0;
  for (const match of bare.matchAll(SEPARATES)) {
    const at = match.index + match[0].length - STRING.length;
    for (let place = bare.indexOf(STRING, seen); place >= 0 && place < at; place = bare.indexOf(STRING, place + 2))
      index += 1;
    seen = at;
    if (/^[./]+$/.test(strings[index] ?? "")) kept[index] = "";
  }
  for (const match of bare.matchAll(QUERY)) {
    const before = bare.slice(0, match.index + match[0].indexOf(STRING));
    kept[before.split(STRING).length - 1] = "";
  }
  return { bare, strings: kept };
}

/** Gives one of these names to something else. */
const REDEFINES =
  /\b(?:exists|lexists|isfile|isdir|islink|getsize|getmtime|existsSync|is_file|is_dir|bool|Path)\s*(?:=(?!=)|:(?!:))|\b(?:as|def|class|lambda|function|for|setattr)\s+(?:bool|Path|existsSync|exists)\b|:\s*existsSync\b|\bsetattr\b/;

/** `path.strip("/")`, `name.split("/")`: the text separates names, and is none itself. */
const SEPARATES =
  /\.\s*(?:l?strip|rstrip|r?split|replace(?:All)?|startsWith|endsWith|startswith|endswith|r?partition|count|r?find|indexOf|lastIndexOf)\s*\(\s*""/g;

const QUERY =
  /\b(?:os\s*\.\s*path\s*\.\s*(?:exists|lexists|isfile|isdir|islink|getsize|getmtime)|\.?existsSync)\s*\(\s*""\s*\)|\bPath\s*\(\s*""\s*\)\s*\.\s*(?:exists|is_file|is_dir)\s*\(\s*\)|\bbool\s*\(\s*os\s*\.\s*(?:environ\s*\.\s*get|getenv)\s*\(\s*""\s*\)\s*\)|(?<=""\s{0,5})\bif\s+os\s*\.\s*(?:environ\s*\.\s*get|getenv)\s*\(\s*""\s*\)\s+else\s+""/g;

export function looksLikePath(text: string): boolean {
  return (
    /^(?:\/|~|\.{1,2}\/)|^[\w.-]+(?:\/[\w.*-]+)+$|^\.?[\w-]+\.[A-Za-z0-9]{1,10}$|^\.[\w-]+$/.test(text) &&
    !/\s/.test(text)
  );
}

const LOCAL_URL = /^(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?:[:/?#]|$)[\w:/?#=&.,%+~-]*$/i;

/**
 * The requests of code whose addresses are all this machine; null if it may connect elsewhere. Which call has which
 * address is not known, so each counts as the gravest method that the code names.
 */
export function localRequests(strings: readonly string[], bare: string): string[] | null {
  const urls = strings.filter((text) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text));
  if (urls.length === 0 || !urls.every((url) => LOCAL_URL.test(url))) return null;
  const methods = [
    ...strings.filter((text) => /^[A-Z]{3,7}$/i.test(text)),
    ...(bare.match(/\b(?:delete|put|patch|post)\b/gi) ?? []),
  ];
  const method = ["DELETE", "PUT", "PATCH", "POST"].find((one) => methods.some((text) => text.toUpperCase() === one));
  return urls.map((url) => `curl -s -X ${method ?? "GET"} '${url.replace(/^ws/i, "http")}'`);
}
