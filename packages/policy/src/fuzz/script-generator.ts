import { Random } from "./random.ts";

/** Fake programs that a real wrapper can start. */
export const STAND_INS = Array.from({ length: 12 }, (_, at) => `ww${at}`);

export interface GeneratorOptions {
  /** Syntax of this shell only. */
  readonly shell: "bash" | "zsh";
}

/**
 * Generates scripts that a shell can run harmlessly: all programs in them are invented. They should cover every way to
 * start a program. What the shell tried to start is then compared with what was judged.
 */
export function generateScript(seed: number, { shell }: GeneratorOptions = { shell: "bash" }): string {
  return new Generator(new Random(seed), shell).script(3);
}

class Generator {
  readonly #random: Random;
  readonly #shell: "bash" | "zsh";
  #names = 0;

  constructor(random: Random, shell: "bash" | "zsh") {
    this.#random = random;
    this.#shell = shell;
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
    const plain = () => this.#plain();
    const both: (() => string)[] = [
      () => `if ${simple()}; then ${inner()}\nelse ${inner()}\nfi`,
      () => `for v in a b; do ${inner()}\ndone`,
      () => `while ${simple()}; do ${inner()}\nbreak\ndone`,
      () => `until ! ${simple()}; do ${inner()}\nbreak\ndone`,
      () => `case x in x) ${inner()}\n;; *) ${inner()}\n;; esac`,
      () => `( ${inner()}\n)`,
      () => `{ ${inner()}\n}`,
      () => `f${depth}() { ${inner()}\n}; f${depth} ${this.#word(0)}`,
      () => `${simple()} | ${simple()}`,
      () => `eval '${plain()} a; ${plain()}'`,
      () => `! ${simple()}`,
      () => `set -- ${plain()} c; "$@"`,
      () => `cat_in <<E\n$(${simple()}) \`${plain()}\`\nE`,
      () => `cat_in <<'E'\n$(${plain()})\nE`,
      () => `[[ $(${simple()}) == x || -n $(${simple()}) ]]`,
      () => `: $(( 1 + $(${simple()}) + 0 ))`,
      () => `x=ab${plain()}; \${x#ab} q`,
      () => `trap '${plain()}' EXIT; ${simple()}`,
      () => `x=${plain()}; true && y=$x; $y a`,
      () => `x=${plain()}; false && x=${plain()}; $x a`,
      () => `x=${plain()}; if false; then x=${plain()}; fi; y=$x; $y`,
      () => `x=${plain()}; case a in b) x=${plain()};; esac; $x`,
      () => `x=${plain()}; for i in 1 2 3; do $x; x=${plain()}; done`,
      () => `a=${plain()} b=${plain()} c=${plain()}; for i in 1 2 3; do $a; a=$b; b=$c; done`,
      () => `g${depth}() { "$1"; [ "$2" = stop ] || g${depth} ${plain()} stop; }; g${depth} ${plain()}`,
      () => `x=${plain()}Xrest; \${x%%X*} a; \${x%Xrest} b`,
      () => `x=aXbX${plain()}; \${x##*X} a`,
      () => `x=${plain()}; y=\${x/a/b}; y=\${y/b/a}; $y ; "\${x:0}" q`,
      () => `x=''; \${x:-${plain()}} a; \${x:+no} ${plain()}`,
      () => `unset u; : \${u:=${plain()}}; $u a`,
      () => `x="${plain()} a b"; eval "$x"; eval $x`,
      () => `${this.#wrapped()}`,
      () => `${this.#wrapped()}`,
    ];
    const bash: (() => string)[] = [
      () => `/bin/bash -c '${plain()} "$@"' x ${plain()}`,
      () => `time ${simple()}`,
      () => `x=${plain()}; $x a; "$x" b`,
      () => `a=(${plain()} b); "\${a[@]}"`,
      () => `a=(x ${plain()} b); "\${a[@]:1}"; "\${a[1]}"; \${a[@]:1:1}`,
      () => `read -r r <<< ${plain()}; $r z`,
      () => `read -r r s <<< "${plain()} ${plain()}"; $s $r`,
      () => `printf -v r %s ${plain()}; $r`,
      () => `declare -n ref=tgt; ref=${plain()}; $tgt; tgt=${plain()}; $ref`,
      () => `n=v; v=${plain()}; \${!n} a`,
      () => `mapfile -t m <<< ${plain()}; \${m[0]}`,
      () => `mapfile -C '${plain()} x' -c 1 m <<< line`,
      () => `declare x=${plain()}; $x; local_f${depth}() { local x=${plain()}; $x; }; local_f${depth}; $x`,
      // The caller's value runs only after the function, so no other part of the line may use its name.
      () => `x=${plain()}; hides_f${depth}() { local x=${plain()}; $x; }; hides_f${depth}; $x`,
      () => `x=${plain()}; new_f${depth}() { local x; $x ${plain()}; x=${plain()}; }; new_f${depth}; $x`,
      () => `x=${plain()}; set_f${depth}() { declare -g x=${plain()}; }; set_f${depth}; $x`,
      () => `x=${plain()}; x+=z; $x`,
      () => `a[2]=${plain()}; "\${a[2]}"`,
      () => `declare -A m; m[k]=${plain()}; "\${m[k]}"`,
      () => `coproc { ${plain()}; }; wait`,
      () => `select s in ${plain()}; do $s; break; done <<< 1`,
      () => `x='a[$(${plain()})]'; : $((x))`,
      () => `[[ 'a[$(${plain()})]' -eq 0 ]]`,
      () => `test -v 'a[$(${plain()})]'`,
      () => `declare -i n; n='a[$(${plain()})]'`,
      () => `x='$(${plain()})'; : "\${x@P}"`,
      () => `case x in x) ${plain()} ;;& *) ${plain()} ;& y) ${plain()} ;; esac`,
      () => `x=${plain()}; \${x^^}; \${x,,} q`,
      () => `exec 3<<< ${plain()}; read -r r <&3; $r`,
      () => `for ((i=0; i<2; i++)); do ${plain()} $i; done`,
      () => `{ ${plain()}; } > >(${plain()}) 2>&1; wait`,
      () => `x=$(echo ${plain()}); $x; y=\`echo ${plain()}\`; $y`,
      () => `: a[$(${plain()})] [x\`${plain()}\`]y`,
      () => `[[ -v a[$(${plain()})] ]]`,
      () => `case a in b[$(${plain()})]) ;; esac; : > out[$(${plain()})]`,
      () =>
        `for i in $(${this.#random.pick(["alias", "compgen -b", "bind -l", "complete -p", "pushd .", "shopt", "declare -p", "trap -p"])}); do ${plain()}; break; done`,
      () => `bash_fn${depth}() { "$@"; }; bash_fn${depth} ${plain()} a`,
      () => `set -- a b; shift; f${depth}x() { "$1"; }; f${depth}x ${plain()}`,
      () => `{${plain()},a} b; x={${plain()},c}; : $x`,
      () => `exec_test() ( exec ${plain()} ); exec_test`,
      () => `builtin eval ${plain()}; command eval ${plain()}`,
    ];
    const zsh: (() => string)[] = [
      () => `a=(${plain()} b); $a`,
      () => `a=(x ${plain()}); \${a[2]} q`,
      () => `echo ${plain()} | read r; $r`,
      () => `noglob ${plain()} *`,
      () => `functions[q${depth}]='${plain()}'; q${depth}`,
      () => `\${:-${plain()}} a`,
      () => `x=${plain()}; \${(e)x} a`,
      () => `repeat 2 ${plain()}`,
      () => `: $(${simple()}); =(${plain()}) 2> /dev/null`,
      () => `() { ${plain()} } a`,
    ];
    const own = this.#shell === "zsh" ? zsh : bash;
    return this.#random.pick([...both, ...own])();
  }

