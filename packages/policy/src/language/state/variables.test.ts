import { describe, expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";

const decide = (text: string, env: Record<string, string> = {}) => judge(text, { env }, defaultPolicy).decision;

/** Every way in bash to set a variable, with placeholders for its name and value. */
const WAYS: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}='${value}'`,
  (name, value) => `${name}='${value}' true`,
  (name, value) => `${name}+='${value}'`,
  (name, value) => `${name}[0]='${value}'`,
  (name, value) => `${name}=('${value}')`,
  (name, value) => `export ${name}='${value}'`,
  (name, value) => `export "${name}=${value}"`,
  (name, value) => `declare ${name}='${value}'`,
  (name, value) => `declare -x ${name}='${value}'`,
  (name, value) => `declare -g ${name}='${value}'`,
  (name, value) => `declare -ga ${name}=('${value}')`,
  (name, value) => `typeset ${name}='${value}'`,
  (name, value) => `readonly ${name}='${value}'`,
  (name, value) => `f() { local ${name}='${value}'; ls; }; f`,
  (name, value) => `printf -v ${name} %s '${value}'`,
  (name, value) => `printf -v${name} %s '${value}'`,
  (name, value) => `printf -v '${name}[0]' %s '${value}'`,
  (name, value) => `read ${name} <<< '${value}'`,
  (name, value) => `read -r ${name} <<< '${value}'`,
  (name, value) => `read -a ${name} <<< '${value}'`,
  (name, value) => `IFS= read -r -d '' ${name} <<< '${value}'`,
  (name, value) => `mapfile -t ${name} <<< '${value}'`,
  (name, value) => `readarray ${name} <<< '${value}'`,
  (name, value) => `for ${name} in '${value}'; do ls; done`,
  (name, value) => `select ${name} in '${value}'; do ls; done`,
  (name, value) => `: \${${name}:='${value}'}`,
  (name, value) => `: \${${name}='${value}'}`,
  (name, value) => `declare -n r=${name}; r='${value}'`,
  (name, value) => `typeset -n r=${name}; r='${value}'; ls`,
  (name, value) => `declare -n q=${name}; declare -n r=q; r='${value}'`,
  (name, value) => `declare -n r=${name}; read r <<< '${value}'`,
  (name, value) => `env ${name}='${value}' ls`,
  (name, value) => `eval "${name}='${value}'"`,
  (name, value) => `x=${name}; declare "$x=${value}"`,
  (name, value) => `x=${name}; printf -v "$x" %s '${value}'`,
  (name, value) => `set -a; ${name}='${value}'`,
  (name, value) => `${name}='${value}' && ls`,
  (name, value) => `true || ${name}='${value}'`,
  (name, value) => `if true; then ${name}='${value}'; fi`,
  (name, value) => `{ ${name}='${value}'; }`,
];

/** Ways that can only assign a number, or a name. */
const NUMBER_WAYS: readonly ((name: string) => string)[] = [
  (name) => `((${name}=5))`,
  (name) => `((${name}++))`,
  (name) => `((++${name}))`,
  (name) => `((${name}+=1))`,
  (name) => `let ${name}=5`,
  (name) => `let "${name} = 5"`,
  (name) => `: $((${name}=5))`,
  (name) => `: $((1, ${name}=5))`,
  (name) => `: $(((${name})=5))`,
  (name) => `a[${name}=1]=x`,
  (name) => `: \${a[${name}=1]}`,
  (name) => `for ((${name}=0; ${name}<1; ${name}++)); do ls; done`,
  (name) => `getopts ab ${name}`,
  (name) => `exec {${name}}> out`,
  (name) => `ls {${name}}< in`,
  (name) => `wait -n -p ${name}`,
  (name) => `coproc ${name} { ls; }`,
  (name) => `declare -i ${name}=5`,
];

describe("S2 every way to set a variable judges the environment", () => {
  it.each(["PATH", "BASH_ENV", "LD_PRELOAD", "GIT_CONFIG_GLOBAL", "npm_config_script_shell"])("%s", (name) => {
    const value = "/tmp/evil";
    expect(WAYS.map((way) => way(name, value)).filter((text) => decide(text) === "allow")).toEqual([]);
    expect(NUMBER_WAYS.map((way) => way(name)).filter((text) => decide(text) === "allow")).toEqual([]);
  });

  it("commands in hook variables are judged as commands", () => {
    const texts = WAYS.map((way) => way("PROMPT_COMMAND", "rm -rf ~"));
    expect(texts.filter((text) => decide(text) !== "deny")).toEqual([]);
  });

  it.each(["PS0", "PS1", "PS4"])("%s runs its substitutions", (name) => {
    const texts = WAYS.map((way) => way(name, "$(rm -rf ~)")).filter((text) => !text.includes('"'));
    expect(texts.filter((text) => decide(text) !== "deny")).toEqual([]);
  });

  it.each([
    "NPM_CONFIG_SCRIPT_SHELL=./x npm test",
    "npm_config_Registry=http://evil.example npm test",
    "Npm_Config_Script_Shell=x npm test",
    "export NPM_config_registry=evil",
    "XDG_CONFIG_HOME=./cfg git status",
    "GIT_TRACE=/home/agent/.profile git log",
    "GIT_TRACE2_EVENT=/home/agent/.bashrc git log",
    "GIT_CONFIG_COUNT=1 git log",
    "PYTHONUSERBASE=./x pip list",
    "PYTHONSTARTUP=./x.py python3",
    "PYTHONPATH=/tmp/x pytest",
    "DOCKER_HOST=ssh://evil docker ps",
    "CARGO_BUILD_RUSTC=./x cargo check",
    "RUSTUP_HOME=./x cargo check",
    "GOROOT=./evil go vet ./...",
    "GOFLAGS=-toolexec=./x go vet ./...",
    "NODE_OPTIONS='--require ./x.js' npm test",
    "NODE_OPTIONS='--max-old-space-size=4096 --import=./x.mjs' npm test",
    "RUSTFLAGS='-C linker=./x' cargo check",
    "JAVA_TOOL_OPTIONS=-javaagent:/tmp/x mvn test",
    "GRADLE_OPTS=-javaagent:/tmp/x gradle test",
    "export KUBECONFIG=/tmp/k",
    "export HTTPS_PROXY=http://evil.example:8080",
    "export http_proxy=http://evil.example:8080",
    "export ALL_PROXY=socks5://evil.example",
    "export CARGO_HOME=/tmp/x",
    "export UV_INDEX_URL=http://evil.example",
    "export RIPGREP_CONFIG_PATH=/tmp/r",
    "export SOME_TOOL_OPTS='-javaagent:/tmp/x'",
    "export PATH=/tmp/x:$PATH",
    "export PATH=$PATH:",
    "export PATH=.:$PATH",
    'export "$name=x"',
    'read "$name"',
    "export -n PATH",
    "unset PATH",
  ])("%s asks", (text) => {
    expect(decide(text)).toBe("ask");
  });

  it.each([
    "export NODE_ENV=test",
    "export DATABASE_URL=postgres://localhost/dev",
    'export PATH="$PWD/node_modules/.bin:$PATH"',
    "export RUST_LOG=debug",
    "x=1; y=$x; echo $y",
    "i=0; ((i++)); echo $i",
    "for f in a b; do echo $f; done",
    "read -r line < notes.txt; echo $line",
    "printf -v stamp %s now; echo $stamp",
    "GIT_AUTHOR_NAME=me git status",
    "CONFIG_FILE=x.json; echo $CONFIG_FILE",
    "GIT_SHA=abc123; echo $GIT_SHA",
    "LC_ALL=C ls",
    "declare -A ages=([ann]=3); echo done",
  ])("%s runs", (text) => {
    expect(decide(text)).toBe("allow");
  });
});

describe("S1 names of Belay's own hooks and settings are out of reach", () => {
  it.each(["__belay_shown", "__belay_hook", "__belay_saved_ps1", "BELAY_DATA_DIR", "__BELAY_x"])("%s", (name) => {
    const texts = [
      ...WAYS.map((way) => way(name, "x")),
      ...NUMBER_WAYS.map((way) => way(name)),
      `unset ${name}`,
      `unset -v ${name}`,
      `unset -f ${name}`,
      `${name}() { ls; }`,
      `function ${name} { ls; }`,
      `alias ${name}=ls`,
      `unalias ${name}`,
      `export ${name}`,
      `export -n ${name}`,
      `readonly ${name}`,
      `declare -r ${name}`,
      `declare -n ${name}=x`,
      `echo $${name}`,
      `echo "\${${name}}"`,
      `echo \${#${name}}`,
      `echo \${${name}:-x}`,
      `x=${name}; echo \${!x}`,
      `echo $((${name}))`,
    ];
    expect(texts.filter((text) => decide(text) !== "deny")).toEqual([]);
  });

  it("they cannot be set in the environment of a tool call", () => {
    expect(decide("ls", { BELAY_TOKEN: "x" })).toBe("deny");
    expect(decide("ls", { __belay_hook: "x" })).toBe("deny");
  });
});

