import type { CompoundCommand } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { type Field, field, HOLE, isKnown, NO_INPUT, type Stream, scalar, stream, TAINT } from "../state/values.ts";
import { setVariable } from "../state/variables.ts";
import { forEachAlternative } from "../words/alternatives.ts";
import { evaluateArithmetic } from "../words/arithmetic.ts";
import { positionalOf } from "../words/parameters.ts";

type Compound = Exclude<CompoundCommand, { type: "TestCommand" | "ArithmeticCommand" }>;

/** With more values than this, a loop is judged once, with an unknown value. */
const MAX_ROUNDS = 16;

/** Loops, branches and groups. Every branch is walked, because it is unknown which one runs. */
export function runCompound(shell: Shell, node: Compound, stdin: Stream): Stream {
  switch (node.type) {
    case "Subshell":
      return shell.inSubshell(() => shell.runNode(node.body, stdin));
    case "BraceGroup":
      return shell.runNode(node.body, stdin);
    case "If": {
      const outputs = [shell.runNode(node.clause, stdin), branch(shell, () => shell.runNode(node.then, stdin))];
      for (const elif of node.elif) {
        outputs.push(
          shell.runNode(elif.clause, stdin),
          branch(shell, () => shell.runNode(elif.then, stdin)),
        );
      }
      const otherwise = node.else;
      if (otherwise) outputs.push(branch(shell, () => shell.runNode(otherwise, stdin)));
      return mix(outputs);
    }
    case "While": {
      const isEndless = isAlways(shell, node.clause, node.kind === "until");
      const outputs = untilSettled(shell, () => [
        shell.runNode(node.clause, stdin),
        branch(shell, () => shell.runNode(node.body, stdin)),
      ]);
      if (isEndless) noteSwarm(shell, node.body);
      return mix(outputs);
    }
    case "For":
    case "Select": {
      const found = itemsOf(shell, node);
      // The list may not be as empty as it seems, so the body is walked anyway.
      const items = found.length > 0 ? found : [field(HOLE, TAINT.data)];
      const round = (item: Field) => {
        setVariable(shell, node.name.value, scalar(item.text, item.taint));
        return shell.runNode(node.body, stdin);
      };
      // A wildcard means any number of rounds, and `select` repeats until the user stops it.
      const isOpenEnded = node.type === "Select" || items.some(({ text }) => !isKnown(text));
      const all = () => rounds(items).map(round);
      return mix(isOpenEnded ? untilSettled(shell, all) : all());
    }
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) evaluateArithmetic(shell, part, "0");
      if (node.test === undefined) noteSwarm(shell, node.body);
      return mix(untilSettled(shell, () => [branch(shell, () => shell.runNode(node.body, stdin))]));
    case "Case": {
      shell.expandToOne(node.word);
      return mix(
        node.items.map((item) => {
          for (const pattern of item.pattern) shell.expandToOne(pattern);
          return branch(shell, () => shell.runNode(item.body, stdin));
        }),
      );
    }
  }
}

type Loop = Extract<Compound, { type: "For" | "Select" }>;

/** The items of a loop, for every alternative value that its words can have. */
function itemsOf(shell: Shell, { wordlist }: Loop): readonly Field[] {
  if (wordlist === undefined) return positionalOf(shell);
  const source = wordlist.map(({ text }) => text).join(" ");
  const items: Field[] = [];
  const collect = () => items.push(...wordlist.flatMap((word) => shell.expand(word)));
  forEachAlternative(shell, source, collect);
  collect();
  return items;
}

/** After more rounds than this, variables that the loop changes are unknown. */
const MAX_SETTLING = 6;

/** Repeats a loop's round until it reaches a fixed point. */
function untilSettled(shell: Shell, round: () => readonly Stream[]): Stream[] {
  const outputs: Stream[] = [];
  for (let rounds = 1; ; rounds += 1) {
    const before = shell.state.copy();
    outputs.push(...round());
    if (shell.state.isSettledSince(before)) return outputs;
    if (rounds < MAX_SETTLING) continue;
    shell.state.forgetChangesSince(before);
    return [...outputs, ...round()];
  }
}

function rounds(items: readonly Field[]): readonly Field[] {
  if (items.length > MAX_ROUNDS) {
    return [
      ...items.slice(0, MAX_ROUNDS),
      field(
        HOLE,
        items.reduce((all, item) => all | item.taint, TAINT.data as number),
      ),
    ];
  }
  return items;
}

function branch(shell: Shell, work: () => Stream): Stream {
  const before = shell.state;
  const taken = before.copy();
  shell.state = taken;
  const output = work();
  const { cwd } = before;
  shell.state = before;
  before.mergeBranch(taken);
  // Both paths continue from here: the folder is known only if both end in the same one.
  if (cwd !== taken.cwd) before.cwd = null;
  return output;
}

function mix(outputs: readonly Stream[]): Stream {
  const printing = outputs.filter((output) => output !== NO_INPUT);
  const only = printing[0];
  if (only === undefined) return NO_INPUT;
  if (printing.length === 1 && only.text !== null && isKnown(only.text)) return only;
  return {
    ...stream(
      null,
      printing.reduce((all, output) => all | output.taint, 0),
    ),
    listing: only.listing,
  };
}

type Body = Extract<Compound, { type: "While" }>["body"];

/** An endless loop that starts a background process in each round exhausts the machine. */
function noteSwarm(shell: Shell, body: Body): void {
  const source = body.commands
    .filter((statement) => !statement.background)
    .map((statement) => shell.frame.source.slice(statement.pos, statement.end))
    .join("\n");
  const isPaced = /\b(sleep|wait|read|inotifywait|break|exit)\b/.test(source);
  if (!isPaced && body.commands.some((statement) => statement.background)) {
    shell.note("fork-bomb", "an endless loop that starts a process in each round");
  }
}

function isAlways(shell: Shell, clause: Body, isUntil: boolean): boolean {
  const only = clause.commands[0]?.command;
  if (clause.commands.length !== 1 || only === undefined) return false;
  const text = shell.frame.source.slice(only.pos, only.end).trim();
  return (isUntil ? ["false"] : ["true", ":", "((1))", "[ 1 ]", "[[ 1 ]]"]).includes(text);
}
