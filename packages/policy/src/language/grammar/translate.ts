import { field, type Stream } from "../state/values.ts";
import type { Shell } from "./shell.ts";

/**
 * Rewrites zsh and fish syntax as bash would write it. The result is judged in addition to the text itself, so a wrong
 * translation can only make the verdict stricter. A person is asked about such text anyway.
 */
export function readTranslated(shell: Shell, text: string, stdin: Stream): void {
  const translated = shell.state.dialect === "zsh" ? fromZsh(text) : fromFish(text);
  if (translated === text) return;
  shell.inSubshell(() => {
    const label = shell.state.dialect;
    shell.state.dialect = "bash";
    return shell.runText(field(translated), stdin, label);
  });
}

/** Longer text is not translated. Its note asks. */
const MAX_TRANSLATED = 1_024;

function fromZsh(text: string): string {
  if (text.length > MAX_TRANSLATED) return text;
  return outsideQuotes(text, (part) =>
    part
      // `$~x`, `${~x}`, `${(e)x}`: the value, with its wildcards or words active
      .replace(/\$([~=^+]{1,2})(?=[A-Za-z_{])/g, "$")
      .replace(/\$\{(?:\([^)]*\)|[~=^+]{1,2})+/g, "${")
      // `=rm`, `for x (~) rm $x`, `if true { rm x }`, `{rm x}`
      .replace(/(^|[\s;|&(])=(?=[A-Za-z_])/g, "$1")
      .replace(/\b(?:for|foreach)\s+([A-Za-z_]\w*)\s+\(([^\s()]*)[^()]*\)/g, "$1=$2;")
      .replace(/(^|[\s;|&)])\{|(?<!\w)\}(?=[\s;|&]|$)|\}$/g, "$1\n")
      .replace(/(^|[;\n])\s*(?:if|elif|while|until|repeat)\s+(?=\S+\s*\n)/g, "$1")
      // `^x`, `*~x`, `*(.)`: all files except these, or only some of the files
      .replace(/(^|[\s/])\^[^\s/;|&]*/g, "$1*")
      .replace(/\*~[^\s/;|&]*/g, "*")
      .replace(/(?<=[*?\w/])\((?:#q)?[^\s()]*\)(?=[\s;|&]|$)/g, ""),
  );
}

function fromFish(text: string): string {
  if (text.length > MAX_TRANSLATED) return text;
  return outsideQuotes(text, (part) =>
    part
      .replace(/(?<!\$)\(/g, "$(")
      .replace(/\{(\$\w+)\}/g, "$1")
      .replace(/\bfor\s+([A-Za-z_]\w*)\s+in\s+([^\s;\n]+)[^;\n]*[;\n]/g, "$1=$2;")
      .replace(/(^|[;\n])\s*end\b/g, "$1"),
  )
    .replace(/\balias\s+([\w-]+)[\s=]+'([^']*)'/g, "$1() { $2; }")
    .replace(/(^|[;\n|])\s*set\s+(?:-\w+\s+)*([A-Za-z_]\w*)\s+([^;\n|]*)/g, "$1 $2=$3 ")
    .replace(/\bstring\s+(?:join\d?|collect|unescape|trim)\s+(?:(?:''|""|' '|" "|-\w+)\s+)?(?:--\s+)?/g, "echo ")
    .replace(/\|\s*(?:source|\.)(?=\s*(?:-\s*)?(?:[;\n]|$))/g, "| bash")
    .replace(/[;\n]\s*and\s+/g, " && ")
    .replace(/[;\n]\s*or\s+/g, " || ");
}

/** Applies a change to the parts of a text that are not in single or double quotes. */
function outsideQuotes(text: string, change: (part: string) => string): string {
  return text.replace(/('[^']*'|"(?:[^"\\]|\\.)*")|([^'"]+)/g, (_whole, quoted: string | undefined, part: string) =>
    quoted === undefined ? change(part) : quoted,
  );
}