it("a quoted tilde is a file of that name, not the home", () => {
  expect(decide("x='rm -rf ~'; $x")).toBe("ask");
});

describe("loops and recursion are walked to a fixed point", () => {
  it.each([
    "a=ls; b=ls; c='rm -rf /'; until false; do $a; a=$b; b=$c; sleep 1; done",
    "a=ls; b=ls; c=ls; d='rm -rf /'; while read x; do $a; a=$b; b=$c; c=$d; done",
    "d=build; for f in *; do rm -rf $d; d=/; done",
    "for ((;i<3;)); do $a; a=$b; b='rm -rf /'; sleep 1; done",
    "f() { $1; f 'rm -rf /'; }; f ls",
    "f() { $x; x='rm -rf /'; f; }; x=ls; f",
    "f() { g \"$1\"; }; g() { $1; f 'rm -rf /'; }; f ls",
  ])("%s is denied", (text) => {
    expect(decide(text)).toBe("deny");
  });

  it.each([
    "x1=x2; x2=x3; x3=x4; x4=x5; x5=x6; x6=x7; x7=x8; x8=x9; x9=x10; x10='a[$(some-program)]'; echo $((x1))",
    'n=0; f() { n=$n$1; ls; f "$1$1"; }; f a',
    "while read x; do a=$b; b=$c; c=$d; d=$e; e=$f; f=$g; g=$h; h='x'; $a; done",
  ])("%s asks", (text) => {
    expect(decide(text)).toBe("ask");
  });

  it.each(["while read -r line; do echo $line; done < notes.txt", "i=0; while [ $i -lt 3 ]; do i=$((i+1)); ls; done"])(
    "%s runs",
    (text) => {
      expect(decide(text)).toBe("allow");
    },
  );
});

