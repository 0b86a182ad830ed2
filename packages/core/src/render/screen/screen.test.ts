import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Emulator } from "../emulator.ts";
import { Screen } from "./screen.ts";

// Many small cases in one test: seconds, where the machine is busy with others.
vi.setConfig({ testTimeout: 60_000 });

const size = { cols: 12, rows: 4 };

/** The number holds flags besides a colour that an empty cell does not show. */
const COLOUR_BITS = 0x3ffffff;

interface Cell {
  chars: string;
  width: number;
  fg: number;
  bg: number;
}

/** Everything visible, and the modes. */
function look(emulator: Emulator) {
  const { terminal } = emulator;
  const screen = terminal.buffer.active;
  const rows: Cell[][] = [];
  for (let row = 0; row < terminal.rows; row++) {
    const line = screen.getLine(screen.baseY + row);
    rows.push(
      Array.from({ length: terminal.cols }, (_, column) => {
        const cell = line?.getCell(column) as unknown as { fg: number; bg: number } | undefined;
        const printed = line?.getCell(column)?.getChars() ?? "";
        // A plain space and an empty cell look the same: both show only their background.
        const chars = printed === " " && cell?.fg === 0 ? "" : printed;
        return chars === ""
          ? { chars, width: 1, fg: 0, bg: (cell?.bg ?? 0) & COLOUR_BITS }
          : { chars, width: line?.getCell(column)?.getWidth() ?? 1, fg: cell?.fg ?? 0, bg: cell?.bg ?? 0 };
      }),
    );
  }
  return { rows, cursor: [screen.cursorX, screen.cursorY], type: screen.type, modes: terminal.modes };
}

function show(bytes: Uint8Array | string, onto = new Emulator({ ...size, scrollbackLines: 100 })): Emulator {
  onto.write(bytes);
  return onto;
}

function screenOf(output: string | Uint8Array): Screen {
  const screen = new Screen(size, 0);
  screen.feed(0, Buffer.from(output));
  return screen;
}

const snapshotOf = (output: string | Uint8Array) => screenOf(output).snapshot({ scrollbackLines: 100 });

