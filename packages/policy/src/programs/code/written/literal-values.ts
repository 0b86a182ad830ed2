import { stringLiterals } from "../inline-code.ts";

/** The start of arguments or of a value: `ctx, "git"`, `["git"`, `new String[] {"git"`, `List.of("git"`. */
const OPENING = String.raw`^(?:ctx,\s*)?(?:(?:\[|new\s+String\s*\[\]\s*\{|(?:List\.of|Arrays\.asList|listOf)\()\s*)?`;
const FIRST_WORD = new RegExp(`${OPENING}["'\`]`);
const WORDS = new RegExp(String.raw`${OPENING}((?:["'\`][^"'\`\n]*["'\`]\s*(?:,\s*(?:\{\s*args\s*:\s*)?\[?\s*)?)+)`);

const FUNCTION =
  /^[ \t]*(?:export\s+)?(?:async\s+)?(?:def|function|const)\s+(\w+)\s*(?:=\s*(?:async\s*)?)?\(([^()\n]{0,200})/gm;

/** No code of a test needs more, and each name is looked for in the whole text. */
const MAX_NAMES = 20;

/** Whether the arguments begin with a text. */
export function beginsWithText(after: string): boolean {
  return FIRST_WORD.test(after);
}

/** The literals at the start of the arguments: one command line, or the words of a list. */
export function wordsOf(after: string): string[] {
  const list = WORDS.exec(after)?.[1] ?? "";
  // Rust adds the words one by one: `Command::new("git").arg("push")`.
  const chained = /^["'][^"'\n]*["']\s*\)((?:\s*\.\s*args?\s*\([^()]*\))+)/.exec(after)?.[1] ?? "";
  return [...stringLiterals(list), ...stringLiterals(chained)];
}

/** The variable at the start of the arguments, or after the literals with which they begin: `["bash", "-c", line]`. */
export function variableOf(after: string): string | null {
  const rest = FIRST_WORD.test(after) ? after.slice(WORDS.exec(after)?.[0].length ?? 0) : after;
  return /^(?:\[\s*)?([A-Za-z_]\w*)\s*[,)\]]/.exec(rest)?.[1] ?? null;
}

/** Finds the literals that a name of the code gets: by an assignment, in a loop, or as the argument of a function. */
export class LiteralValues {
  readonly #code: string;
  readonly #known = new Map<string, readonly (readonly string[])[]>();
  /** The functions that the code defines, with their parameters. */
  readonly #functions: readonly { readonly name: string; readonly parameters: readonly string[] }[];

  constructor(code: string) {
    this.#code = code;
    this.#functions = [...code.matchAll(FUNCTION)].map(([, name = "", list = ""]) => ({
      name,
      parameters: list.split(",").map((one) => /^\s*\*{0,2}(\w+)/.exec(one)?.[1] ?? ""),
    }));
  }

  /** Some may have a name that otherwise starts programs: `def run(line):`, `const run = (line) =>`. */
  get functionNames(): ReadonlySet<string> {
    return new Set(this.#functions.map(({ name }) => name));
  }

  of(name: string): readonly (readonly string[])[] {
    const known = this.#known.get(name);
    if (known !== undefined || this.#known.size >= MAX_NAMES) return known ?? [];
    const values = [...this.#assigned(name), ...this.#inLoops(name), ...this.#passed(name)];
    this.#known.set(name, values);
    return values;
  }

  #assigned(name: string): string[][] {
    return this.#after(new RegExp(String.raw`(?<![.\w])${name}\s*(?::\s*\w+\s*)?(?::=|=(?!=))\s*`, "g"));
  }

  #inLoops(name: string): string[][] {
    const loop = new RegExp(
      String.raw`\bfor\s*\(?\s*(?:const\s+|let\s+|var\s+)?${name}\s+(?:in|of)\s*[[(]([^\]\n)]*)`,
      "g",
    );
    return [...this.#code.matchAll(loop)].flatMap(([, list = ""]) => stringLiterals(list).map((text) => [text]));
  }

  /** What the functions with this parameter are called with. */
  #passed(name: string): string[][] {
    return this.#functions
      .filter(({ parameters }) => parameters.includes(name))
      .flatMap(({ name: called }) =>
        this.#after(new RegExp(String.raw`(?<!\b(?:def|function)\s)(?<![.\w])${called}\s*\(\s*`, "g")),
      );
  }

  #after(start: RegExp): string[][] {
    return [...this.#code.matchAll(start)].flatMap((match) => {
      const after = this.#code.slice(match.index + match[0].length, match.index + match[0].length + 2_000);
      return beginsWithText(after) ? [wordsOf(after)] : [];
    });
  }
}
