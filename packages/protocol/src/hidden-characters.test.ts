import { describe, expect, it } from "vitest";
import { characterProblem, hiddenCharacters, showHidden } from "./hidden-characters.ts";

describe("P71 deceptive characters are named", () => {
  it.each([
    ["a right-to-left override", "echo \u202eabc", "echo <U+202E>abc"],
    ["a bidirectional isolate", "echo \u2067abc", "echo <U+2067>abc"],
    ["a zero-width space", "rm\u200b -rf", "rm<U+200B> -rf"],
    ["a blank Braille pattern", "rm\u2800x", "rm<U+2800>x"],
    ["a Hangul filler", "rm\u3164x", "rm<U+3164>x"],
    ["a C1 control", "echo \u009b2J", "echo <U+009B>2J"],
    ["an escape", "echo \u001b[2J", "echo <U+001B>[2J"],
    ["DEL", "a\u007fb", "a<U+007F>b"],
    ["a carriage return", "ls\rrm", "ls<U+000D>rm"],
    ["a no-break space", "rm\u00a0-r", "rm<U+00A0>-r"],
    ["a full-width letter", "\uff52m", "<U+FF52>m"],
    ["a Greek question mark", "ls\u037e rm", "ls<U+037E> rm"],
    ["a division slash", "a\u2215b", "a<U+2215>b"],
    ["a Cyrillic letter among Latin ones", "\u0433m x", "<U+0433>m x"],
    ["a word made of lookalikes only", "\u0441\u043e\u0440\u0443 x", "<U+0441><U+043E><U+0440><U+0443> x"],
    ["a tag character", "a\u{e0041}b", "a<U+E0041>b"],
    ["half a character", "a\ud800b", "a<U+D800>b"],
  ])("%s", (_what, text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });

  it.each([
    "ls -la",
    "grüße aus Köln",
    "привет мир",
    "日本語",
    "“quoted” — dashed",
    "a\nb\tc",
    "x = α + β",
    "naïve café",
  ])("%j is left unchanged", (text) => {
    expect(showHidden(text)).toBe(text);
    expect(characterProblem(text)).toBeNull();
  });

  it("gives their positions in UTF-16 units", () => {
    expect([...hiddenCharacters("😀 \u202e")]).toEqual([[3, "<U+202E>"]]);
  });

  it.each([
    ["echo a\u2800b", "invisible-characters"],
    ["echo \u202e", "invisible-characters"],
    ["ls\u037e x", "mixed-scripts"],
    ["\u0433m x", "mixed-scripts"],
    ["\uff52\uff4d x", "mixed-scripts"],
    ["git commit -m '👩‍👩‍👧 family'", null],
  ] as const)("%j: %s", (text, problem) => {
    expect(characterProblem(text)).toBe(problem);
  });
});