describe("a variable that depends on a branch", () => {
  it.each([
    "x=rm; false && x=ls; y=$x; $y -rf /",
    "x=rm; y=/; false && { x=ls; y=.; }; $x -rf $y",
    "x=/; false && x=build; for d in $x; do rm -rf $d; done",
    "x=rm; false && x=ls; x+=' -rf /'; $x",
    `x=rm; false && x=ls; n=x; \${!n} -rf /`,
    "x=rm; false && x=ls; declare -n r=x; $r -rf /",
    "e=1; v=1; l=1; x='rm -rf ~'; false && { e=2; v=2; l=2; x=ls; }; eval $x",
  ])("%s is denied", (text) => {
    expect(decide(text)).toBe("deny");
  });

  it.each([
    `a=(rm -rf /); false && a=(ls); \${a[@]}`,
    "set -- rm -rf /; false && set -- ls; $@",
    `declare -A m; m[x]=rm; \${m[x]} -rf /`,
    "declare -i n; x='a[$(some-program)]'; n=x",
  ])("%s asks at least", (text) => {
    expect(decide(text)).not.toBe("allow");
  });
});

it.each([
  "n=v; true && declare -i n; n='a[$(some-program)]'",
  "n=v; if true; then declare -i n; fi; n='a[$(some-program)]'",
  "n=(a b); false || declare -i n; n='a[$(some-program)]'",
  "for i in 1 2 3; do n='a[$(some-program)]'; declare -i n; done",
])("P85 a variable that may be an integer is evaluated: %s", (text) => {
  expect(decide(text)).toBe("ask");
});

describe("P18 names that only zsh knows", () => {
  const decideIn = (shell: string, text: string) => judge(text, { shell }, defaultPolicy).decision;

  it.each(['for path in src/*; do echo "$path"; done', "while read -r name path; do echo $path; done < list.txt"])(
    "%s runs in bash, and asks in zsh",
    (text) => {
      expect([decideIn("/bin/bash", text), decideIn("/bin/zsh", text)]).toEqual(["allow", "ask"]);
    },
  );

  it("an exported one asks in every shell", () => {
    expect(decideIn("/bin/bash", "export path=/tmp/x")).toBe("ask");
  });
});
