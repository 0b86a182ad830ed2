import { forEachChild, type SyntaxNode } from "unbash";

/**
 * Finds substitutions that the parser missed: it reads `A=(x $(rm y))z` as one plain word, but bash runs the `rm`.
 *
 * Every `$(`, backtick, `${`, `<(` and `>(` must be the start of a node, or stand where it is only text. Returns the
 * position of the first one that is neither, or -1.
 */
export function findUncovered(text: string, root: SyntaxNode): number {
  const openings = [...text.matchAll(/\$\(|`|\$\{|[<>]\(/g)].map((match) => match.index);
  if (openings.length === 0) return -1;

  const starts = new Set<number>();
  const marks = new Uint8Array(text.length);
  const mark = (node: { pos: number; end: number }, bit: number) => {
    for (let at = node.pos; at < node.end; at += 1) marks[at] = (marks[at] ?? 0) | bit;
  };
  const visit = (node: SyntaxNode) => {
    switch (node.type) {
      case "CommandExpansion":
      case "ArithmeticCommandExpansion":
        if (!isClosed(text, node)) break;
        starts.add(node.pos);
        if (text[node.pos] === "`") starts.add(node.end - 1);
        // Escaped backticks were decoded into a separate source, which is checked there.
        if (node.script?.source !== undefined) {
          mark(node, LITERAL);
          return;
        }
        break;
      case "ParameterExpansion":
      case "ArithmeticExpansion":
      case "ProcessSubstitution":
        if (isClosed(text, node)) starts.add(node.pos);
        break;
      case "SingleQuoted":
      case "AnsiCQuoted":
        mark(node, LITERAL);
        break;
      case "DoubleQuoted":
        mark(node, NO_PROCESS);
        break;
      case "HereDoc":
        if (node.delimiter?.quoted) mark(node.body, LITERAL);
        break;
      case "Word":
        mark(node, LEAF);
        if (node.parts === undefined && /^'[^']*'$|^\$?"[^$`]*"$/.test(node.text)) mark(node, LITERAL);
        break;
      case "ArithmeticCommand":
        mark(node, LEAF | NO_PROCESS);
        break;
      case "Assignment":
      case "ArithmeticWord":
        mark(node, LEAF);
        break;
      case "HereDocBody":
        mark(node, LEAF | NO_PROCESS);
    }
    forEachChild(node, visit);
  };
  visit(root);

  const isText = (at: number) => {
    const bits = marks[at] ?? 0;
    const isProcess = text[at] === "<" || text[at] === ">";
    return (
      (bits & LEAF) === 0 || (bits & LITERAL) !== 0 || (isProcess && (bits & NO_PROCESS) !== 0) || isEscaped(text, at)
    );
  };
  return openings.find((at) => !starts.has(at) && !isText(at)) ?? -1;
}

/** Node types that are words. Outside words there are only comments and operators. */
const LEAF = 1;
/** Quotes in which nothing is special. */
const LITERAL = 2;
/** Where `<(` and `>(` are only text: double quotes, arithmetic, here-documents. */
const NO_PROCESS = 4;

/** The parser cuts `${x/$(/bin/cmd)/}` at the first slash, so the substitution that it finds has no end. */
function isClosed(text: string, { pos, end }: { pos: number; end: number }): boolean {
  const opening = text.slice(pos, pos + 2);
  const last = text[end - 1] ?? "";
  if (opening.startsWith("`")) return end > pos + 1 && last === "`";
  if (opening === "${") return last === "}";
  return opening === "$[" ? last === "]" : !opening.endsWith("(") || last === ")";
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

/** Every command and substitution below a node, which is everything that a shell could run. */
export function forEachRunning(root: SyntaxNode, found: (node: SyntaxNode) => void): void {
  const visit = (node: SyntaxNode) => {
    if (node.type === "Command" || node.type === "CommandExpansion" || node.type === "ProcessSubstitution") found(node);
    forEachChild(node, visit);
  };
  visit(root);
}
