import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkerFilter, markerPrefix } from "./markers.ts";

const NONCE = "0123456789abcdef";
const marker = (body: string) => `\x1b${markerPrefix(NONCE)}${body}\x07`;

function filter(chunks: (string | Uint8Array)[]) {
  const seen: string[] = [];
  let output = "";
  const filtered = new MarkerFilter(NONCE, {
    onOutput: (bytes) => {
      output += bytes.toString("latin1");
    },
    onMarker: (found) =>
      seen.push(`${Buffer.byteLength(output, "latin1")} ${found.kind} ${"exitCode" in found ? found.exitCode : ""}`),
  });
  for (const chunk of chunks) filtered.push(Buffer.from(chunk));
  filtered.flush();
  return { seen, output };
}

describe("MarkerFilter", () => {
  it("removes markers and returns their positions", () => {
    const { seen, output } = filter([`a${marker("C;7")}bc${marker("D;7;bash;3")}$ `]);

    expect(output).toBe("abc$ ");
    expect(seen).toEqual(["1 started ", "3 ended 3"]);
  });

  it.each([
    ["another nonce", "\x1b]7337;ffff;P;1;bash;0;/\x07"],
    ["other sequences", "\x1b]0;title\x07\x1b[0m\x1b]7337;"],
    ["one without an end", `\x1b${markerPrefix(NONCE)}${"x".repeat(20_000)}`],
  ])("leaves %s alone", (_, text) => expect(filter([text])).toEqual({ seen: [], output: text }));

  it("does not guess a missing exit code", () => {
    const seen: unknown[] = [];
    const filtered = new MarkerFilter(NONCE, { onOutput: () => {}, onMarker: (found) => seen.push(found) });

    filtered.push(Buffer.from(marker("P;7;bash;$?") + marker("P;7;bash;0;4")));

    expect(seen).toEqual([
      { kind: "prompt", pid: 7, shell: "bash", exitCode: null, turn: "" },
      { kind: "prompt", pid: 7, shell: "bash", exitCode: 0, turn: "4" },
    ]);
  });

  it("a lone ESC can be released, and a marker that begins with it is still found", () => {
    let output = "";
    const seen: string[] = [];
    const filtered = new MarkerFilter(NONCE, {
      onOutput: (bytes) => {
        output += bytes.toString();
      },
      onMarker: ({ kind }) => seen.push(kind),
    });
    filtered.push(Buffer.from("x\x1b"));
    expect([output, filtered.holdsEscape]).toEqual(["x", true]);

    filtered.releaseEscape();
    filtered.push(Buffer.from(`${marker("C;7").slice(1)}y`));

    expect([output, seen]).toEqual(["x\x1b\\y", ["started"]]);
  });

  it("finds the same markers for any chunking, and loses no other byte", () => {
    const whole = Buffer.from(
      `one\x1b[1m${marker("C;7")}two\x1b${marker("D;7;zsh;0;/")}${marker("P;7;zsh;0;/")}three\x1b]73`,
    );
    fc.assert(
      fc.property(fc.array(fc.nat(whole.byteLength), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.byteLength];
        const chunks = at.slice(1).map((end, index) => whole.subarray(at[index], end));

        expect(filter(chunks)).toEqual({
          seen: ["7 started ", "11 ended 0", "11 prompt 0"],
          output: "one\x1b[1mtwo\x1bthree\x1b]73",
        });
      }),
    );
  });
});
