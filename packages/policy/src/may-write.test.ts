import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import { defaultPolicy } from "./settings/policy.ts";

const policy = defaultPolicy;
const context = { profile: "standard", workspace: "/work", cwd: "/work" };
const mayWrite = (text: string) => judge(text, context, policy).mayWrite;

test.each([
  "ls -la",
  "cat a.txt | grep -n x | head -3",
  "git status",
  "git log --oneline -5",
  "git diff HEAD~1",
  "find . -name '*.ts'",
  "echo hello",
  "cd src && pwd",
  "wc -l < a.txt",
  "ls nothing 2>/dev/null",
  'echo "$(date)"',
  "env | sort",
  "sed -n 1,5p a.txt",
  "jq .name package.json",
])("X9 knows that this is read-only: %s", (text) => {
  expect(mayWrite(text)).toBe(false);
});

test.each([
  "echo hi > a.txt",
  "sed -i s/a/b/ a.txt",
  "git checkout .",
  "git commit -am x",
  "find . -name '*.o' -delete",
  "find . -exec touch {} +",
  "npm test",
  "node build.js",
  "./generate",
  "tee a.txt",
  "sort -o a.txt a.txt",
  "cat a.txt | tee b.txt",
  'echo "$(touch x)"',
  "bash -c 'echo x >> y'",
  "unheard-of-program --list",
  "sed -n 'w out' a.txt",
  "awk '{print > \"f\"}' a.txt",
  "git diff --output=x",
  "xargs rm < list",
  "find $X",
])("X9 treats this as possibly writing: %s", (text) => {
  expect(mayWrite(text)).toBe(true);
});
