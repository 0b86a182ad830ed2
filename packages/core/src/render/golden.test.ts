import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { Screen } from "./screen/screen.ts";
import { readScreenText } from "./screen-text.ts";

// Many small cases in one test: seconds, where the machine is busy with others.
vi.setConfig({ testTimeout: 60_000 });

/**
 * Each `golden/NAME.raw` is what a real program printed into a terminal of
 * 80 by 24; `NAME.txt` is our rendering of it, checked by eye. It guards against
 * regressions; it was not taken from another emulator.
 */
const folder = new URL("./golden/", import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".raw"))
  .map((name) => name.slice(0, -".raw".length));
const size = { cols: 80, rows: 24 };

const rawOf = (name: string) => readFileSync(new URL(`${name}.raw`, folder));

function seen(pieces: Uint8Array[]): string {
  const { text, alternateScreen } = readScreenText(pieces, size);
  return alternateScreen === null ? `${text}\n` : `${text}\n=== full screen ===\n${alternateScreen}\n`;
}

describe("D6 output of real programs reads as a person would see it", () => {
  it.each(names)("D6 %s", (name) => {
    expect(seen([rawOf(name)])).toBe(readFileSync(new URL(`${name}.txt`, folder), "utf8"));
  });

  it.each(names)("D6 %s, in chunks of any size", (name) => {
    const raw = rawOf(name);
    const whole = seen([raw]);

    for (let at = 1; at < raw.byteLength; at += 37) {
      expect(seen([raw.subarray(0, at), raw.subarray(at)])).toBe(whole);
    }
  });
});

describe("a viewer who attaches in the middle ends up with the same screen", () => {
  it.each(names)("%s", (name) => {
    const raw = rawOf(name);
    const whole = new Screen(size, 0);
    whole.feed(0, raw);
    const expected = whole.snapshot({ scrollbackLines: 100 });

    for (let at = 0; at < raw.byteLength; at += 53) {
      const before = new Screen(size, 0);
      before.feed(0, raw.subarray(0, at));
      const attached = new Screen(size, 0);
      const { bytes } = before.snapshot({ scrollbackLines: 100 });
      attached.feed(0, bytes);
      attached.feed(bytes.byteLength, raw.subarray(at));
      expect(Buffer.from(attached.snapshot({ scrollbackLines: 100 }).bytes).toString()).toBe(
        Buffer.from(expected.bytes).toString(),
      );
    }
  });
});
