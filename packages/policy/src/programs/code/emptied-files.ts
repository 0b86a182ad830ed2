import { type CodeParts, type LookLanguage, STRING, stringAt } from "./code-text.ts";

/** Whether code leaves a file empty: `open("a", "w").close()`, `fs.writeFileSync("a", "")`. */
export function emptiesFiles(language: LookLanguage, parts: CodeParts): boolean {
  if (language === "python") return emptiesInPython(parts);
  return language === "javascript" && emptiesInJavascript(parts);
}

function emptiesInJavascript(parts: CodeParts): boolean {
  const { bare } = parts;
  const isWritten = [...bare.matchAll(/\bwriteFile(?:Sync)?\s*\(\s*"",\s*(?="")/g)].some(
    (match) => stringAt(parts, match.index + match[0].length) === "",
  );
  if (isWritten) return true;
  const isOpened = [...bare.matchAll(/\bopen(?:Sync)?\s*\(\s*"",\s*(?="")/g)].some((match) =>
    /^w/.test(stringAt(parts, match.index + match[0].length)),
  );
  return (isOpened || /\bcreateWriteStream\s*\(/.test(bare)) && !/write(?!Stream)|\bend\s*\(|pipe|append/i.test(bare);
}

function emptiesInPython(parts: CodeParts): boolean {
  const { bare } = parts;
  const isCopied = [...bare.matchAll(/\bcopy\w*\s*\(\s*(?="")/g)].some(
    (match) => stringAt(parts, match.index + match[0].length) === "/dev/null",
  );
  if (isCopied) return true;
  // It opens a file for writing without writing anything.
  const isOpened = [...bare.matchAll(/\bopen\s*\(\s*"",\s*(?:mode\s*=\s*)?(?="")/g)].some((match) =>
    /^[bt]*w/.test(stringAt(parts, match.index + match[0].length)),
  );
  if (isOpened && !/write|dump|print|save|copy|to_/.test(bare)) return true;
  for (const match of bare.matchAll(/\bopen\s*\([^()]*(""\s*)\)\s*\.\s*close\b/g)) {
    const mode = stringAt(parts, match.index + match[0].lastIndexOf(STRING));
    if (/^[rbt]*w/.test(mode)) return true;
  }
  return [...bare.matchAll(/\.write_(?:text|bytes)\s*\(\s*b?""\s*\)/g)].some(
    (match) => stringAt(parts, match.index + match[0].indexOf(STRING)) === "",
  );
}
