import fc from "fast-check";
import { expect, it } from "vitest";
import { stripControls } from "./plain-text.ts";

it.each([
  ["colours", "\x1b[1;31mred\x1b[0m", "red"],
  ["titles, however they end", "\x1b]0;a\x07x\x1b]2;b\x1b\\y\x1bPq\x1b\\z", "xyz"],
  ["charsets and single escapes", "\x1b(0a\x1b=b\x1bMc", "abc"],
  ["carriage returns, but not newlines or tabs", "a\r\n\tb\x07", "a\n\tb"],
  ["C1 controls", "a\u009b31mb\u009dtitle\u009cc", "abc"],
  ["a sequence that never ends", "a\x1b]0;never", "a"],
])("D6 plain text leaves out %s", (_what, output, text) => {
  expect(stripControls(Buffer.from(output))).toBe(text);
});

it("D6 property: plain text never has a control character but newline and tab", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(stripControls(bytes)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }),
  );
});
