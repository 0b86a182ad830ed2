import { Random } from "./random.ts";

/**
 * Scripts that bash can run harmlessly: every program in them is made up. Each way to start one that the shell has
 * should be in here somewhere; what bash then tried to start is compared with what was judged.
 */
export function generateScript(seed: number): string {
  return new Generator(new Random(seed)).script(3);
}

class Generator {
  readonly #random: Random;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  script(depth: number): string {
    const count = 1 + this.#random.below(3);
    const parts = Array.from({ length: count }, () => this.#statement(depth));
    // Nothing may follow the end of a here-document on its line.
    const separator = this.#random.pick(["; ", "\n", " && ", " || ", "\n"]);
    return parts.join(parts.some((part) => part.includes("<<E") || part.includes("<<'E'")) ? "\n" : separator);
  }

  #statement(depth: number): string {
    if (depth === 0) return this.#command(0);
    const inner = () => this.script(depth - 1);
    const simple = () => this.#command(depth - 1);
    switch (this.#random.below(22)) {
      case 0:
        return `if ${simple()}; then ${inner()}\nelse ${inner()}\nfi`;
      case 1:
        return `for v in a b; do ${inner()}\ndone`;
      case 2:
        return `while ${simple()}; do ${inner()}\nbreak\ndone`;
      case 3:
        return `case x in x) ${inner()}\n;; *) ${inner()}\n;; esac`;
      case 4:
        return `( ${inner()}\n)`;
      case 5:
        return `{ ${inner()}\n}`;
      case 6:
        return `f${depth}() { ${inner()}\n}; f${depth} ${this.#word(0)}`;
      case 7:
        return `${simple()} | ${simple()}`;
      case 8:
        return `eval '${this.#plain()} a; ${this.#plain()}'`;
      case 9:
        return `/bin/bash -c '${this.#plain()} "$@"' x ${this.#plain()}`;
      case 10:
        return `! ${simple()}`;
      case 11:
        return `time ${simple()}`;
      case 12:
        return `x=${this.#plain()}; $x a; "$x" b`;
      case 13:
        return `a=(${this.#plain()} b); "\${a[@]}"`;
      case 14:
        return `set -- ${this.#plain()} c; "$@"`;
      case 15:
        return `cat_in <<E\n$(${simple()}) \`${this.#plain()}\`\nE`;
      case 16:
        return `cat_in <<'E'\n$(${this.#plain()})\nE`;
      case 17:
        return `[[ $(${simple()}) == x || -n $(${simple()}) ]]`;
      case 18:
        return `: $(( 1 + $(${simple()}) + 0 ))`;
      case 19:
        return `x=ab${this.#plain()}; \${x#ab} q`;
      case 20:
        return `read -r r <<< ${this.#plain()}; $r z`;
      default:
        return `trap '${this.#plain()}' EXIT; ${simple()}`;
    }
  }

  #command(depth: number): string {
    const count = this.#random.below(3);
    const words = Array.from({ length: count }, () => this.#word(depth));
    const prefix = this.#random.pick(["", "", "", "V=1 ", "command ", "V=$(echo x) "]);
    const redirect = this.#random.pick(["", "", "", " > out", " 2> err", " < /dev/null", " <<< w"]);
    return `${prefix}${this.#name()}${words.map((word) => ` ${word}`).join("")}${redirect}`;
  }

  #word(depth: number): string {
    if (depth > 0) {
      switch (this.#random.below(6)) {
        case 0:
          return `$(${this.#command(depth - 1)})`;
        case 1:
          return `"a $(${this.#command(depth - 1)}) b"`;
        case 2:
          return `\`${this.#plain()} k\``;
        case 3:
          return `\${U:-$(${this.#command(depth - 1)})}`;
        case 4:
          return `<(${this.#command(depth - 1)})`;
      }
    }
    return this.#random.pick([
      "a",
      "'b c'",
      '"d"',
      "-x",
      "{p,q}",
      "*.none",
      "\\;",
      "e=f",
      "$HOME",
      '"$U"',
      "g#",
      "'$(not_run)'",
      "~",
    ]);
  }

  /** A made-up program, spelled in one of the ways that quoting allows. */
  #name(): string {
    const name = this.#plain();
    const half = Math.floor(name.length / 2);
    return this.#random.pick([
      name,
      name,
      `'${name}'`,
      `"${name}"`,
      `${name.slice(0, half)}"${name.slice(half)}"`,
      `\\${name}`,
      `$'\\x${name.charCodeAt(0).toString(16)}'${name.slice(1)}`,
      `$(echo ${name})`,
      `{${name},y}`,
    ]);
  }

  #plain(): string {
    this.#names += 1;
    return `zz${this.#names}${this.#random.pick(["a", "b", "c"])}`;
  }
}
