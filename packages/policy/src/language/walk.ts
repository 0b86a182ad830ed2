import type { Span } from "@belay/protocol";
import type { AndOr, CommandNode, CompoundList, ParsedScript, PipelineNode, Statement, SyntaxNode, Word } from "unbash";
import type { JudgeContext } from "../context.ts";
import { showsOnlyNames } from "../programs/effects/output/names-only.ts";
import { isPrintedSetUp } from "../programs/names/shell-set-up.ts";
import { runProgram } from "../programs/programs.ts";
import { runCompound } from "./commands/compound-nodes.ts";
import { setCoprocess } from "./commands/coprocess.ts";
import { defineFunction } from "./commands/functions.ts";
import type { Invocation, Note, NoteKind } from "./commands/invocation.ts";
import { withRedirects } from "./commands/redirections.ts";
import { runSimpleCommand } from "./commands/simple-command.ts";
import { evaluateTest } from "./commands/test-command.ts";
import { countElements, MAX_ELEMENTS } from "./grammar/complexity.ts";
import { forEachRunning } from "./grammar/coverage.ts";
import { hasZshSyntax, isPlainFish } from "./grammar/dialects.ts";
import { readForeignShell } from "./grammar/other-shells.ts";
import { MAX_NESTING, nestingOf, parseText } from "./grammar/parse.ts";
import { type Call, type Circumstances, type FunctionCall, type Shell, TOP_LEVEL } from "./grammar/shell.ts";
import { readTranslated } from "./grammar/translate.ts";
import { readImagined, writeImagined } from "./state/imagined-files.ts";
import type { Frame, ShellState } from "./state/state.ts";
import {
  type Field,
  field,
  HOLE,
  has,
  isKnown,
  joinStreams,
  NO_INPUT,
  type Stream,
  stream,
  TAINT,
  TAINTS_NEVER_RUN,
} from "./state/values.ts";
import { evaluateArithmetic, evaluateArithmeticText } from "./words/arithmetic.ts";
import { findHereDocProblem } from "./words/here-docs.ts";
import { resolvePath } from "./words/paths.ts";
import { expandToOne, expandWord } from "./words/words.ts";

/** The step limit of one judgement. A thousand ordinary commands stay below it. */
const MAX_STEPS = 2_000;
/** The nesting limit of code inside code. */
const MAX_TEXT_DEPTH = 12;
/**
 * The limit of nested wrappers. `nice timeout 5 env …` has two or three, and each costs as much as everything that it
 * wraps.
 */
const MAX_WRAPPERS = 8;

/**
 * Simulates a script: every branch, every substitution, and every text that becomes code. Collects what would be
 * started. Tracks values as far as they are known and marks the rest as unknown.
 */
export class Walk implements Shell {
  readonly context: JudgeContext;
  readonly invocations: Invocation[] = [];
  readonly notes: Note[] = [];
  readonly functionCalls: string[] = [];
  readonly calls = new Map<string, readonly FunctionCall[]>();
  state: ShellState;
  frame: Frame;
  how: Circumstances = TOP_LEVEL;
  #node: { pos: number; end: number } = { pos: 0, end: 0 };
  #steps = 0;
  #pipelines = 0;
  #textDepth = 0;
  #isTooComplex = false;
  #atEnd: (() => void)[] = [];
  readonly walked = new Set<SyntaxNode>();
  readonly #sinks = new Map<string, (written: Stream) => void>();
  readonly #seenNotes = new Set<string>();

  constructor(context: JudgeContext, state: ShellState, frame: Frame) {
    this.context = context;
    this.state = state;
    this.frame = frame;
  }

  /** Notes syntax that has another meaning in this dialect. True if the text is not parsed as bash at all. */
  isForeign(text: string): boolean {
    const { dialect } = this.state;
    if (dialect === "zsh" && hasZshSyntax(text)) {
      this.note("other-shell", "zsh");
      readTranslated(this, text, stream(null));
    }
    return dialect === "other" || (dialect === "fish" && !isPlainFish(text));
  }

