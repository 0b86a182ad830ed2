/** A regular expression in the source of a module. */
interface Expression {
  readonly source: string;
  /** It only cuts a text in parts, or rewrites it: `text.split(/\s+/)`. */
  readonly isArgument: boolean;
}

/** Expressions that can match in the middle of a text. Those that `split` and `replace` are given directly decide nothing. */
export function unanchoredIn(code: string): string[] {
  return expressionsIn(code)
    .filter(({ source, isArgument }) => !isArgument && !isAnchored(source))
    .map(({ source }) => source);
}

/** Each alternative begins at the start of the text, or of a part of it. */
function isAnchored(source: string): boolean {
  return alternativesOf(source).every((one) => /^(?:\^|\((?:\?:|\?<=)?\^\|)/.test(one));
}

function alternativesOf(source: string): string[] {
  const found = [""];
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === "\\") {
      found[found.length - 1] += char + source.charAt(at + 1);
      at += 1;
      continue;
    }
    if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "(" && !inClass) depth += 1;
    else if (char === ")" && !inClass) depth -= 1;
    if (char === "|" && depth === 0 && !inClass) found.push("");
    else found[found.length - 1] += char;
  }
  return found;
}

/** Goes through TypeScript token by token, as far as it takes to tell an expression from a division or a comment. */
function expressionsIn(code: string): Expression[] {
  const found: Expression[] = [];
  const braces: ("{" | "`")[] = [];
  let before = "";
  for (let at = 0; at < code.length; ) {
    const char = code.charAt(at);
    const next = code.charAt(at + 1);
    if (/\s/.test(char)) at += 1;
    else if (char === "/" && next === "/") at = endOf(code, "\n", at);
    else if (char === "/" && next === "*") at = endOf(code, "*/", at) + 2;
    else if (char === '"' || char === "'") {
      at = closing(code, at + 1, (one) => one === char) + 1;
      before = '"';
    } else if (char === "`" || (char === "}" && braces.at(-1) === "`")) {
      if (char === "}") braces.pop();
      const end = closing(code, at + 1, (one, place) => one === "`" || code.startsWith("${", place));
      const isOpen = code.charAt(end) !== "`";
      if (isOpen) braces.push("`");
      at = end + (isOpen ? 2 : 1);
      before = isOpen ? "{" : '"';
    } else if (char === "/" && (!/[\w)\]"}$]/.test(before) || /\b(?:return|case)\s*$/.test(code.slice(at - 10, at)))) {
      let inClass = false;
      const end = closing(code, at + 1, (one) => {
        if (one === "[") inClass = true;
        else if (one === "]") inClass = false;
        return one === "/" && !inClass;
      });
      const isArgument = /\.(?:split|replace|replaceAll)\(\s*$/.test(code.slice(Math.max(0, at - 40), at));
      found.push({ source: code.slice(at + 1, end), isArgument });
      at = end + 1;
      while (/[a-z]/.test(code.charAt(at))) at += 1;
      before = '"';
    } else {
      if (char === "{") braces.push("{");
      if (char === "}") braces.pop();
      before = char;
      at += 1;
    }
  }
  return found;
}

function endOf(code: string, mark: string, from: number): number {
  const end = code.indexOf(mark, from);
  return end < 0 ? code.length : end;
}

function closing(code: string, from: number, isEnd: (char: string, at: number) => boolean): number {
  let at = from;
  while (at < code.length && !isEnd(code.charAt(at), at)) at += code.charAt(at) === "\\" ? 2 : 1;
  return at;
}
