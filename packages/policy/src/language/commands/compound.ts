import type { AndOr, CommandNode, PipelineNode } from "unbash";
import { parseText } from "../grammar/parse.ts";

/** The parts of a compound command, split where a shell splits: `&&`, `||`, `;`, `|`, `&` and line breaks (C3). */
export function parseCompoundCommand(text: string): string[] {
  const { script, syntax } = parseText(text);
  if (script === null || syntax !== "complete") return [text];
  return script.commands
    .flatMap((statement) => splitNode(statement.command))
    .map((node) => text.slice(node.pos, node.end).trim());
}

function splitNode(node: PipelineNode | AndOr): CommandNode[] {
  switch (node.type) {
    case "AndOr":
      return node.commands.flatMap(splitNode);
    case "Pipeline":
      return [...node.commands];
    default:
      return [node];
  }
}
