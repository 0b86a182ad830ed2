import type { ParameterExpansionPart, ParameterOperation, Word, WordPart } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { judgeEnvironment } from "../state/env-hooks.ts";
import { SECRET_VARIABLE } from "../state/secret-names.ts";
import { type Field, field, HOLE, has, isKnown, NO_INPUT, scalar, TAINT, type Value } from "../state/values.ts";
import { noteOwnName, setVariable } from "../state/variables.ts";
import { evaluateArithmeticText } from "./arithmetic.ts";
import { decodeEscapes } from "./escapes.ts";
import { removePattern, replacePattern } from "./parameter-patterns.ts";
import type { Piece } from "./words.ts";

type ExpandOne = (word: Word) => Field;

/** Patterns over longer values are too expensive; the result is then unknown. */
const MAX_PATTERN_TEXT = 256;
const MAX_PATTERN = 32;

/** A typical initial value, enough to see what is prepended. */
const USUAL_PATH: Value = scalar("/usr/local/bin:/usr/bin:/bin");
/** What a person set before the agent came stays in force: `PYTHONPATH=src:$PYTHONPATH`. */
const USUAL_LIBRARIES: Value = scalar("/usr/lib");

const UNSET: Value = scalar(HOLE, TAINT.unset);

/** `$name`, and the special parameters. */
export function expandNamed(shell: Shell, name: string, isQuoted: boolean): Piece[] {
  if (name === "@" || name === "*") {
    return listPieces(shell, positionalOf(shell), isQuoted, name === "@");
  }
  const held = lookUp(shell, name);
  // In zsh an array without a subscript means all items; in bash it means the first.
  if (held.isArray && shell.state.dialect === "zsh")
    return listPieces(shell, listOf(shell, name, "@"), isQuoted, false);
  const value = pick(held, undefined);
  return [{ text: value.items[0] ?? "", taint: value.taint, splits: !isQuoted }];
}

/** `${…}` with any operator. */
export function expandParameter(
  shell: Shell,
  part: ParameterExpansionPart,
  isQuoted: boolean,
  one: ExpandOne,
): Piece[] {
  const index = part.index?.text;
  if (part.index && index !== "@" && index !== "*") {
    one(part.index);
    evaluateArithmeticText(shell, index ?? "");
  }
  noteOwnName(shell, part.parameter);
  if (part.prefix === "#") return [{ text: HOLE, taint: 0, splits: false }];

  const isWhole = shell.state.dialect === "zsh" && index === undefined && lookUp(shell, part.parameter).isArray;
  const isList = isWhole || part.parameter === "@" || part.parameter === "*" || index === "@" || index === "*";
  if (isList && part.prefix === undefined) {
    const items = listOf(shell, part.parameter, isWhole ? "@" : index);
    const changed =
      part.operation?.type === "Slice"
        ? sliceList(shell, items, part.operation, one, { isPositional: index === undefined })
        : items.map((item) => applyToField(shell, item, part.operation, one));
    return listPieces(shell, changed, isQuoted, part.parameter === "@" || index === "@");
  }
  const value =
    part.prefix === "!"
      ? lookUpIndirect(shell, part)
      : pick(lookUp(shell, part.parameter), index, shell.state.dialect === "zsh");
  const result = applyToField(
    shell,
    field(value.items[0] ?? "", value.taint),
    part.operation,
    one,
    index === undefined ? part.parameter : `${part.parameter}[${index}]`,
  );
  return [{ ...result, splits: !isQuoted }];
}

function listOf(shell: Shell, name: string, index: string | undefined): readonly Field[] {
  if (name === "@" || name === "*") return positionalOf(shell);
  const value = lookUp(shell, name);
  if (index === undefined) return [];
  return value.isUnordered
    ? [field(HOLE, value.taint | TAINT.data)]
    : value.items.map((text) => field(text, value.taint));
}

function listPieces(shell: Shell, items: readonly Field[], isQuoted: boolean, keepsApart: boolean): Piece[] {
  if (isQuoted && !keepsApart) {
    const separator = joinsWith(shell);
    const taint = items.reduce((all, item) => all | item.taint, separator.taint);
    return [{ text: items.map(({ text }) => text).join(separator.text), taint, splits: false }];
  }
  return items.map((item, at) => ({
    ...item,
    splits: !isQuoted,
    breaksAfter: at < items.length - 1,
    isQuoted,
  }));
}

