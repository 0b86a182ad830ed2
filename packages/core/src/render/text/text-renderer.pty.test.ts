import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { TextRenderer, type TextRendererOptions } from "./text-renderer.ts";

const open: TextRenderer[] = [];

function createRenderer(options?: TextRendererOptions): TextRenderer {
  const renderer = new TextRenderer(options);
  open.push(renderer);
  return renderer;
}

afterEach(async () => {
  for (const renderer of open.splice(0)) await renderer.close();
});

/** A thread that behaves according to its first byte: never answers, dies, or answers. */
const misbehaving = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.postMessage("ready");
    parentPort.on("message", ({ bytes }) => {
      if (bytes[0] === 104) for (;;);
      if (bytes[0] === 100) throw new Error("broken");
      parentPort.postMessage({ ok: true, value: { text: "rendered", alternateScreen: null } });
    });
  `)}`,
);

describe("D6 rendering in a thread", () => {
  it("D6 renders, and does not change the caller's bytes", async () => {
    const renderer = createRenderer();
    const bytes = Buffer.from("10%\r100%\r\n日本\r\n");
    const before = Uint8Array.from(bytes);

    const rendered = await renderer.renderText(bytes, { cols: 40, rows: 10 });

    expect(rendered).toEqual({ text: "100%\n日本", alternateScreen: null, skippedBytes: 0, problem: null });
    expect(Uint8Array.from(bytes)).toEqual(before);
  });

  it("C1 renders output from a pipe", async () => {
    const rendered = await createRenderer().renderText(Buffer.from("one\ntwo\n"), { isFromPipe: true });

    expect(rendered.text).toBe("one\ntwo");
  });

  it("D6 renders both ends of a very long output and says so", async () => {
    const renderer = createRenderer();

    const rendered = await renderer.renderText(Buffer.from(`first\r\n${"x\r\n".repeat(5_000)}last\r\n`), {
      maxInputBytes: 100,
    });

    expect(rendered.skippedBytes).toBe(14_913);
    expect(rendered.text.startsWith("first\nx\n")).toBe(true);
    expect(rendered.text).toContain("\n… 15 KB of raw output not rendered …\n");
    expect(rendered.text.endsWith("\nlast")).toBe(true);
  });

  it("D6 ends a hanging thread, answers in plain text, and continues with a new one", async () => {
    const renderer = createRenderer({ workerUrl: misbehaving, watchdogMs: 1_000 });

    const [hung, next] = await Promise.all([
      renderer.renderText(Buffer.from("hang \x1b[1mbold\x1b[0m")),
      renderer.renderText(Buffer.from("fine")),
    ]);

    expect(hung.problem).toBe("timed-out");
    expect(hung.text).toBe(
      "[Not rendered: The emulator did not finish within 1 s. Control sequences are removed, nothing else.]\nhang bold",
    );
    expect(next).toMatchObject({ text: "rendered", problem: null });
  });

  it("D6 survives a thread that dies", async () => {
    const renderer = createRenderer({ workerUrl: misbehaving });

    const died = await renderer.renderText(Buffer.from("dies"));
    const next = await renderer.renderText(Buffer.from("fine"));

    expect(died).toMatchObject({ problem: "failed" });
    expect(next).toMatchObject({ text: "rendered", problem: null });
  });

  it("D6 refuses more than its queue holds", async () => {
    const renderer = createRenderer({ maxQueuedBytes: 10 });

    const [first, second] = await Promise.all([
      renderer.renderText(Buffer.from("12345678")),
      renderer.renderText(Buffer.from("abcdefgh")),
    ]);

    expect(first).toMatchObject({ text: "12345678", problem: null });
    expect(second.problem).toBe("busy");
    expect(second.text.endsWith("\nabcdefgh")).toBe(true);
  });

  it("D6 property: answers for any bytes, and never changes them", async () => {
    const renderer = createRenderer();
    const opener = fc.constantFrom("\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x9b", "\x1b(", "\x1b#");
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      opener,
      fc.constantFrom("999999999", ";", ":", "b", "J", "m"),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 60 }), async (parts) => {
        const bytes = Buffer.from(parts.join(""), "latin1");
        const before = bytes.toString("hex");
        const { text } = await renderer.renderText(bytes, { cols: 20, rows: 5 });
        expect(text).toBeTypeOf("string");
        expect(bytes.toString("hex")).toBe(before);
      }),
      { numRuns: 200 },
    );
  });

  it("D6 answers in plain text once closed", async () => {
    const renderer = createRenderer();
    await renderer.close();

    expect(await renderer.renderText(Buffer.from("late"))).toMatchObject({ problem: "closed" });
  });
});

describe("D6 sequences that are known to hang or to break an emulator", () => {
  // No time limit that a slow machine could miss: the test is that it finishes at all.
  const patient = new TextRenderer({ watchdogMs: 50_000 });
  afterAll(() => patient.close());

  it.each([
    ["repeats with huge counts", "x\x1b[2147483647b".repeat(20_000)],
    [
      "insertions and deletions with huge counts",
      "\x1b[2147483647L\x1b[2147483647M\x1b[2147483647@\x1b[2147483647P".repeat(5_000),
    ],
    ["scrolling with huge counts", "\x1b[2147483647S\x1b[2147483647T".repeat(10_000)],
    ["tabs with huge counts", "\x1b[2147483647I\x1b[2147483647Z".repeat(10_000)],
    ["columns with huge counts", "\x1b[2147483647'}\x1b[2147483647'~\x1b[2147483647 @\x1b[2147483647 A".repeat(5_000)],
    ["very many parameters", `\x1b[${"1;".repeat(200_000)}m`],
    ["a title that never ends", `\x1b]0;${"x".repeat(1_000_000)}`],
    ["a device control string that never ends", `\x1bP$q${"x".repeat(1_000_000)}`],
    ["combining marks on one cell, repeated", `a${"\u0301".repeat(300_000)}\x1b[2147483647b`.repeat(3)],
    ["links, each another", Array.from({ length: 50_000 }, (_, index) => `\x1b]8;;http://x/${index}\x07y`).join("")],
    ["a window that wants to be huge", "\x1b[8;99999;99999t\x1b[?3h\x1b[4;99999;99999tx"],
    ["full resets and alternate screens by turns", "\x1bc\x1b[?1049h\x1b[?1049l".repeat(2_000)],
  ])("D6 gets through %s", async (_what, output) => {
    expect(await patient.renderText(Buffer.from(output))).toMatchObject({ problem: null });
  });
});
