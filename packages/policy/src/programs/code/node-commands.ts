import { quoteWord } from "@belay/protocol";
import { type CodeParts, STRING, stringAt } from "./code-text.ts";

export const CHILD_PROCESS = /^(?:node:)?child_process$/;

const STARTS = /\b(?:execSync|execFileSync|spawnSync)\s*\(\s*/g;
/** One string, or a program with a list of words. Only options that do not affect what runs may follow. */
const PLAIN_START =
  /^""(?:\s*,\s*\[\s*((?:""\s*,?\s*)*)\])?(?:\s*,\s*\{(?:\s*(?:encoding|stdio|cwd|timeout|maxBuffer|input)\s*:\s*(?:""|\d[\d_]*|\[[^\]]*\])\s*,?)*\s*\})?\s*\)/;

/**
 * The commands that JavaScript starts, if all of them are literals, and the code without those calls. Null if there are
 * none, or if one is not a literal.
 */
export function startedByNode(
  parts: CodeParts,
): { readonly commands: readonly string[]; readonly bare: string } | null {
  const { bare } = parts;
  const commands: string[] = [];
  const cuts: [number, number][] = [];
  for (const match of bare.matchAll(STARTS)) {
    const from = match.index + match[0].length;
    const plain = PLAIN_START.exec(bare.slice(from, from + 2_000));
    // A template with an interpolation is not a literal.
    if (plain === null || /\b(?:cwd|input)\b/.test(plain[0])) return null;
    const count = plain[1] === undefined ? 1 : 1 + plain[1].split(STRING).length - 1;
    const words: string[] = [];
    let at = from;
    for (let index = 0; index < count; index += 1) {
      words.push(stringAt(parts, bare.indexOf(STRING, at)));
      at = bare.indexOf(STRING, at) + STRING.length;
    }
    if (words.some((word) => word.includes("${"))) return null;
    commands.push(match[0].startsWith("execSync") ? (words[0] ?? "") : words.map(quoteWord).join(" "));
    cuts.push([match.index, from + plain[0].length]);
  }
  if (commands.length === 0) return null;
  let rest = "";
  let last = 0;
  // Each string keeps its index, so that the others can still be found.
  for (const [start, end] of cuts) {
    rest += bare.slice(last, start) + STRING.repeat(bare.slice(start, end).split(STRING).length - 1);
    last = end;
  }
  const left = (rest + bare.slice(last)).replace(
    /\b(?:const|let|var|import)\s*\{[^}]*\}\s*(?:=\s*(?:await\s+)?(?:require|import)\s*\(\s*""\s*\)|from\s*"")/g,
    '""',
  );
  return { commands, bare: left };
}