  /** A real wrapper around a program that it can find. */
  #wrapped(): string {
    const name = this.#random.pick(STAND_INS);
    return this.#random.pick([
      `env ${name} a`,
      `env - ${name}`,
      `env -i A=b ${name}`,
      `env -u A ${name} b`,
      `env -S '${name} a'`,
      `timeout 5 ${name}`,
      `timeout -k 1 5 ${name} b`,
      `timeout --signal=TERM 5 ${name}`,
      `nice ${name}`,
      `nice -n 3 ${name}`,
      `nice -3 ${name}`,
      `nohup ${name} > out`,
      `setsid -w ${name}`,
      `stdbuf -oL ${name}`,
      `nice timeout 5 env A=b ${name} c`,
      `echo a b | xargs ${name}`,
      `echo a | xargs -n1 ${name} x`,
      `echo a | xargs -I% ${name} %`,
      `echo a | xargs -i ${name} {}`,
      `echo a | xargs -l ${name}`,
      `echo ${name} | xargs -I% % x`,
      `find . -maxdepth 0 -exec ${name} {} \\;`,
      `find . -maxdepth 0 -exec ${name} {} +`,
      `find . -maxdepth 0 -execdir ${name} \\;`,
      `find . -maxdepth 0 -name nothing -o -exec ${name} {} \\;`,
      `command ${name} a`,
      `exec_it() ( exec -a other ${name} ); exec_it`,
    ]);
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

  /** An invented program, in one of the spellings that quoting allows. */
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
