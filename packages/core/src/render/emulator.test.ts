import { SerializeAddon } from "@xterm/addon-serialize";
import { describe, expect, it } from "vitest";
import { Emulator } from "./emulator.ts";
import { serialiseScreen } from "./serialise-screen.ts";

const size = { cols: 30, rows: 6, scrollbackLines: 200 };

describe("what we lean on inside the emulator", () => {
  it("is there: a new version may move it", () => {
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
    expect(internals.buffers.normal).toMatchObject({ scrollBottom: 5, tabs: { 0: true, 8: true } });
    expect(internals.buffers.alt.savedCurAttrData.getFgColor()).toBe(-1);
    expect(internals.coreService).toMatchObject({ isCursorHidden: false, decPrivateModes: {} });
    expect(internals.coreMouseService.activeEncoding).toBe("DEFAULT");
    expect(internals._charsetService).toMatchObject({ glevel: 0, _charsets: [] });
    expect(internals._oscLinkService.getLinkData(1)).toBeUndefined();
    expect(internals._inputHandler._curAttrData).toMatchObject({ fg: 0, bg: 0, extended: { ext: 0, urlId: 0 } });
    expect(internals._inputHandler._parser.currentState).toBe(0);
  });

  it("lets a handler change a count before it is acted upon", () => {
    const emulator = new Emulator(size);
    emulator.write("x\x1b[2147483647b");

    expect(emulator.normal.getLine(0)?.translateToString(true)).toBe("x".repeat(30));
    expect(emulator.normal.getLine(1)?.translateToString(true)).toBe("x");
  });

  it("forgets scrollback, and goes on as before", () => {
    const emulator = new Emulator(size);
    emulator.write("a\r\n".repeat(50));
    emulator.dropScrollback(emulator.normal.baseY);
    emulator.write("b\r\n".repeat(7));

    expect(emulator.normal.baseY).toBe(7);
    expect(emulator.normal.getLine(7)?.translateToString(true)).toBe("b");
  });
});

describe("our serialiser and the emulator's own", () => {
  const outputs = [
    Array.from({ length: 60 }, (_, index) => `\x1b[3${index % 8}mline ${index}\x1b[0m`).join("\r\n"),
    `${"0123456789".repeat(7)}\r\n日本語日本語日本語日本語日本語日本語\r\n\x1b[44m\x1b[K\x1b[0mdone`,
    "shell\r\n\x1b[?1049h\x1b[2J\x1b[3;4H\x1b[7mmenu\x1b[0m",
  ];

  it.each(outputs)("agree on what is there (%#)", (output) => {
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
