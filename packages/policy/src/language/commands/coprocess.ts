import type { CommandNode } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { HOLE, scalar } from "../state/values.ts";
import { setVariable } from "../state/variables.ts";

/** A coprocess sets an array with its two file descriptors, and a variable with its process id. */
export function setCoprocess(shell: Shell, node: Extract<CommandNode, { type: "Coproc" }>): void {
  const name = node.name === undefined ? "COPROC" : shell.expandToOne(node.name).text;
  setVariable(shell, name, { items: [HOLE, HOLE], isArray: true, taint: 0 });
  setVariable(shell, `${name}_PID`, scalar(HOLE));
}
