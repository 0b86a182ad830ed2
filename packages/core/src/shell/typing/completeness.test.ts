import { describe, expect, it } from "vitest";
import { checkCanBeTyped, findOpenEnd } from "./completeness.ts";

describe("a text that is incomplete", () => {
  it.each([
    ["echo 'open", "a ' is open"],
    ['echo "open', 'a " is open'],
    ["echo 'it'\\''s", "a ' is open"],
    ["echo $'it\\'s", "a ' is open"],
    ["ls \\", "a backslash at its end"],
    ["cat <<END\ntext", 'the here-document "END" is open'],
    ["cat <<'END'", 'the here-document "END" is open'],
    ["cat <<A <<B\na\nA\nb", 'the here-document "B" is open'],
  ])("D2 %j", (line, open) => expect(findOpenEnd(line, "bash")).toBe(open));

  it.each([
    "echo 'a' \"b'c\" d\\'e",
    "echo $'it\\'s'",
    "cat <<END\n'unclosed \"quotes\nEND",
    "cat <<-END\n\ttext\n\tEND\necho after",
    "cat <<A <<'B'\na\nA\nb\nB",
    "cat <<< 'here string'",
    "echo $((1<<2))",
    "echo it # isn't a quote",
    'echo "a # b"',
    "echo a\\\nb",
  ])("D2 is whole: %j", (line) => expect(findOpenEnd(line, "bash")).toBe(null));

  it("D2 fish has no here-docs, and a backslash counts inside its quotes", () => {
    expect(findOpenEnd("echo 'it\\'s'", "fish")).toBe(null);
    expect(findOpenEnd("math 1 '<<' 2", "fish")).toBe(null);
  });

  it("D2 text that cannot be typed is refused", () => {
    expect(() => checkCanBeTyped("echo \x1b[201~rm", "bash")).toThrow(
      expect.objectContaining({ code: "incomplete-command" }),
    );
    expect(() => checkCanBeTyped("echo \0", "bash")).toThrow(expect.objectContaining({ code: "incomplete-command" }));
    expect(() => checkCanBeTyped("x".repeat(300_000), "bash")).toThrow(
      expect.objectContaining({ code: "command-too-long" }),
    );
  });
});