describe("a snapshot brings a fresh terminal into the same state", () => {
  const cases: [what: string, output: string][] = [
    ["plain text and the cursor", "one\r\ntwo"],
    ["colours and styles", "\x1b[1;31;44mbold\x1b[0;3;38;5;208mit\x1b[38;2;1;2;3;48;2;4;5;6mrgb\x1b[0;2;7;9;53mx"],
    ["underlines", "\x1b[4mone\x1b[4:3mcurly\x1b[58:2::1:2:3mred\x1b[58:5:7mpal"],
    ["a background that was erased with", "\x1b[44m\x1b[2J\x1b[2;3Hx\x1b[K"],
    ["a style for what comes next", "a\x1b[1;32m"],
    ["scrollback", Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\r\n")],
    ["a line that wrapped", "0123456789abcdefghij"],
    ["a cursor about to wrap", "0123456789ab"],
    ["a cursor about to wrap behind a wide character", "0123456789日"],
    ["a cursor about to wrap, in colour", "\x1b[41m0123456789ab\x1b[0m"],
    ["wide characters and emoji", "日本語👍e\u0301"],
    ["a wide character that did not fit", "0123456789a日本"],
    ["the alternate screen, with the normal one behind it", "shell\r\n\x1b[?1049h\x1b[2;2Hmenu"],
    ["a scroll region", "\x1b[2;3rab"],
    ["the origin mode", "\x1b[2;3r\x1b[?6hab\r\nc"],
    ["a saved cursor", "\x1b[2;5H\x1b[31m\x1b7\x1b[0m\x1b[Habc"],
    ["line drawing", "\x1b(0lqk"],
    ["line drawing by shifting", "\x1b)0\x0elqk"],
    ["tab stops", "\x1b[3g\x1b[1;4H\x1bH\x1b[1;9H\x1bH\rx"],
    ["insert mode", "abc\r\x1b[4h"],
    ["no wrapping", "\x1b[?7l0123456789abcdef"],
    ["modes for keys, paste, focus and mouse", "\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1003h\x1b[?1006h"],
    ["a sequence that is not finished", "a\x1b[3"],
    ["a string that is not finished", "a\x1b]2;tit"],
    ["a character that is not finished", "日本".slice(0, 1)],
  ];
  const continuation = "\x1b8Q\x1b[5Cxy\tz\r\nmore\x1b[A!\nqqq";

  it.each(cases)("%s", (_what, output) => {
    const { bytes } = snapshotOf(output);
    const original = show(output);
    const restored = show(bytes);

    expect(look(restored)).toEqual(look(original));
    // The next output must look the same, too.
    expect(look(show(continuation, restored))).toEqual(look(show(continuation, original)));
  });

  it("resumes inside a sequence, and inside a character", () => {
    const bytes = Buffer.from("\x1b[31mr\x1b]0;ti\x1b\\日");
    for (let cut = 1; cut < bytes.byteLength; cut++) {
      const restored = show(snapshotOf(bytes.subarray(0, cut)).bytes);

      expect(look(show(bytes.subarray(cut), restored))).toEqual(look(show(bytes)));
    }
  });

  it("keeps links", () => {
    const link = "\x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\ not";
    const again = new Screen(size, 0);
    again.feed(0, snapshotOf(link).bytes);

    expect(Buffer.from(again.snapshot({ scrollbackLines: 0 }).bytes).toString()).toContain(
      "\x1b]8;;https://example.org\x1b\\here\x1b[0m\x1b]8;;\x1b\\ not",
    );
  });

  it("has title, cursor shape and hidden cursor", () => {
    const { bytes, title } = snapshotOf("\x1b]2;my title\x07\x1b[5 q\x1b[?25l");
    const restored = new Emulator({ ...size, scrollbackLines: 10 });
    let restoredTitle = "";
    restored.terminal.onTitleChange((text) => {
      restoredTitle = text;
    });
    restored.write(bytes);

    expect([title, restoredTitle]).toEqual(["my title", "my title"]);
    expect(restored.internals.coreService).toMatchObject({
      isCursorHidden: true,
      decPrivateModes: { cursorStyle: "bar", cursorBlink: true },
    });
  });

  it("has as much scrollback as requested", () => {
    const screen = screenOf(Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\r\n"));

    expect(show(screen.snapshot({ scrollbackLines: 0 }).bytes).normal.baseY).toBe(0);
    expect(show(screen.snapshot({ scrollbackLines: 10 }).bytes).normal.baseY).toBe(10);
  });

  it("property: holds for any output, suspended or not, and for any output after it", () => {
    const fragment = fc.oneof(
      fc.string({ maxLength: 14 }),
      fc.constantFrom("\r\n", "\r", "\n", "\b", "\t", "日本", "👍", "e\u0301"),
      fc.constantFrom("\x1bM", "\x1bD", "\x1b7", "\x1b8", "\x1bH"),
      fc.constantFrom(
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b[?6h",
        "\x1b[?6l",
        "\x1b[2;3r",
        "\x1b[r",
        "\x1b[?25l",
        "\x1b[!p",
        "\x1bc",
      ),
      fc.constantFrom(
        "\x1b[31m",
        "\x1b[44m",
        "\x1b[0m",
        "\x1b[1;7m",
        "\x1b[K",
        "\x1b[1K",
        "\x1b[2J",
        "\x1b[J",
        "\x1b[2L",
        "\x1b[M",
      ),
      fc
        .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 13 }))
        .map(([row, column]) => `\x1b[${row};${column}H`),
      fc
        .tuple(fc.nat(14), fc.constantFrom("A", "B", "C", "D", "X", "P", "@", "S", "T"))
        .map(([n, final]) => `\x1b[${n}${final}`),
    );
    const output = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(""));

    fc.assert(
      fc.property(output, output, output, fc.boolean(), (first, second, after, isFrozen) => {
        const screen = screenOf(first);
        // The emulator is created when it is needed, and what is printed after it was suspended waits for that.
        if (isFrozen) {
          screen.snapshot({ scrollbackLines: 0 });
          screen.freeze();
        }
        screen.feed(Buffer.byteLength(first), Buffer.from(second));
        const restored = show(screen.snapshot({ scrollbackLines: 100 }).bytes);
        const original = show(first + second);
        expect(look(restored)).toEqual(look(original));
        expect(look(show(after, restored))).toEqual(look(show(after, original)));
      }),
      { numRuns: 150 },
    );
  });
});

describe("a screen that is fed by position", () => {
  it("skips output that it has seen", () => {
    const screen = screenOf("hello");
    screen.feed(3, Buffer.from("lo world"));

    const { position, isExact, bytes } = screen.snapshot({ scrollbackLines: 0 });
    expect({ position, isExact }).toEqual({ position: 11, isExact: true });
    expect(look(show(bytes))).toEqual(look(show("hello world")));
  });

  it("reports that it missed something", () => {
    const screen = screenOf("hello");
    screen.feed(100, Buffer.from("later"));

    expect(screen.snapshot({ scrollbackLines: 0 })).toMatchObject({ position: 105, isExact: false });
  });

  it("follows a change of size", () => {
    const screen = screenOf("hello");
    screen.resize({ cols: 40, rows: 10 });

    expect(screen.snapshot({ scrollbackLines: 0 })).toMatchObject({ cols: 40, rows: 10, position: 5 });
  });
});
