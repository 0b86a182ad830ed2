import fc from "fast-check";
import { expect, test } from "vitest";
import { findSequence } from "./find-sequence.ts";

const SEQUENCE = Buffer.from("\x1b[?");

test("D2 every place of a sequence is found, in any output", () => {
  const piece = fc.constantFrom("\x1b[?", "\x1b[", "\x1b", "?", "[?", "text ", "????????????????");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
      const bytes = Buffer.from(pieces.join(""));

      expect([...findSequence(bytes, SEQUENCE)]).toEqual(placesOneByOne(bytes));
    }),
  );
});

function placesOneByOne(bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = 0; at < bytes.byteLength; at += 1) {
    if (bytes.subarray(at, at + SEQUENCE.byteLength).equals(SEQUENCE)) places.push(at);
  }
  return places;
}
