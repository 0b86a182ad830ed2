import fc from "fast-check";
import { expect, it } from "vitest";
import { CappedOutput } from "./capped-output.ts";

it("C1 property: keeps exactly the first and the last half, for chunks of any size", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 40 })), (chunks) => {
      const capped = new CappedOutput(20);
      for (const chunk of chunks) capped.append(Buffer.from(chunk));
      const whole = chunks.join("");

      expect(capped.omittedBytes).toBe(Math.max(0, whole.length - 20));
      const text = capped.toText();
      if (capped.omittedBytes === 0) expect(text).toBe(whole);
      else expect([text.slice(0, 10), text.slice(-10)]).toEqual([whole.slice(0, 10), whole.slice(-10)]);
    }),
  );
});
