// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's own braces
import { describe, expect, it, test } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";
import { emptyMemory } from "./state/memory.ts";

/** The strictest decision for commands in one shell; `zork` is a program that is not allowed. */
function decideAll(lines: readonly string[], shell = "/bin/bash"): string {
  let memory = emptyMemory;
  for (const line of lines) {
    const { decision, memoryAfter } = judge(line, { memory, shell }, defaultPolicy);
    if (decision !== "allow") return decision;
    memory = memoryAfter;
  }
  return "allow";
}

const SUM = "'a[$(zork)]'";
const LONG = " ".repeat(5_000);
const MANY = Array.from({ length: 150 }, (_, index) => `v${index}=1`).join("; ");

/** Each of these runs `zork` in bash 5.2, verified there. */
const RUN_BY_BASH: readonly (readonly string[])[] = [
  ["declare -a 'a=($(zork))'"],
  ["declare -A 'a=([$(zork)]=1)'"],
  ["readonly -a 'a=($(zork))'"],
  ["f() { local -a 'a=($(zork))'; }; f"],
  ["x='($(zork))'; declare -a b=$x"],
  ["declare -a a; declare a='($(zork))'"],
  ["declare -a z", "declare z='($(zork))'"],
  ["a=(1); declare 'a=($(zork))'"],
  ["v=a; declare -a $v'=($(zork))'"],
  ["declare -a b=$(cat q)"],
  [`declare -n r=${SUM}; echo $r`],
  [`declare -n r; r=${SUM}; echo $r`],
  [`declare -n r; for r in ${SUM}; do echo $r; done`],
  ["typeset -n r", `read r <<< ${SUM}`, "echo $r"],
  ["declare -n r", `printf -v r %s ${SUM}`, "echo $r"],
  [`declare -n r=x; x=${SUM}`, "echo $((r))"],
  [`x=${SUM}; y=([x]=3)`],
  [`x=${SUM}; y+=([x]=3)`],
  [`x=${SUM}; read y[x] <<< 1`],
  [`x=${SUM}; builtin read y[x] <<< 1`],
  ["k='$(zork)'; declare -A q; test -v q[$k]"],
  ["k='$(zork)'; let q[$k]=1"],
  [`set -- ${SUM}; echo $(( $1 ))`],
  [`set -- ${SUM}; (( $@ ))`],
  [`set -- ${SUM}; y=(1); echo \${y[$1]}`],
  [`set -- ${SUM}; echo \${HOME:$1}`],
  [`k=${SUM}; echo \${@:k}`],
  [`k=${SUM}; set -- k; : $(($1))`],
  [`bash -c 'echo $(($1))' _ ${SUM}`],
  [`x=${SUM} bash -c 'echo $((x))'`],
  [`env x=${SUM} bash -c '((x))'`],
  [`x=${SUM} bash <<< 'echo $((x))'`],
  ["echo $(( $(cat q) ))"],
  [`echo $(( $(echo ${SUM}) ))`],
  [`RANDOM=${SUM}`],
  [`OPTIND=${SUM}; getopts a b`],
  [`x='a[$(zork)]${LONG}'`, "echo $((x))"],
  [`x=${SUM}`, MANY, "echo $((x))"],
  ["echo ${HOME/$(/opt/zork)/x}"],
  ["echo ${HOME/#$(/opt/zork)/}"],
  ["echo ${x:-${y//$(/opt/zork)/z}}"],
  ['mapfile -t L < q; eval "${L[1]}"'],
];

describe("P85 data that bash runs is judged as code", () => {
  it.each(RUN_BY_BASH.map((lines) => [lines]))("%s", (lines) => {
    expect(decideAll(lines)).not.toBe("allow");
  });

  it.each([
    "declare -a files=($(ls)); echo ${#files[@]}",
    'declare -A colours=([red]=1 [green]=2); echo "${colours[red]}"',
    "i=0; while [ $i -lt 5 ]; do i=$((i + 1)); done; echo $i",
    "echo $(( $(wc -l < notes.txt) + 1 ))",
    "a=(1 2 3); echo ${a[1]} ${a[@]:1:2}",
    "bash -c 'echo $(($1 + 1))' _ 41",
    'p=src/a.ts; echo "${p##*/}" "${p%/*}" "${p/src/lib}" "${p//\\//-}"',
  ])("plain arithmetic does not ask: %s", (line) => {
    expect(decideAll([line])).toBe("allow");
  });
});

test.each([["cdpath=(/opt); cd zork; ./run"], ["echo ~[$(zork)]"], ["{/opt/zork}"]])(
  "P85 what zsh does with %s is not taken for what bash does",
  (line) => {
    expect(decideAll([line], "/bin/zsh")).not.toBe("allow");
  },
);

describe("P85 a file keeps its origin when it is moved into the project", () => {
  it.each([
    [["cp /opt/zork ./x; ./x"]],
    [["cp /opt/zork ./x", "./x"]],
    [["install -m755 /opt/zork x", "./x"]],
    [["ln -s /opt/zork x", "./x"]],
    [["mkdir -p a/b; ln -s ../../../zork a/b/x", "a/b/x"]],
    [["ln /opt/zork x", "sh x.sh || ./x"]],
    [["mkdir d; echo zork > d/s; mv d e", "sh e/s"]],
    [["mkdir d; echo zork > d/s; cp -r d e", "sh e/s"]],
  ])("%s", (lines) => {
    expect(decideAll(lines)).not.toBe("allow");
  });

  it.each([[["cp scripts/build.sh b.sh", "./b.sh"]], [["ln -s ../scripts/run.sh bin/run", "bin/run"]]])(
    "files of the project are unaffected: %s",
    (lines) => {
      expect(decideAll(lines)).toBe("allow");
    },
  );
});

describe("P85 no word of a brace expansion is lost", () => {
  const many = Array.from({ length: 300 }, (_, index) => index.toString(36)).join(",");

  it.each([`{${many},/opt/zork}`, `cat {${many},/etc/shadow}`, "echo {1..999999999}", `echo ${"{a,b}".repeat(30)}`])(
    "%s",
    (line) => {
      expect(decideAll([line])).not.toBe("allow");
    },
  );

  it.each(["for i in {1..1000}; do echo $i; done", "mkdir -p src/{a,b}/{c,d}", "echo {a..z}{0..9}"])(
    "and common uses still work: %s",
    (line) => {
      expect(decideAll([line])).toBe("allow");
    },
  );
});