export function lookUp(shell: Shell, named: string): Value {
  const name = shell.state.references.get(named) ?? named;
  noteOwnName(shell, name);
  const known = shell.state.variables.get(name);
  if (known !== undefined) return known;
  if (/^\d+$/.test(name)) return lookUpPositional(shell, Number(name));
  switch (name) {
    case "HOME":
      return scalar(shell.context.home);
    case "PATH":
      return USUAL_PATH;
    case "PYTHONPATH":
    case "NODE_PATH":
    case "RUBYLIB":
    case "PERL5LIB":
      return USUAL_LIBRARIES;
    case "PWD":
      return shell.state.cwd === null ? UNSET : scalar(shell.state.cwd);
    case "USER":
    case "LOGNAME":
      return scalar(shell.context.user);
    case "SHELL":
      return scalar(shell.context.shell);
    case "BASH":
      // Only bash sets it, to its own path.
      return /\bbash$/.test(shell.context.shell) ? scalar(shell.context.shell) : UNSET;
    case "IFS":
      return scalar(" \t\n");
    case "UID":
    case "EUID":
      return scalar(shell.context.user === "root" ? "0" : "1000");
    case "#":
    case "?":
    case "$":
    case "-":
    case "RANDOM":
    case "SECONDS":
    case "LINENO":
      return scalar(HOLE);
    case "!":
      return scalar(HOLE, TAINT.ownJob);
    default:
      if (!SECRET_VARIABLE.test(name)) return UNSET;
      if (shell.state.isTraced) shell.note("traced-secret", name);
      return scalar(HOLE, TAINT.unset | TAINT.secretVariable);
  }
}

/** The value of `$1` and similar if no command set them. */
const unknownParameter = ({ how }: Shell): number => TAINT.data | (how.isDefining ? TAINT.parameter : 0);

/** `$@`, as far as it is known. */
export function positionalOf(shell: Shell): readonly Field[] {
  return shell.state.positional ?? [field(HOLE, unknownParameter(shell))];
}

function lookUpPositional(shell: Shell, position: number): Value {
  const { positional } = shell.state;
  if (positional === null) return scalar(HOLE, unknownParameter(shell));
  const zero = shell.state.variables.get("0");
  const item = position === 0 ? zero && field(zero.items[0] ?? "") : positional[position - 1];
  if (item !== undefined) return scalar(item.text, item.taint);
  return position === 0 ? scalar(shell.context.shell) : scalar("");
}

function pick(value: Value, index: string | undefined, countsFromOne = false): Value {
  if (!value.isArray || (index === undefined && !value.isUnordered)) return value;
  const at = Number(index);
  // A wildcard among the items may match any number of files.
  const unknown = value.items.find((item) => !isKnown(item));
  if (unknown !== undefined) return scalar(unknown, value.taint | TAINT.data);
  if (!Number.isInteger(at) || value.isUnordered) return scalar(HOLE, value.taint | TAINT.data);
  return scalar(value.items.at(countsFromOne && at > 0 ? at - 1 : at) ?? "", value.taint);
}

/** `${!name}`: the value of the variable that `name` names. An unknown name means that it could be anything. */
function lookUpIndirect(shell: Shell, part: ParameterExpansionPart): Value {
  if (part.operation?.type === "Names" || part.index !== undefined) return scalar(HOLE);
  const target = lookUp(shell, part.parameter).items[0] ?? "";
  if (!isKnown(target) || target === "") {
    shell.note("indirect-expansion", part.text);
    return scalar(HOLE, TAINT.data);
  }
  evaluateArithmeticText(shell, target);
  const name = /^(\w+)(?:\[(.*)\])?$/.exec(target);
  return name?.[1] === undefined ? scalar(HOLE, TAINT.data) : pick(lookUp(shell, name[1]), name[2]);
}

function applyToField(
  shell: Shell,
  value: Field,
  operation: ParameterOperation | undefined,
  one: ExpandOne,
  name?: string,
): Field {
  switch (operation?.type) {
    case undefined:
    case "Names":
      return value;
    case "Default":
      return applyDefault(shell, value, operation.operator, one(operation.operand), name);
    case "Remove": {
      const pattern = one(operation.operand).text;
      if (!isWorkable(value, operation.operand, pattern)) return unknownLike(value);
      return field(removePattern(value.text, operation.operator, pattern), value.taint);
    }
    case "Replace": {
      const pattern = one(operation.pattern).text;
      const replacement = one(operation.replacement);
      // In newer versions of bash, `&` stands for the match.
      if (!isWorkable(value, operation.pattern, pattern) || replacement.text.includes("&"))
        return unknownLike(value, replacement.taint);
      const text = replacePattern(value.text, operation.operator, pattern, replacement.text);
      return field(text, value.taint | replacement.taint);
    }
    case "Slice": {
      const offset = plainNumber(one(operation.offset).text);
      const length = operation.length === undefined ? undefined : plainNumber(one(operation.length).text);
      evaluateArithmeticText(shell, `${operation.offset.text} ${operation.length?.text ?? ""}`);
      if (!isKnown(value.text) || Number.isNaN(offset) || Number.isNaN(length ?? 0)) return unknownLike(value);
      const end =
        length === undefined
          ? undefined
          : length < 0
            ? length
            : (offset < 0 ? value.text.length + offset : offset) + length;
      return field(value.text.slice(offset, end), value.taint);
    }
    case "CaseModification":
      // With a pattern only some of the letters change.
      if (operation.operand !== undefined && one(operation.operand).text !== "") return unknownLike(value);
      return isKnown(value.text) ? field(changeCase(value.text, operation.operator), value.taint) : value;
    case "Transform":
      return transform(shell, value, operation.operand.text);
    case "Unknown":
      return unknownLike(value);
  }
}