  runScript(script: ParsedScript, stdin: Stream): Stream {
    if (script.errors?.[0]) this.note("unparseable", script.errors[0].message);
    const outside = this.#atEnd;
    this.#atEnd = [];
    const output = this.#runStatements(script.commands, stdin);
    for (const work of this.#atEnd) work();
    this.#atEnd = outside;
    return output;
  }

  runAtEnd(work: () => void): void {
    const node = this.#node;
    this.#atEnd.push(() => this.#at(node, work));
  }

  runNode(node: CommandNode | CompoundList | PipelineNode | AndOr, stdin: Stream): Stream {
    if (!this.spend()) return stream(null);
    switch (node.type) {
      case "AndOr":
        return this.#runAndOr(node, stdin);
      case "Pipeline":
        return this.#runPipeline(node.commands, stdin);
      case "CompoundList":
        return this.#runStatements(node.commands, stdin);
      case "Command":
        this.walked.add(node);
        return this.#at(node, () => runSimpleCommand(this, node, stdin));
      case "Redirected":
        return this.#at(node, () =>
          withRedirects(this, node.redirects, stdin, (input) => this.runNode(node.command, input)),
        );
      case "Function":
        this.#at(node, () => defineFunction(this, node));
        return NO_INPUT;
      case "Coproc":
        this.#at(node, () => setCoprocess(this, node));
        return this.under({ isBackground: true }, () => this.runNode(node.body, stdin));
      case "TestCommand":
        this.#at(node, () => evaluateTest(this, node.expression));
        return NO_INPUT;
      case "ArithmeticCommand":
        this.#at(node, () => evaluateArithmetic(this, node.expression, node.body));
        return NO_INPUT;
      default:
        return this.#at(node, () => runCompound(this, node, stdin));
    }
  }

