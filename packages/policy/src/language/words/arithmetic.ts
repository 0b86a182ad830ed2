import type { ArithmeticExpression } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { type Field, field, HOLE, has, hasGlob, isKnown, scalar, stream, streamField, TAINT } from "../state/values.ts";
import { noteOwnName, setVariable } from "../state/variables.ts";

/**
 * Arithmetic looks harmless but is not: bash evaluates the subscript of `a[$(cmd)]`, even if that text is only the
 * value of a variable. The numbers do not matter here, only what is run during evaluation.
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
      if (ASSIGNS.test(node.operator)) assignTo(shell, node.left);
      return;
    case "ArithmeticUnary":
      visit(shell, node.operand);
      if (/^(\+\+|--)$/.test(node.operator)) assignTo(shell, node.operand);
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
        const output = shell.inSubshell(() => shell.runScript(script, stream(null)));
        evaluateExpanded(shell, output.text === null ? streamField(output) : field(output.text, output.taint), []);
      } else evaluateArithmeticText(shell, node.text);
      return;
    case "ArithmeticWord":
      evaluateArithmeticText(shell, node.value);
  }
}

const ASSIGNS = /^(?:[-+*/%&|^]|<<|>>)?=$/;

/** The value is only a number, but it still sets a variable. */
function assignTo(shell: Shell, node: ArithmeticExpression): void {
  if (node.type === "ArithmeticGroup") assignTo(shell, node.expression);
  if (node.type !== "ArithmeticWord") return;
  setVariable(shell, /^[A-Za-z_]\w*/.exec(node.value)?.[0] ?? HOLE, scalar(HOLE));
}

const MAX_DEPTH = 8;
/** No real calculation is longer than this. */
const MAX_ARITHMETIC = 2_048;

/** Assignments in `let` and subscripts: `PATH=5`, `i++`. */
const ASSIGNED_NAME =
  /([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** Runs the substitutions in a text that bash evaluates as a number, and in the variables that it names. */
export function evaluateArithmeticText(shell: Shell, text: string, path: readonly string[] = []): void {
  if (!shell.spend()) return;
  if (path.length > MAX_DEPTH || text.length > MAX_ARITHMETIC) {
    shell.note("too-complex", "arithmetic");
    return;
  }
  if (hasGlob(text)) shell.note("arithmetic-on-data", "a subscript");
  if (/[$`]/.test(text)) {
    const expanded = shell.expandText(text);
    if (expanded.text !== text) evaluateExpanded(shell, expanded, path);
  }
  for (const [, assigned, counted] of text.matchAll(ASSIGNED_NAME)) {
    // Only the first time: values that it assigns to itself were already walked.
    const name = assigned ?? counted ?? HOLE;
    if (path.length === 0) setVariable(shell, name, scalar(HOLE));
  }
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) {
    noteOwnName(shell, name);
    if (path.includes(name)) continue;
    const value = shell.state.variables.get(shell.state.references.get(name) ?? name);
    if (value === undefined) continue;
    const held = [...value.items, ...(value.others ?? [])].join(" ");
    if (isUnknownText(held, value.taint)) {
      shell.note("arithmetic-on-data", name, value.taint);
    } else if (/[[A-Za-z_$`]/.test(held)) evaluateArithmeticText(shell, held, [...path, name]);
  }
}

/** The values of `$1` and `$(cat n)` are evaluated again, including subscripts. */
function evaluateExpanded(shell: Shell, { text, taint }: Field, path: readonly string[]): void {
  if (isUnknownText(text, taint)) shell.note("arithmetic-on-data", "an expansion", taint);
  evaluateArithmeticText(shell, text.replaceAll(/[\uE000-\uE002]/g, " "), [...path, ""]);
}

/** Text from elsewhere, which may be a number or `a[$(cmd)]`. */
function isUnknownText(text: string, taint: number): boolean {
  return !isKnown(text) && has(taint, TAINT.data | TAINT.name | TAINT.listing);
}
