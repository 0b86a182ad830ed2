import type { TestExpression } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { HOLE, has, TAINT } from "../state/values.ts";
import { evaluateArithmeticText } from "../words/arithmetic.ts";

const NUMERIC = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** `[[ … ]]` expands its words, and evaluates both sides of `-eq` and similar as arithmetic. */
export function evaluateTest(shell: Shell, node: TestExpression): void {
  switch (node.type) {
    case "TestUnary": {
      const operand = shell.expandToOne(node.operand);
      if (node.operator === "-v") evaluateArithmeticText(shell, operand.text);
      return;
    }
    case "TestBinary": {
      for (const word of [node.left, node.right]) {
        const { text, taint } = shell.expandToOne(word);
        if (!NUMERIC.has(node.operator)) continue;
        if (text.includes(HOLE) && has(taint, TAINT.data | TAINT.name))
          shell.note("arithmetic-on-data", word.text, taint);
        evaluateArithmeticText(shell, text);
      }
      return;
    }
    case "TestLogical":
      for (const operand of node.operands) evaluateTest(shell, operand);
      return;
    case "TestNot":
      evaluateTest(shell, node.operand);
      return;
    case "TestGroup":
      evaluateTest(shell, node.expression);
  }
}
