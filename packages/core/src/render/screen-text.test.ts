import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readScreenText } from "./screen-text.ts";

// Many small cases in one test: seconds, where the machine is busy with others.
vi.setConfig({ testTimeout: 60_000 });

const size = { cols: 20, rows: 5 };

function render(output: string | Uint8Array, screen = size): string {
  return readScreenText([Buffer.from(output)], screen).text;
}

describe("D6 text for a model is what a person would see", () => {
  const cases: [why: string, output: string, text: string][] = [
    ["a carriage return overwrites", "10%\r50%\r100%\r\ndone\r\n", "100%\ndone"],
    ["a shorter line leaves the rest of a longer one", "download\rok\r\n", "okwnload"],
    ["erasing to the end of the line does not", "download\r\x1b[Kok\r\n", "ok"],
    ["backspaces edit", "abx\bc\r\n", "abc"],
    ["colours and links vanish", "\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07\r\n", "red link"],
    ["titles vanish", "\x1b]0;a title\x07text\x1b]2;other\x1b\\ more", "text more"],
    ["cursor moves draw", "\x1b[2;3Hb\x1b[1;1Ha", "a\n  b"],
    ["progress over several lines is drawn once", "a 1\r\nb 1\r\n\x1b[2Aa 2\r\nb 2\r\n", "a 2\nb 2"],
    ["a clear clears", "old\r\n\x1b[H\x1b[2J\x1b[3Jnew\r\n", "new"],
    ["a reset clears", "old\r\nold\r\n\x1bcnew", "new"],
    ["a wrapped line is one line", "0123456789abcdefghijKLM\r\nnext", "0123456789abcdefghijKLM\nnext"],
    ["wide characters take two columns", "日本語\rx\r\n", "x 本語"],
    ["a wide character that does not fit wraps whole", "0123456789abcdefghi日本", "0123456789abcdefghi日本"],
    ["emoji and combining marks survive", "e\u0301 👍 né\r\n", "e\u0301 👍 né"],
    ["right-to-left text keeps its order", "שלום עולם\r\nمرحبا", "שלום עולם\nمرحبا"],
    ["line drawing is drawn", "\x1b(0lqk\x1b(B|", "┌─┐|"],
    ["tabs move", "a\tb", "a       b"],
    ["trailing spaces and empty lines are dropped", "a   \r\n\r\n  \r\n", "a"],
    ["broken UTF-8 shows as a replacement or not at all", "a\xffb", "aÿb"],
    ["a sequence cut off at the end shows nothing", "text\x1b[38;5", "text"],
    ["C1 controls are controls", "a\u009b1mb", "ab"],
    ["repeat draws", "-\x1b[4b|", "-----|"],
  ];

  it.each(cases)("D6 %s", (_why, output, text) => {
    expect(render(output)).toBe(text);
  });

  it("D6 treats a newline from a pipe as a line end", () => {
    const output = Buffer.from("one\n\x1b[32mtwo\x1b[0m\n10%\r100%\n");

    expect(readScreenText([output], { ...size, isFromPipe: true }).text).toBe("one\ntwo\n100%");
    expect(readScreenText([output], size).text).toBe("one\n   two\n100%  10%");
  });

  it("D6 keeps every line that scrolled away, across chunks", () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`);

    expect(render(lines.join("\r\n"))).toBe(lines.join("\n"));
  });

  it("D6 joins a line that wraps over many rows and chunks", () => {
    const long = "0123456789".repeat(5_000);

    expect(render(`a\r\n${long}\r\nb`)).toBe(`a\n${long}\nb`);
  });

  it("D6 drops the scrollback when the program erases it", () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}\r\n`).join("");

    expect(render(`${lines}\x1b[H\x1b[2J\x1b[3Jfresh`)).toBe("fresh");
  });

  it("D6 returns the screen of an active full-screen program separately", () => {
    const up = readScreenText([Buffer.from("before\r\n\x1b[?1049h\x1b[Hmenu\r\n> item")], size);
    const gone = readScreenText([Buffer.from("before\r\n\x1b[?1049h\x1b[Hmenu\x1b[?1049lafter")], size);

    expect(up).toEqual({ text: "before", alternateScreen: "menu\n> item" });
    expect(gone).toEqual({ text: "before\nafter", alternateScreen: null });
  });
});

describe("sequences that hang or break an emulator", () => {
  const finals = [
    "b",
    "L",
    "M",
    "S",
    "T",
    "Z",
    "I",
    "@",
    "P",
    "X",
    " @",
    " A",
    "'}",
    "'~",
    "A",
    "B",
    "C",
    "E",
    "G",
    "d",
  ];

  it.each(finals)("D6 a huge count of CSI %s returns at once", (final) => {
    const text = render(`one\r\ntwo\r\nx\x1b[2147483647${final}`.repeat(200));

    expect(text).toBeTypeOf("string");
  });

  it("D6 a count split over chunks is clamped as well", () => {
    const pieces = ["x\x1b[21474", "83647", "b"].map((piece) => Buffer.from(piece));

    expect(readScreenText(pieces, size).text).toBe("x".repeat(21));
  });

  it("D6 erasing above the last cell does not throw", () => {
    expect(render("text\x1b[5;20H\x1b[1Jx")).toBe(`\n\n\n\n${" ".repeat(19)}x`);
    expect(render("text\x1b[5;20H\x1b[?1Jx")).toContain("x");
  });

  it("D6 a cell with very many combining marks is not multiplied", () => {
    const text = render(`a${"\u0301".repeat(100_000)}\x1b[2147483647b`);

    expect(text.startsWith("a\u0301")).toBe(true);
  });
});

it("D6 a character that arrives in two chunks is shown, wherever it was split", () => {
  for (const text of ["–", "“", "　", "\u{40000}", "é", "日"]) {
    const bytes = new Uint8Array(Buffer.from(`a${text}b`));
    for (let at = 1; at < bytes.byteLength; at++)
      expect(readScreenText([bytes.subarray(0, at), bytes.subarray(at)], size).text).toBe(`a${text}b`);
  }
});

it("D6 property: no bytes make it throw, and chunking has no effect", () => {
  const fragment = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      "\r\n",
      "\r",
      "\n",
      "\b",
      "\t",
      "\x1bc",
      "\x1bM",
      "\x1bD",
      "\x1b7",
      "\x1b8",
      "\x1b#8",
      "日",
      "👍",
      "\x9b",
    ),
    fc.constantFrom(
      "\x1b[?1049h",
      "\x1b[?1049l",
      "\x1b[?47h",
      "\x1b[?6h",
      "\x1b[?7l",
      "\x1b[4h",
      "\x1b[2;3r",
      "\x1b[!p",
    ),
    fc
      .tuple(
        fc.constantFrom("", "?", ">", "="),
        fc.array(fc.constantFrom(0, 1, 2, 3, 5, 19, 20, 99, 2_147_483_647), { maxLength: 3 }),
        fc.constantFrom("", " ", "'", '"', "$", "!"),
        fc.integer({ min: 0x40, max: 0x7e }),
      )
      .map(
        ([prefix, numbers, between, final]) =>
          `\x1b[${prefix}${numbers.join(";")}${between}${String.fromCharCode(final)}`,
      ),
  );
  const output = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.array(fragment, { maxLength: 60 }).map((parts) => new Uint8Array(Buffer.from(parts.join("")))),
  );

  fc.assert(
    fc.property(output, fc.nat(400), (bytes, at) => {
      const whole = readScreenText([bytes], size);
      const cut = readScreenText([bytes.subarray(0, at), bytes.subarray(at)], size);
      expect(cut).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});
