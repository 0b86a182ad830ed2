import { type Field, field, HOLE, isKnown } from "../../language/state/values.ts";
import {
  type Effect,
  isStronger,
  type OptionMeaning,
  type Program,
  type ProgramUse,
  type UsedOption,
  type Verb,
} from "../define-program.ts";

/**
 * Parses a command line with its program's table: verbs, options with their values, operands.
 *
 * One parser serves all programs: grouped letters, attached values, `=`, `--`. An abbreviated long option (`--amen`) is
 * resolved, so that its path is seen, but counts as unknown, because abbreviations are mostly used to hide something.
 */
export function readUse(program: Program, name: string, args: readonly Field[]): ProgramUse {
  const known = uses.get(args);
  if (known !== undefined && known.name === name) return known;
  const use = parseUse(program, name, args);
  uses.set(args, use);
  return use;
}

/** A program's effects and its level are computed from the same words. */
const uses = new WeakMap<readonly Field[], ProgramUse>();

function parseUse(program: Program, name: string, args: readonly Field[]): ProgramUse {
  const reading = readWords(program, name, args);
  const use = reading.finish();
  // `tool --stage get delete x`: a verb after an option that the table does not list may be the value of that option.
  const { doubted } = reading;
  if (doubted === null) return use;
  const other = readWords(
    program,
    name,
    args.filter((arg) => arg !== doubted),
  ).finish();
  return isStronger(other.does, use.does) ? other : use;
}

function readWords(program: Program, name: string, args: readonly Field[]): Reading {
  const reading = new Reading(program, name);
  const words = program.spec.ownWords?.(args) ?? args;
  let at = 0;
  for (; at < words.length; at += 1) {
    const arg = words[at];
    if (arg === undefined) break;
    if (arg.text === "--") {
      at += 1;
      break;
    }
    if (reading.isStopped) break;
    if (program.spec.pairs?.includes(arg.text) === true) at += reading.pair(arg, words[at + 1], words[at + 2]);
    else if (arg.text.length > 1 && arg.text.startsWith("-")) at += reading.option(arg, words[at + 1]);
    else reading.operand(arg, at);
  }
  for (const arg of words.slice(at)) reading.afterDashes(arg);
  return reading;
}

/** Unlike the name of a file or an expression. */
const isVerb = (operand: Field | undefined) => /^[A-Za-z][\w:-]*$/.test(operand?.text ?? "");

const QUESTIONS = new Set(["--help", "--version"]);

class Reading {
  readonly #program: Program;
  readonly #name: string;
  readonly #path: Verb[];
  readonly #words: string[] = [];
  readonly #options: UsedOption[] = [];
  readonly #operands: Field[] = [];
  #verbAt = -1;
  #unknown: string | null = null;
  #isQuestion = false;
  #saysH = false;
  /** A word that is read as a verb, and may be the value of the option before it. */
  doubted: Field | null = null;

  constructor(program: Program, name: string) {
    this.#program = program;
    this.#name = name;
    this.#path = [program.root()];
  }