  runText(code: Field, stdin: Stream, label: string): Stream {
    if (has(code.taint, TAINTS_NEVER_RUN)) this.note("tainted-code", label, code.taint);
    if (isPrintedSetUp(code)) {
      this.note("printed-set-up", label, code.taint);
      return stream(null);
    }
    if (code.text.includes(HOLE)) this.note("dynamic-code", label, code.taint);
    if (this.#textDepth >= MAX_TEXT_DEPTH || !this.spend()) {
      this.note("too-complex", label);
      return stream(null);
    }
    if (nestingOf(code.text) > MAX_NESTING || countElements(code.text) > MAX_ELEMENTS) {
      this.note("too-complex", label);
      return stream(null, code.taint);
    }
    if (this.isForeign(code.text)) {
      this.#textDepth += 1;
      readForeignShell(this, code.text, stdin);
      this.#textDepth -= 1;
      return stream(null, code.taint);
    }
    const { script, problem } = parseText(code.text);
    if (problem !== null) this.note("unparseable", `${label}: ${problem.message}`);
    if (script === null) return stream(null);
    if (findHereDocProblem(script)) this.note("unparseable", `${label}: a here-document without its end`);
    return this.#inText(code.text, () => {
      const output = this.under({ wrappersOutside: this.how.wrappers.length }, () => this.runScript(script, stdin));
      this.checkWalked(script);
      return output;
    });
  }

  #inText<T>(source: string, work: () => T): T {
    const outer = this.frame;
    this.frame = { source, span: this.span() };
    this.#textDepth += 1;
    const result = work();
    this.#textDepth -= 1;
    this.frame = outer;
    return result;
  }

  expandText(text: string): Field {
    const quoted = `: "${text.replaceAll('"', "")}"`;
    const isTooDeep = this.#textDepth >= MAX_TEXT_DEPTH || nestingOf(quoted) > MAX_NESTING;
    const command = isTooDeep || !this.spend() ? undefined : parseText(quoted).script?.commands[0]?.command;
    const word = command?.type === "Command" ? command.args[0] : undefined;
    if (word?.type !== "Word") {
      this.note(isTooDeep ? "too-complex" : "unparseable", "a text that is expanded");
      return field(HOLE, TAINT.data);
    }
    return this.#inText(quoted, () => this.inSubshell(() => this.expandToOne(word)));
  }

  markWalked(node: SyntaxNode): void {
    forEachRunning(node, (one) => this.walked.add(one));
  }

  /** Notes commands in the text that were never walked, because they would run without being judged. */
  checkWalked(script: ParsedScript): void {
    if (this.#isTooComplex) return;
    let missed: SyntaxNode | null = null;
    forEachRunning(script, (node) => {
      if (missed === null && !this.walked.has(node)) missed = node;
    });
    if (missed !== null) this.#at(missed, () => this.note("uncovered", "a command that was not followed"));
  }

  runArgv(argv: readonly Field[], call: Call): Stream {
    if (!this.spend(1 + (argv.length >> 3))) return stream(null);
    if (this.how.wrappers.length > MAX_WRAPPERS) {
      this.note("too-complex", "a command inside a command, again and again");
      return stream(null);
    }
    return runProgram(this, argv, call);
  }

  inSubshell<T>(work: () => T): T {
    const outer = this.state;
    this.state = outer.copy();
    const result = work();
    this.state = outer;
    return result;
  }

  under<T>(how: Partial<Circumstances>, work: () => T): T {
    const outer = this.how;
    this.how = { ...outer, ...how };
    const result = work();
    this.how = outer;
    return result;
  }

  expand(word: Word): Field[] {
    return expandWord(this, word);
  }

  expandToOne(word: Word): Field {
    return expandToOne(this, word);
  }

  evaluate(arithmetic: string): void {
    evaluateArithmeticText(this, arithmetic);
  }

  note(kind: NoteKind, detail: string, taint = 0): void {
    if (kind === "too-complex") {
      if (this.#isTooComplex) return;
      this.#isTooComplex = true;
    }
    const span = this.span();
    // Loops and repeated calls reach the same node again.
    const key = `${kind} ${span?.start} ${span?.end} ${taint} ${this.how.isGuess} ${detail}`;
    if (this.#seenNotes.has(key)) return;
    this.#seenNotes.add(key);
    this.notes.push({ kind, detail, taint, span, isGuess: this.how.isGuess });
  }

  record(invocation: Invocation): void {
    this.invocations.push(invocation);
  }

  readFile(path: string): Stream {
    return readImagined(this, path);
  }

  writeFile(path: string, content: Stream, { isAppended = false }: { isAppended?: boolean } = {}): void {
    this.#sinks.get(path)?.(content);
    const runsLater = writeImagined(this, path, content, { isAppended });
    if (runsLater) this.#runLater(content, path);
  }

  removeFile(path: string): void {
    const resolved = resolvePath(path, this.state.cwd);
    if (resolved !== null && isKnown(resolved)) this.state.files.delete(resolved);
  }

  onWrite(path: string, sink: (written: Stream) => void): void {
    this.#sinks.set(path, sink);
  }

  spend(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps >= MAX_STEPS) this.note("too-complex", "more steps than one command should take");
    return this.#steps < MAX_STEPS;
  }

  #runStatements(statements: readonly Statement[], stdin: Stream): Stream {
    let output: Stream = NO_INPUT;
    for (const statement of statements) {
      const run = () => this.runNode(statement.command, stdin);
      const printed = statement.background ? this.under({ isBackground: true }, () => this.inSubshell(run)) : run();
      output = joinStreams(output, printed);
    }
    return output;
  }

  #runAndOr(node: AndOr, stdin: Stream): Stream {
    let output: Stream = NO_INPUT;
    for (const [at, command] of node.commands.entries()) {
      const before = this.state;
      // Whether anything after the first runs depends on how the previous one ended.
      if (at > 0) this.state = before.copy();
      const printed = this.runNode(command, stdin);
      // `git rev-parse --show-toplevel || pwd`: the second only runs if the first failed, and both would print the same.
      const isSame = node.operators[at - 1] === "||" && printed.text !== null && printed.text === output.text;
      output = isSame ? { ...output, taint: output.taint | printed.taint } : joinStreams(output, printed);
      if (at === 0) continue;
      before.mergeBranch(this.state);
      this.state = before;
    }
    return output;
  }

  #runPipeline(commands: readonly CommandNode[], stdin: Stream): Stream {
    const only = commands[0];
    if (commands.length === 1 && only) return this.runNode(only, stdin);
    return this.under({ isInPipeline: true, pipeline: ++this.#pipelines }, () =>
      commands.reduce((input, command, at) => {
        const run = () =>
          this.under({ showsOnlyNames: showsOnlyNames(commands, at) }, () => this.runNode(command, input));
        // In zsh the last part of a pipeline runs in the shell itself, so its changes to variables and the folder
        // persist.
        return this.state.dialect === "zsh" && at === commands.length - 1 ? run() : this.inSubshell(run);
      }, stdin),
    );
  }

  /** Text that is written to a file which a shell, a hook or a timer will run is judged as if it ran. */
  #runLater({ text, taint }: Stream, path: string): void {
    if (text === null && !has(taint, TAINTS_NEVER_RUN)) return;
    const code = { text: text ?? HOLE, taint };
    this.inSubshell(() => this.runText(code, stream(""), path));
  }

  #at<T>(node: { pos: number; end: number }, work: () => T): T {
    const outer = this.#node;
    this.#node = node;
    const result = work();
    this.#node = outer;
    return result;
  }

  span(): Span | null {
    return this.frame.span ?? { start: this.#node.pos, end: this.#node.end };
  }
}
