import type { ArithmeticExpression } from "unbash";
import type { Shell } from "./shell.ts";
import { field, HOLE, has, NO_INPUT, TAINT } from "./values.ts";

/**
 * Arithmetic looks harmless and is not: bash evaluates the subscript of `a[$(cmd)]`, also when that text
 * is only the value of a variable. The numbers do not matter here; what is run on the way does.
 */
export function evaluateArithmetic(shell: Shell, expression: ArithmeticExpression | undefined, text: string): string {
  if (expression === undefined) {
    evaluateArithmeticText(shell, text.replace(/^\$\(\(|\)\)$/g, ""));
    return HOLE;
  }
  visit(shell, expression);
  const inner = text.replace(/^\$\(\(\s*|\s*\)\)$/g, "");
  return /^\d+$/.test(inner) ? inner : HOLE;
}

function visit(shell: Shell, node: ArithmeticExpression): void {
  switch (node.type) {
    case "ArithmeticBinary":
      visit(shell, node.left);
      visit(shell, node.right);
      return;
    case "ArithmeticUnary":
      visit(shell, node.operand);
      return;
    case "ArithmeticTernary":
      visit(shell, node.test);
      visit(shell, node.consequent);
      visit(shell, node.alternate);
      return;
    case "ArithmeticGroup":
      visit(shell, node.expression);
      return;
    case "ArithmeticCommandExpansion":
      if (node.script) {
        const { script } = node;
        shell.inSubshell(() => shell.runScript(script, NO_INPUT));
      } else evaluateArithmeticText(shell, node.text);
      return;
    case "ArithmeticWord":
      evaluateArithmeticText(shell, node.value);
  }
}

const MAX_DEPTH = 8;

/** Runs the substitutions in a text that bash evaluates as a number, and in the variables it names. */
export function evaluateArithmeticText(shell: Shell, text: string, depth = 0): void {
  if (depth > MAX_DEPTH || !shell.spend()) return;
  if (/\$|`/.test(text)) shell.runText(field(`: "${text.replaceAll('"', "")}"`), NO_INPUT, "arithmetic");
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) {
    const value = shell.state.variables.get(name);
    if (value === undefined) continue;
    const held = value.items.join(" ");
    if (held.includes(HOLE) && has(value.taint, TAINT.data)) {
      shell.note("arithmetic-on-data", name, value.taint);
    } else if (/[[A-Za-z_$`]/.test(held)) evaluateArithmeticText(shell, held, depth + 1);
  }
}
