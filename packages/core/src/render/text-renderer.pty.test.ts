import { afterEach, describe, expect, it } from "vitest";
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

/** A thread that behaves as told by the first byte it gets: never answers, dies, or answers. */
const misbehaving = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ bytes }) => {
      if (bytes[0] === 104) for (;;);
      if (bytes[0] === 100) throw new Error("broken");
      parentPort.postMessage({ ok: true, value: { text: "rendered", alternateScreen: null } });
    });
  `)}`,
);

describe("D6 rendering in a thread", () => {
  it("D6 renders, and leaves the caller's bytes alone", async () => {
    const renderer = createRenderer();
    const bytes = Buffer.from("10%\r100%\r\n日本\r\n");
    const before = Uint8Array.from(bytes);

    const rendered = await renderer.renderText(bytes, { cols: 40, rows: 10 });

    expect(rendered).toEqual({ text: "100%\n日本", alternateScreen: null, skippedBytes: 0, problem: null });
    expect(Uint8Array.from(bytes)).toEqual(before);
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

  it("D6 ends a thread that hangs, answers in plain text, and goes on with a new one", async () => {
    const renderer = createRenderer({ workerUrl: misbehaving, watchdogMs: 200 });

    const [hung, next] = await Promise.all([
      renderer.renderText(Buffer.from("hang \x1b[1mbold\x1b[0m")),
      renderer.renderText(Buffer.from("fine")),
    ]);

    expect(hung.problem).toBe("timed-out");
    expect(hung.text).toBe(
      "[Not rendered: The emulator did not finish within 0.2 s. Control sequences are removed, nothing else.]\nhang bold",
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

  it("D6 takes no more than its queue holds", async () => {
    const renderer = createRenderer({ maxQueuedBytes: 10 });

    const [first, second] = await Promise.all([
      renderer.renderText(Buffer.from("12345678")),
      renderer.renderText(Buffer.from("abcdefgh")),
    ]);

    expect(first).toMatchObject({ text: "12345678", problem: null });
    expect(second.problem).toBe("busy");
    expect(second.text.endsWith("\nabcdefgh")).toBe(true);
  });

  it("D6 answers in plain text once closed", async () => {
    const renderer = createRenderer();
    await renderer.close();

    expect(await renderer.renderText(Buffer.from("late"))).toMatchObject({ problem: "closed" });
  });
});
