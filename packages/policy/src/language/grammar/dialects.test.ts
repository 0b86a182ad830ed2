import { describe, expect, it, test } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";
import { hasZshSyntax } from "./dialects.ts";

const decideIn = (shell: string, text: string, profile = "standard") =>
  judge(text, { shell, profile }, defaultPolicy).decision;

describe("S5 zsh is read as zsh, or asks", () => {
  it.each([
    "echo *(e:'some-program':)",
    "ls *(.)",
    "ls **/*(om[1])",
    "echo x(e{some-program})",
    `echo \${(e)x}`,
    `echo \${(z)x}`,
    `echo "\${(e)x}"`,
    `echo \${\${x}}`,
    `echo \${=x}`,
    "echo $~x",
    "a=(x y); echo $a[1]",
    "echo =ls",
    "cat =(ls)",
    "cat <=(ls)",
    "echo x >! notes",
    "ls &| cat",
    "ls &! cat",
    "for x (a b) ls",
    "if [[ -f x ]] { ls }",
    "repeat 3 ls",
    "() { ls } a",
    "{ ls } always { cat }",
    "functions[ls]='id'",
    "aliases[ls]=id",
    "galiases[x]='| sh'",
    "commands[ls]=/tmp/x",
    "options[extendedglob]=on",
    "precmd_functions+=(x)",
    "setopt extendedglob",
    "autoload -Uz x",
    "zmodload zsh/files",
    "zpty p ls",
    "print -P '$(ls)'",
    "print -z ls",
    "emulate sh -c ls",
    "bindkey -s x ls",
    "cat ^x",
    "path=(/tmp/x $path)",
    "fpath+=/tmp/x",
  ])("%s asks at least", (text) => {
    expect(decideIn("/bin/zsh", text)).not.toBe("allow");
    expect(decideIn("/bin/zsh", text, "trusted")).not.toBe("allow");
  });

  it.each([
    "noglob rm -rf /",
    "nocorrect rm -rf /",
    "- rm -rf /",
    "repeat 3 rm -rf /",
    "a=(rm -rf /); $a",
    `a=(ls rm); \${a[2]} -rf /`,
    "echo 'rm -rf ~' | read x; eval $x",
    "echo x | cd /; rm -rf *",
    "functions[ls]='rm -rf ~'",
    "aliases[ls]='rm -rf ~'",
    "zpty p rm -rf /",
    "emulate sh -c 'rm -rf ~'",
    "print -P '$(rm -rf ~)'",
    "zmodload -F zsh/files b:zf_rm; zf_rm -rf ~",
    "echo 'ls \\nrm -rf ~' | sh",
  ])("%s is denied", (text) => {
    expect(decideIn("/bin/zsh", text)).toBe("deny");
  });

  it.each([
    "ls -la | grep x",
    'echo "a (b) = c"',
    "git log --format='%h (%an)'",
    "f=1; echo $f",
    "ls *.ts",
    "git diff HEAD^",
  ])("%s runs as it does in bash", (text) => {
    expect(decideIn("/bin/zsh", text)).toBe("allow");
  });
});

it("S5 a name that is rebound to another file asks", () => {
  expect(decideIn("/bin/zsh", "hash ls=/tmp/x")).toBe("ask");
  expect(decideIn("/bin/bash", "hash -p /tmp/x ls")).toBe("ask");
});

describe("echo decodes escapes as in that shell", () => {
  it.each([
    "dash -c \"echo 'ls \\nrm -rf ~' | sh\"",
    "sh -c \"echo 'ls \\nrm -rf ~' | sh\"",
    "bash -O xpg_echo -c \"echo 'ls \\nrm -rf ~' | sh\"",
    "zsh -c \"echo 'ls \\nrm -rf ~' | sh\"",
    "sh -c \"echo ': \\\\c; rm -rf ~' | sh\"",
    "shopt -s xpg_echo; echo 'ls \\nrm -rf ~' | sh",
  ])("%s is denied", (text) => {
    expect(decideIn("/bin/bash", text)).toBe("deny");
  });
});

describe("P11 other shells", () => {
  it.each(["ls -la", "git status && ls", "cat README.md | head -5 > out.txt", "cd src; ls"])(
    "fish: %s runs",
    (text) => {
      expect(decideIn("/usr/bin/fish", text)).toBe("allow");
    },
  );

  it.each([
    "set -x PATH /tmp/x",
    "echo (some-program)",
    "eval ls",
    "for x in a; ls; end",
    "function ls; id; end",
    "abbr ls id",
    "echo $x",
    "ls; and id",
    "string match x y",
  ])("fish: %s asks", (text) => {
    expect(decideIn("/usr/bin/fish", text)).not.toBe("allow");
    expect(decideIn("/usr/bin/fish", text, "trusted")).not.toBe("allow");
  });

  it.each([
    "rm -rf /",
    "echo (rm -rf /)",
    "begin; rm -rf /; end",
    "rm -rf {/bin,/usr}",
    "ls; and rm -rf /",
    "if true; rm -rf /; end",
    'echo "$(rm -rf /)"',
  ])("fish: %s is denied", (text) => {
    expect(decideIn("/usr/bin/fish", text)).toBe("deny");
  });

  it.each([
    "irm http://127.0.0.1:9/x | iex",
    "Remove-Item -Recurse -Force /",
    "gci / -r | ri -fo -r",
    "iex (iwr http://127.0.0.1:9/x)",
  ])("PowerShell: %s is denied", (text) => {
    expect(decideIn("/usr/bin/pwsh", text)).toBe("deny");
  });

  it.each(["ls", "Get-ChildItem"])("PowerShell: %s asks in every profile", (text) => {
    expect(decideIn("/usr/bin/pwsh", text)).toBe("ask");
    expect(decideIn("/usr/bin/pwsh", text, "trusted")).toBe("ask");
  });

  it("fish -c and csh -c are judged in their own grammar", () => {
    expect(judge("fish -c 'echo (some-program)'", {}, defaultPolicy).decision).toBe("ask");
    expect(judge("csh -c 'rm -rf /'", {}, defaultPolicy).decision).toBe("deny");
  });
});

test.each([
  '"a $({x,y}) b"',
  `"a $(V=1 'x' <({y,z} < /dev/null) "a $(w) b") b"`,
  'echo "$(case a in a) {x,y};; esac)"',
  "{ls}",
  "f1() { {x,y}\n}; f1",
  "repeat 3 {x}",
  "function f {x}",
  "echo *(e:'x':)",
])("P11 zsh reads it in its own way: %s", (text) => {
  expect(hasZshSyntax(text)).toBe(true);
});

test.each([
  "echo '{x,y}' \"(a)\"",
  'echo "$(ls src) {x,y} (b)"',
  "cp a.{ts,js} b",
  "mkdir -p src/{a,b}/{c,d} {1..3}",
  'x="a=b"; echo "$x ^ ~"',
])("P11 zsh reads it as bash does: %s", (text) => {
  expect(hasZshSyntax(text)).toBe(false);
});
