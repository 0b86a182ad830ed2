import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputLog } from "./output-log.ts";

const read = (log: OutputLog, from: number, max = Number.MAX_SAFE_INTEGER) => {
  const { fromPosition, missedBytes, bytes } = log.read(from, max);
  return { fromPosition, missedBytes, text: bytes.toString() };
};

describe("OutputLog", () => {
  it("A9 tells a late reader how much it missed", () => {
    const log = new OutputLog({ maxBytes: 4 });
    for (const word of ["aaaa", "bbbb", "cccc"]) log.append(Buffer.from(word));

    expect(read(log, 2)).toEqual({ fromPosition: 8, missedBytes: 6, text: "cccc" });
  });

  it("C8 reads from any position up to the end", () => {
    const log = new OutputLog({ maxBytes: 100 });
    log.append(Buffer.from("0123456789"));

    expect(read(log, 3, 4)).toEqual({ fromPosition: 3, missedBytes: 0, text: "3456" });
    expect(read(log, 99)).toEqual({ fromPosition: 10, missedBytes: 0, text: "" });
  });

  it("A9 keeps the end of a chunk larger than itself", () => {
    const log = new OutputLog({ maxBytes: 3 });
    log.append(Buffer.from("abcdefgh"));

    expect(read(log, 0)).toEqual({ fromPosition: 5, missedBytes: 5, text: "fgh" });
  });

  it("later output does not change a slice", () => {
    const log = new OutputLog({ maxBytes: 4 });
    log.append(Buffer.from("abcd"));
    const { bytes } = log.read(0, 4);

    log.append(Buffer.from("wxyz"));

    expect(bytes.toString()).toBe("abcd");
  });

  it("C8 readers at the same place share one slice", () => {
    const log = new OutputLog({ maxBytes: 100_000 });
    log.append(Buffer.alloc(50_000, "a"));

    expect(log.read(1, 40_000).bytes).toBe(log.read(1, 40_000).bytes);
    expect(log.read(1, 40_001).bytes).toEqual(Buffer.alloc(40_001, "a"));
  });

  it("A9 holds the end of everything appended, in chunks of any size", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 12 }),
        fc.nat(60_000),
        (maxBytes, chunks, from) => {
          const log = new OutputLog({ maxBytes });
          for (const chunk of chunks) log.append(Buffer.from(chunk));
          const all = Buffer.concat(chunks);

          const slice = log.read(from, maxBytes);

          expect(log.endPosition).toBe(all.byteLength);
          expect(slice.bytes.equals(all.subarray(slice.fromPosition))).toBe(true);
          expect(slice.fromPosition).toBe(Math.min(all.byteLength, Math.max(from, all.byteLength - maxBytes)));
        },
      ),
    );
  });
});
