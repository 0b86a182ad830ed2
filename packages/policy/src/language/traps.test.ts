import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";

const decide = (text: string) => judge(text, {}, defaultPolicy).decision;

/** Things that shells run although they do not look like commands; each was verified in a real one. */
describe("P16 text that shells run although it does not look like a command", () => {
  it.each([
    "[[ 'a[$(rm -rf ~)]' -eq 0 ]]",
    "test -v 'a[$(rm -rf ~)]'",
    "x='a[$(rm -rf ~)]'; echo $((x))",
    `x='$(rm -rf ~)'; echo "\${x@P}"`,
    "PS1='$(rm -rf ~)'",
    "PS4='$(rm -rf ~)'; set -x; ls",
    "PROMPT_COMMAND='rm -rf ~'",
    "trap 'rm -rf ~' DEBUG",
    "bind -x '\"\\C-x\": rm -rf ~'",
    "env 'BASH_FUNC_ls%%=() { rm -rf ~; }' bash -c ls",
    "git -c protocol.ext.allow=always clone 'ext::sh -c \"rm -rf ~\"'",
    "echo ok\rrm -rf ~",
    "echo ok\u0015rm -rf ~",
    "rmx\u007f -rf ~",
    "\u001b[200~ls\u001b[201~\rrm -rf ~",
    "rm -rf ~\necho 'open",
    "echo a[$(rm -rf ~)]",
    "ls [`rm -rf ~`]",
    "cat < a[$(rm -rf ~)]",
    "case a in a[$(rm -rf ~)]) ;; esac",
    "[[ -v a[$(rm -rf ~)] ]]",
    "for x in $(compgen -b); do rm -rf ~; done",
    "for x in $(trap -p); do rm -rf ~; done",
    "for x in $(pushd .); do rm -rf ~; done",
  ])("%j is denied", (text) => {
    expect(decide(text)).toBe("deny");
  });

  it.each([
    "!!",
    "!rm",
    "!?foo?",
    "fc -s",
    "^ls^cat^",
    'echo "!!"',
    "set -H",
    "set -o histexpand",
    "set -eH",
    'grep -P "(?!!)" f',
  ])("%s asks", (text) => {
    expect(decide(text)).toBe("ask");
  });

  it.each([
    "echo 'a!b'",
    "[ a != b ]",
    "find . ! -name x",
    "echo hi!",
    "ls [!a]*",
    "! grep -q a f",
    `echo "\${!x[@]}"`,
    "cat <<'E'\n!!\nE",
    'grep -P "(?!foo)bar" f',
    'rg -P "(?<!x)y" src',
    "set +H",
  ])("P25 %j is no history expansion", (text) => {
    expect(judge(text, {}, defaultPolicy).matches.map(({ rule }) => rule)).not.toContain("history-expansion");
  });
});

describe("P13 parts that may not have run", () => {
  it.each([
    "false && rm() { :; }; rm -rf /",
    "alias rm=ls; rm -rf /",
    "x=ls; true && x=rm; $x -rf /",
    "x=rm; false && x=ls; $x -rf /",
    "if a; then d=/tmp/x; else d=/; fi; rm -rf $d",
    "case $1 in a) c=rm;; b) c=ls;; esac; $c -rf /",
    'false || set -- rm -rf /; "$@"',
  ])("%s is denied", (text) => {
    expect(decide(text)).toBe("deny");
  });
});

describe("P14 unknown values", () => {
  it.each<[string, string]>([
    ["$X a", "ask"],
    ["$SUDO rm -rf /", "deny"],
    ['rm -rf "$X"/*', "deny"],
    ['rm -rf "$X"/build', "ask"],
    ["cat $X", "ask"],
    ["echo $X", "allow"],
    ["ls $X", "allow"],
    ["find $X", "ask"],
    ["/bin/r? -rf /", "deny"],
    ["/bin/z? x", "ask"],
    ['run() { echo "$1"; shift; "$@"; }; run list ls -la', "allow"],
    ['run() { "$@"; }; run rm -rf /', "deny"],
    ['run() { "$@"; }; run invented-program', "ask"],
    ['run() { "$@"; }; run $(cat names)', "ask"],
    ['run() { $(cat names) "$@"; }', "ask"],
    ["gh run view $(gh run list --json databaseId -q '.[0].databaseId')", "allow"],
    ["gh run view $(gh run list --json name -q '.[0].name')", "ask"],
  ])("%s is %s", (text, expected) => {
    expect(decide(text)).toBe(expected);
  });
});

describe("P13 a trap sees the variables that are set after it", () => {
  it.each([
    'trap \'rm -f "$tmp"\' EXIT; tmp=$(mktemp); jq . a.json > "$tmp"',
    'trap \'rm -f "$out" "$err"\' EXIT; out=$(mktemp); err=$(mktemp); npm test >"$out" 2>"$err"',
    'set -e; trap \'rm -rf "$work"\' EXIT INT TERM; work=$(mktemp -d); cp -r fixtures "$work"',
  ])("%j runs", (text) => {
    expect(decide(text)).toBe("allow");
  });

  it.each([
    "trap 'rm -rf \"$d\"' EXIT",
    "trap 'rm -rf \"$d\"' EXIT; d=src",
    "trap 'rm -rf \"$d\"' EXIT; d=src; exit; d=$(mktemp -d)",
    "trap 'rm -rf \"$d\"' EXIT; for d in src; do exit; done; d=$(mktemp -d)",
    "trap 'rm -rf \"$d\"' EXIT; read d; d=$(mktemp -d)",
    "trap 'rm -rf \"$d\"/*' EXIT; d=$(mktemp -d)",
  ])("%j does not", (text) => {
    expect(decide(text)).not.toBe("allow");
  });
});