function isWorkable(value: Field, word: Word, pattern: string): boolean {
  return isKnown(value.text) && value.text.length <= MAX_PATTERN_TEXT && isSimplePattern(word, pattern);
}

function unknownLike(value: Field, taint = 0): Field {
  // A part of a name may start with a dash.
  return field(HOLE, value.taint | taint | (has(value.taint, TAINT.name) ? TAINT.data : 0));
}

function applyDefault(shell: Shell, value: Field, operator: string, operand: Field, name: string | undefined): Field {
  const isUnset = (value.taint & TAINT.unset) !== 0 && value.text === HOLE;
  const assigns = operator.endsWith("=") && name !== undefined;
  // A variable that no command set may not exist.
  if (assigns && !shell.state.variables.has(name))
    judgeEnvironment(shell, new Map([[name, operand]]), { isExported: false });
  const isEmpty = value.text === "" && operator.startsWith(":");
  if (operator.endsWith("+")) return isUnset || isEmpty ? field("") : operand;
  // `${DIR:?}/*`: the shell stops if it is empty, so that it never means `/*`.
  if (operator === ":?" && isUnset) return field(value.text, (value.taint & ~TAINT.unset) | TAINT.data);
  if (operator.endsWith("?")) return value;
  if (!isUnset && !isEmpty) return value;
  if (assigns) setVariable(shell, name, scalar(operand.text, operand.taint));
  // The environment may have set the variable. If it holds a secret, that is printed instead of the default.
  const kept = value.taint & (TAINT.unset | TAINT.secretVariable);
  if (has(kept, TAINT.secretVariable) && operand.text === "") return value;
  return isUnset ? field(operand.text, operand.taint | kept) : operand;
}

/** Sets, character classes, extended patterns and wildcards from an expansion are not evaluated. */
function isSimplePattern(word: Word, pattern: string): boolean {
  const isPlain = (part: WordPart): boolean => {
    if (part.type === "ExtendedGlob" || (part.type === "Glob" && part.kind === "bracket")) return false;
    return !/Expansion$/.test(part.type) || !/[*?[\]\\]/.test(pattern);
  };
  return pattern.length <= MAX_PATTERN && !pattern.includes(HOLE) && (word.parts ?? []).every(isPlain);
}

function changeCase(text: string, operator: string): string {
  const change = (part: string) => (operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}

function transform(shell: Shell, value: Field, operator: string): Field {
  switch (operator) {
    case "P":
      // Prompt expansion runs the substitutions in the value.
      if (!isKnown(value.text)) shell.note("dynamic-code", "a prompt that is not known", value.taint);
      else if (/[$`]/.test(value.text))
        shell.runText(field(`: "${value.text.replaceAll('"', '\\"')}"`, value.taint), NO_INPUT, "prompt");
      return unknownLike(value);
    case "U":
      return isKnown(value.text) ? field(value.text.toUpperCase(), value.taint) : value;
    case "u":
      return isKnown(value.text) ? field(changeCase(value.text, "^"), value.taint) : value;
    case "L":
      return isKnown(value.text) ? field(value.text.toLowerCase(), value.taint) : value;
    case "E":
      return isKnown(value.text) ? field(decodeEscapes(value.text), value.taint) : value;
    default:
      return unknownLike(value);
  }
}

/** A number in plain decimal notation. `010` and `1+1` mean something else in the shell. */
function plainNumber(text: string): number {
  return /^\s*-?(?:0|[1-9]\d*)\s*$/.test(text) ? Number(text) : Number.NaN;
}

function sliceList(
  shell: Shell,
  items: readonly Field[],
  operation: Extract<ParameterOperation, { type: "Slice" }>,
  one: ExpandOne,
  { isPositional }: { isPositional: boolean },
): Field[] {
  const offset = plainNumber(one(operation.offset).text);
  const length = operation.length === undefined ? undefined : plainNumber(one(operation.length).text);
  evaluateArithmeticText(shell, `${operation.offset.text} ${operation.length?.text ?? ""}`);
  const isCounted = !Number.isNaN(offset) && !Number.isNaN(length ?? 0) && (length ?? 0) >= 0;
  // `${@:0}` starts with the name of the shell.
  if (!isCounted || (isPositional && offset === 0))
    return [
      field(
        HOLE,
        items.reduce((all, item) => all | item.taint, TAINT.data as number),
      ),
    ];
  const from = Math.max(0, offset < 0 ? items.length + offset : offset - (isPositional ? 1 : 0));
  return items.slice(from, length === undefined ? undefined : from + length);
}

/** `"$*"` is joined with the first character of IFS, or with nothing if IFS is empty. */
function joinsWith(shell: Shell): Field {
  const ifs = shell.state.variables.get("IFS");
  if (ifs === undefined) return field(" ");
  if ((ifs.others ?? []).length > 0) return field(HOLE, ifs.taint | TAINT.data);
  return field((ifs.items[0] ?? "").charAt(0), ifs.taint);
}