  get #verb(): Verb {
    return this.#path.at(-1) ?? this.#program.root();
  }

  get isStopped(): boolean {
    return this.#operands.length > 0 && this.#verb.spec.stopsAtOperand === true;
  }

  /** Returns how many of the following words belong to the option. */
  option(arg: Field, next: Field | undefined): number {
    const { text } = arg;
    const { hasSingleDashLong, takesNumbers } = this.#program.spec;
    // `git log -"$count"`: a number of which only the value is unknown.
    if (takesNumbers && (/^-\d+$/.test(text) || (text === `-${HOLE}` && arg.taint === 0))) return 0;
    if (text.startsWith("--") || hasSingleDashLong) return this.#long(arg, next);
    return this.#letters(arg, next);
  }

  /** An option whose value has a name before it. */
  pair(arg: Field, name: Field | undefined, value: Field | undefined): number {
    const read = this.option(arg, name);
    if (value === undefined) return read;
    const [option] = this.#options.slice(-1);
    if (option !== undefined) this.#options.push({ ...option, value });
    return read + 1;
  }

  operand(arg: Field, at: number): void {
    const { verbs } = this.#verb;
    const inner = verbs?.get(arg.text);
    if (inner !== undefined && this.#operands.length === 0) {
      this.#path.push(inner);
      this.#words.push(arg.text);
      this.#verbAt = at;
      return;
    }
    // An unknown word could be any verb; a wildcard stands for files.
    const couldBeVerb = arg.text.includes(HOLE) || (!isKnown(arg.text) && this.#verb.spec.operands === undefined);
    if (verbs !== null && this.#operands.length === 0 && couldBeVerb) this.#miss(arg.text);
    this.#operands.push(arg);
  }

  afterDashes(arg: Field): void {
    this.#operands.push(arg);
  }

  finish(): ProgramUse {
    // `-h` alone asks for help; with other words it may name a host.
    if (this.#saysH && (this.#operands.length === 0 || this.#program.spec.hasShortHelp)) this.#isQuestion = true;
    else if (this.#saysH && !this.#isOpenOrHarmless) this.#miss("-h");
    const { spec } = this.#verb;
    const { verbEffect } = this.#program.spec;
    let does: Effect = spec.does;
    if (verbEffect !== undefined && this.#words.length === 0) {
      const found = verbEffect(this.#operands.map(({ text }) => text));
      if (found === null) this.#miss(this.#operands[0]?.text ?? "");
      else does = found;
    } else if (this.#verb.verbs !== null && this.#operands.length > 0 && this.#verb.spec.operands === undefined) {
      this.#miss(this.#operands[0]?.text ?? "");
    }
    for (const option of this.#options) if (option.does !== null && isStronger(option.does, does)) does = option.does;
    const use = {
      program: this.#program,
      name: this.#name,
      verb: this.#words.join(" "),
      does,
      options: this.#options,
      operands: this.#operands,
      operandKind: spec.operands ?? "read",
      verbAt: this.#verbAt,
      unknown: this.#unknown,
      lacksVerb: this.#path.length === 1 && this.#verb.verbs !== null && isVerb(this.#operands[0]),
      isQuestion: this.#isQuestion || this.#printsUsage(does),
      isOpen: this.#isOpen,
      wraps: spec.wraps ?? null,
      stopsAtOperand: spec.stopsAtOperand === true,
      namesScript:
        spec.namesScript === true ||
        (spec.stopsAtOperand === true && spec.operands === "read" && spec.wraps === undefined),
    };
    for (const { spec: own } of this.#path.toReversed()) {
      const checked = own.check?.(use);
      if (checked !== null && checked !== undefined) return { ...use, does: checked };
    }
    return use;
  }

  /** A program with verbs prints its usage without one. */
  #printsUsage(does: Effect): boolean {
    const isBare = this.#path.length === 1 && this.#operands.length === 0 && this.#verb.verbs !== null;
    return isBare && this.#program.spec.check === undefined && isStronger(does, "local");
  }

  get #isOpenOrHarmless(): boolean {
    return this.#isOpen || this.#verb.spec.isHarmless === true;
  }

  get #isOpen(): boolean {
    return this.#path.some(({ spec }) => spec.isOpen === true);
  }

  #find(name: string): OptionMeaning | undefined {
    const isPast = this.#program.spec.hasGlobalsFirst && this.#path.length > 1;
    for (const verb of (isPast ? this.#path.slice(1) : this.#path).toReversed()) {
      const found = verb.options.named.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The only option with this prefix. */
  #complete(written: string): OptionMeaning | undefined {
    const matching = this.#path.flatMap(({ options }) =>
      [...options.named.values()].filter(({ name }) => name.startsWith(written)),
    );
    return matching.length === 1 || (matching.length > 1 && matching.every(({ kind }) => kind === matching[0]?.kind))
      ? matching[0]
      : undefined;
  }

  #long(arg: Field, next: Field | undefined): number {
    // esbuild uses `--inject:file`.
    const colon = this.#isOpen ? /^--[\w-]+(?=:[^:])/.exec(arg.text)?.[0].length : undefined;
    const equals = colon ?? arg.text.indexOf("=");
    const written = equals < 0 ? arg.text : arg.text.slice(0, equals);
    const attached = equals < 0 ? null : field(arg.text.slice(equals + 1), arg.taint);
    const { hasSingleDashLong } = this.#program.spec;
    // Go programs accept one dash or two.
    const known =
      this.#find(written) ?? (hasSingleDashLong && written.startsWith("--") ? this.#find(written.slice(1)) : undefined);
    if (known !== undefined) return this.#use(known, attached, next);
    const glued = hasSingleDashLong && !arg.text.startsWith("--") ? this.#glued(arg) : null;
    if (glued !== null) return this.#use(glued.option, glued.value, undefined);
    // After a verb it selects one: `gcloud app deploy --version 3`.
    const { does, verbEffect } = this.#program.spec;
    const takesVerbs = verbEffect !== undefined || isStronger(does, "network");
    const hasVerb = this.#words.length > 0 || (takesVerbs && this.#operands.length > 0);
    const isVersion = written === "--version" && (hasVerb || attached !== null);
    // Go programs run as usual with `--help=false`.
    const isOff = attached !== null && /^(?:false|f|0|no|off)$/i.test(attached.text);
    if (
      (QUESTIONS.has(written) && !isVersion && !isOff) ||
      (hasSingleDashLong && /^-(help|version|h)$/.test(written))
    ) {
      this.#isQuestion = true;
      return 0;
    }
    const isStrict = !this.#isOpen && !this.#verb.spec.isHarmless;
    const completed = written.length > 3 && isStrict ? this.#complete(written) : undefined;
    if (completed !== undefined) {
      this.#miss(written);
      return this.#use(completed, attached, next);
    }
    // Whether the program accepts the abbreviation is unknown, so the next word counts as an operand too.
    const abbreviated = this.#isOpen && written.length > 4 ? this.#completeRisky(written) : undefined;
    if (abbreviated !== undefined) {
      this.#use(abbreviated, attached, next);
      return 0;
    }
    return this.#guess(written, attached, next);
  }

  /** `-J-Dx=y`, `-Xlog:gc:file=x`: a value that is attached to an option with one dash. */
  #glued({ text, taint }: Field): { option: OptionMeaning; value: Field } | null {
    const prefixes = this.#path
      .flatMap(({ options }) => [...options.named.values()])
      .filter(({ name, takes }) => {
        if (takes === "nothing" || !text.startsWith(name) || text.length === name.length) return false;
        return takes === "attached" || /^(?:[/~.]|\d+$)/.test(text.slice(name.length));
      });
    const longest = prefixes.sort((a, b) => b.name.length - a.name.length)[0];
    return longest === undefined ? null : { option: longest, value: field(text.slice(longest.name.length), taint) };
  }

  /** The gravest option that this may abbreviate, in a table that does not list all options. */
  #completeRisky(written: string): OptionMeaning | undefined {
    const matching = this.#path
      .flatMap(({ options }) => [...options.named.values()])
      .filter(({ name }) => name.startsWith(written));
    return (
      matching.find(({ kind, does }) => kind === "code" || does !== null) ??
      matching.find(({ kind }) => kind === "host" || kind === "config" || kind === "write")
    );
  }

  #letters(arg: Field, next: Field | undefined): number {
    const { text } = arg;
    const whole = this.#find(text);
    if (whole !== undefined && text.length > 2) return this.#use(whole, null, next);
    // `-Xplugin=/x` is one word for its program, and not the letters of this table.
    if (this.#isOpen && text.length > 3 && /[=/]/.test(text) && this.#find(text.slice(0, 2))?.takes !== "value")
      this.#guess(text, null, undefined);
    for (let index = 1; index < text.length; index += 1) {
      const name = `-${text.charAt(index)}`;
      const known = this.#find(name);
      const rest = text.slice(index + 1);
      if (known === undefined) {
        if (name === "-h" && text.length === 2) {
          this.#saysH = true;
          return 0;
        }
        return this.#guess(index === 1 ? text : name, null, index === 1 ? next : undefined);
      }
      if (known.takes === "nothing") {
        this.#use(known, null, undefined);
        continue;
      }
      return this.#use(known, rest === "" ? null : field(rest.replace(/^=/, ""), arg.taint), next);
    }
    return 0;
  }

  #use({ name, kind, takes, does }: OptionMeaning, attached: Field | null, next: Field | undefined): number {
    const takesNext = takes === "value" && attached === null;
    const value = takes === "nothing" ? null : (attached ?? (takesNext ? (next ?? null) : null));
    this.#options.push({ name, kind, value, does, isGlobal: this.#path.length === 1, isGuessed: false });
    return takesNext && next !== undefined ? 1 : 0;
  }

  /** Not in the table: it is unknown whether it takes a value, so the next word counts as both a value and an operand. */
  #guess(name: string, attached: Field | null, next: Field | undefined): number {
    if (this.#verb.spec.isHarmless) return 0;
    if (!this.#isOpen) {
      this.#miss(name);
      return 0;
    }
    const value = attached ?? (next !== undefined && !next.text.startsWith("-") ? next : null);
    if (attached === null && value !== null && this.#verb.verbs?.has(value.text) === true) this.doubted ??= value;
    this.#options.push({ name, kind: "value", value, does: null, isGlobal: this.#path.length === 1, isGuessed: true });
    return attached === null && value !== null && this.#program.spec.optionsTakeValues ? 1 : 0;
  }

  #miss(what: string): void {
    this.#unknown ??= what;
  }
}
