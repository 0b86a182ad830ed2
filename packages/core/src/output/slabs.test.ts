import { describe, expect, it } from "vitest";
import { OutputLog } from "./output-log.ts";
import { keep, letGo, SLAB_BYTES, takeSlab } from "./slabs.ts";

describe("the buffers of a flood", () => {
  it("B8 a slab is used again only after everything that kept some of it has let go", () => {
    const slab = takeSlab();
    const first = keep(slab.subarray(0, 10));
    const second = keep(slab.subarray(10, 20));
    letGo(slab);
    letGo(second);
    const other = takeSlab();
    expect(other.buffer).not.toBe(slab.buffer);
    letGo(first);
    const again = takeSlab();
    expect(again.buffer).toBe(slab.buffer);
    expect(again.byteLength).toBe(SLAB_BYTES);
    letGo(again);
    letGo(other);
  });

  it("B8 bytes from elsewhere need no keeping", () => {
    const bytes = Buffer.from("own memory");
    expect(keep(bytes)).toBe(bytes);
    letGo(bytes);
    letGo(bytes);
    expect(takeSlab().buffer).not.toBe(bytes.buffer);
  });

  it("B8 a log hands out the appended chunks themselves to readers that keep slabs, and copies to all others", () => {
    const log = new OutputLog({ maxBytes: 1024 * 1024, keepsChunks: true });
    const slab = takeSlab().fill("a");
    log.append(slab);
    letGo(slab);
    expect(log.next(0, SLAB_BYTES, "slabs").bytes.buffer).toBe(slab.buffer);
    const copy = log.next(0, SLAB_BYTES, "copies").bytes;
    for (let at = 0; at < 8; at++) {
      const next = takeSlab().fill("b");
      log.append(next);
      letGo(next);
    }
    expect(copy.equals(Buffer.alloc(copy.byteLength, "a"))).toBe(true);
    expect(log.read(0, SLAB_BYTES).bytes.equals(Buffer.alloc(SLAB_BYTES, "a"))).toBe(true);
  });
});
