import { forEachChild, type SyntaxNode } from "unbash";

/**
 * Finds where an interactive bash would insert an earlier command: `!!`, `!rm`, `!?x?`, `^a^b`. Returns the position of
 * the first one, or -1. Single quotes, here-documents and a backslash prevent it, and so do contexts where `!` means
 * something else.
 */
export function findHistoryExpansion(text: string, root: SyntaxNode | null): number {
  if (!text.includes("!") && !text.startsWith("^")) return -1;
  if (/^\^[^^\n]+\^/.test(text)) return 0;

  const protectedRanges = root === null ? [] : hereDocRanges(root);
  let inDouble = false;
  for (let at = 0; at < text.length; at += 1) {
    const skip = protectedRanges.find(([start, end]) => at >= start && at < end);
    if (skip) {
      at = skip[1] - 1;
      continue;
    }
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === '"') inDouble = !inDouble;
    else if (char === "'" && !inDouble) {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return -1;
      at = end;
    } else if (char === "#" && !inDouble && /(^|\s)$/.test(text.slice(0, at))) {
      const end = text.indexOf("\n", at);
      if (end < 0) return -1;
      at = end;
    } else if (char === "!" && isExpansion(text, at, inDouble)) return at;
  }
  return -1;
}

function isExpansion(text: string, at: number, inDouble: boolean): boolean {
  const next = text[at + 1];
  if (next === undefined || /[\s=(|&;<>)]/.test(next) || (inDouble && next === '"')) return false;
  const before = text[at - 1];
  if (before === "$" || before === "[") return false;
  // `"(?!x)y"`, `"(?<!x)y"`: a pattern. Agents' shells start with history expansion off, and turning it on asks.
  const isPattern = text.startsWith("(?", at - 2) || text.startsWith("(?<", at - 3);
  if (inDouble && next !== "!" && isPattern) return false;
  return !(before === "{" && text[at - 2] === "$");
}

function hereDocRanges(root: SyntaxNode): [number, number][] {
  const ranges: [number, number][] = [];
  const visit = (node: SyntaxNode) => {
    if (node.type === "HereDoc") ranges.push([node.body.pos, node.body.end]);
    else forEachChild(node, visit);
  };
  visit(root);
  return ranges;
}
