import { SerializeAddon } from "@xterm/addon-serialize";
import { describe, expect, it } from "vitest";
import { Emulator } from "./emulator.ts";
import { ScrolledLines } from "./screen/scrolled-lines.ts";
import { serialiseScreen } from "./screen/serialise-screen.ts";

const size = { cols: 30, rows: 6, scrollbackLines: 200 };

describe("the emulator internals that we use", () => {
  it("exist: a new version may move them", () => {
    const { internals } = new Emulator(size);

    expect(internals.writeSync).toBeTypeOf("function");
    expect(internals.registerCsiHandler).toBeTypeOf("function");
    expect(internals.buffers.normal).toMatchObject({
      x: 0,
      y: 0,
      ybase: 0,
      ydisp: 0,
      savedX: 0,
      savedY: 0,
      scrollTop: 0,
    });
    expect(internals.buffers.normal.lines.onTrim).toBeTypeOf("function");
    expect(internals.buffers.normal).toMatchObject({ scrollBottom: 5, tabs: { 0: true, 8: true } });
    expect(internals.buffers.alt.savedCurAttrData.getFgColor()).toBe(-1);
    expect(internals.coreService).toMatchObject({ isCursorHidden: false, decPrivateModes: {} });
    expect(internals.coreMouseService.activeEncoding).toBe("DEFAULT");
    expect(internals._charsetService).toMatchObject({ glevel: 0, _charsets: [] });
    expect(internals._oscLinkService.getLinkData(1)).toBeUndefined();
    expect(internals._inputHandler._curAttrData).toMatchObject({ fg: 0, bg: 0, extended: { ext: 0, urlId: 0 } });
    expect(internals._inputHandler._parser.currentState).toBe(0);
  });

  it("limits the number of links", () => {
    const emulator = new Emulator(size);
    for (let index = 0; index < 1_500; index++) emulator.write(`\x1b]8;;http://x/${index}\x1b\\y\x1b]8;;\x1b\\`);

    expect(emulator.internals._oscLinkService._dataByLinkId.size).toBe(1_000);
    expect(emulator.normal.getLine(0)?.translateToString(true)).toBe("y".repeat(30));
  });

  it("lets a handler change a count before it is used", () => {
    const emulator = new Emulator(size);
    emulator.write("x\x1b[2147483647b");

    expect(emulator.normal.getLine(0)?.translateToString(true)).toBe("x".repeat(30));
    expect(emulator.normal.getLine(1)?.translateToString(true)).toBe("x");
  });

  it("reports which lines left the screen, even when it reuses their memory and after a full reset", () => {
    const emulator = new Emulator({ cols: 30, rows: 6, scrollbackLines: 10 });
    const scrolled = new ScrolledLines(emulator);
    const next = (output: string) => {
      emulator.write(output);
      const { fromRow, toRow } = scrolled.next();
      return Array.from({ length: toRow - fromRow }, (_, index) =>
        emulator.normal.getLine(fromRow + index)?.translateToString(true),
      );
    };

    expect(next("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8")).toEqual(["1", "2"]);
    expect(next("\r\n9".repeat(9))).toEqual(["3", "4", "5", "6", "7", "8", "9", "9", "9"]);
    expect(next("\r\nx".repeat(6))).toEqual(["9", "9", "9", "9", "9", "9"]);
    expect(next("\x1b[3J")).toEqual([]);
    expect(next("\x1bca\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng")).toEqual(["a"]);
  });
});

describe("our serialiser and the emulator's own", () => {
  const outputs = [
    Array.from({ length: 60 }, (_, index) => `\x1b[3${index % 8}mline ${index}\x1b[0m`).join("\r\n"),
    `${"0123456789".repeat(7)}\r\n日本語日本語日本語日本語日本語日本語\r\n\x1b[44m\x1b[K\x1b[0mdone`,
    "shell\r\n\x1b[?1049h\x1b[2J\x1b[3;4H\x1b[7mmenu\x1b[0m",
  ];

  it.each(outputs)("agree on the contents (%#)", (output) => {
    const read = (bytes: string) => {
      const emulator = new Emulator(size);
      const addon = new SerializeAddon();
      emulator.terminal.loadAddon(addon);
      emulator.write(bytes);
      return { ours: serialiseScreen(emulator, { scrollbackLines: 200, title: "" }), theirs: addon.serialize() };
    };
    const original = read(output);

    expect(read(original.ours)).toEqual(original);
  });
});
