import { type Field, field, HOLE } from "../language/state/values.ts";

/** Which options of a program take a value, so that the operands can be found. */
export interface OptionSpec {
  /** Letters, as in getopt: `"nI"` for `-n 3 -I%`. */
  readonly short?: string;
  /** Names without dashes; `--name=value` is always understood. */
  readonly long?: readonly string[];
  /** Stops at the first operand, like wrappers. */
  readonly stopsAtOperand?: boolean;
  /** Long options with one dash, such as `-exec`. */
  readonly singleDashLong?: boolean;
}

export interface ParsedOptions {
  /** Name (`-n`, `--max`) → values; an option without one has an empty list. */
  readonly options: ReadonlyMap<string, readonly Field[]>;
  readonly operands: readonly Field[];
  /** From the first operand on, for wrappers. */
  readonly rest: readonly Field[];
}

export function parseOptions(args: readonly Field[], spec: OptionSpec): ParsedOptions {
  const options = new Map<string, Field[]>();
  const operands: Field[] = [];
  const add = (name: string, value?: Field) => {
    const values = options.get(name) ?? [];
    if (value) values.push(value);
    options.set(name, values);
  };
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    const { text } = arg;
    if (text === "--") {
      at += 1;
      break;
    }
    if (text.startsWith("--") || (spec.singleDashLong && /^-[A-Za-z]{2,}/.test(text))) {
      const equals = text.indexOf("=");
      const written = equals < 0 ? text : text.slice(0, equals);
      const name = completeName(written, spec.long ?? []);
      if (equals >= 0) add(name, field(text.slice(equals + 1), arg.taint));
      else if (spec.long?.includes(name.replace(/^--?/, ""))) {
        at += 1;
        add(name, args[at]);
      } else add(name);
    } else if (text.startsWith("-") && text.length > 1) {
      at = readShort(args, at, spec.short ?? "", add);
    } else if (spec.stopsAtOperand) break;
    else operands.push(arg);
  }
  const rest = args.slice(at);
  return { options, operands: spec.stopsAtOperand ? rest : [...operands, ...rest], rest };
}

/** GNU programs accept any unambiguous prefix of a long option: `--to-com=x` is `--to-command=x`. */
function completeName(written: string, known: readonly string[]): string {
  const bare = written.replace(/^--?/, "");
  if (!written.startsWith("--") || bare.length < 2 || known.includes(bare)) return written;
  const matching = known.filter((name) => name.startsWith(bare));
  return matching.length === 1 ? `--${matching[0]}` : written;
}

/** `-rf`, `-n3`, `-n 3`: grouped letters; the first that takes a value takes the rest. */
function readShort(
  args: readonly Field[],
  at: number,
  withValue: string,
  add: (name: string, value?: Field) => void,
): number {
  const arg = args[at] ?? field("");
  for (let index = 1; index < arg.text.length; index += 1) {
    const letter = arg.text.charAt(index);
    if (!withValue.includes(letter)) {
      add(`-${letter}`);
      continue;
    }
    const attached = arg.text.slice(index + 1);
    if (attached !== "") {
      add(`-${letter}`, field(attached, arg.taint));
      return at;
    }
    add(`-${letter}`, args[at + 1]);
    return at + 1;
  }
  return at;
}

export function hasOption(parsed: ParsedOptions, ...names: readonly string[]): boolean {
  return names.some((name) => parsed.options.has(name));
}

export function optionValues(parsed: ParsedOptions, ...names: readonly string[]): Field[] {
  return names.flatMap((name) => parsed.options.get(name) ?? []);
}

/** Whether an argument's first character is unknown, so that it may be an option. */
export function couldBeOption(arg: Field): boolean {
  return arg.text.startsWith(HOLE);
}
