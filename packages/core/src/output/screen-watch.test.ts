import { describe, expect, it } from "vitest";
import { ScreenWatch } from "./screen-watch.ts";

function watch(...chunks: string[]) {
  const screen = new ScreenWatch();
  for (const chunk of chunks) screen.push(Buffer.from(chunk));
  return { isFullscreen: screen.isFullscreen, title: screen.title };
}

describe("ScreenWatch", () => {
  it.each([
    ["enters", ["text\x1b[?1049h"], true],
    ["leaves", ["\x1b[?1049hvim\x1b[?1049l"], false],
    ["with other modes", ["\x1b[?1;1049;25h"], true],
    ["old form", ["\x1b[?47h"], true],
    ["other modes alone", ["\x1b[?2004h\x1b[?25l"], false],
    ["cut after ESC", ["\x1b", "[?1049h"], true],
    ["cut in the number", ["\x1b[?10", "49h"], true],
    ["cut before the letter", ["\x1b[?1049", "h"], true],
  ])("D2 the alternate screen: %s", (_, chunks, isFullscreen) => {
    expect(watch(...chunks)).toMatchObject({ isFullscreen });
  });

  it.each([
    ["by BEL", ["\x1b]0;my title\x07$ "], "my title"],
    ["by ST", ["\x1b]2;other\x1b\\"], "other"],
    ["the last one counts", ["\x1b]0;a\x07\x1b]0;b\x07"], "b"],
    ["cut inside", ["\x1b]0;my ", "title\x07"], "my title"],
    ["wide", ["\x1b]0;日本\x07"], "日本"],
    ["a link is no title", ["\x1b]8;;http://x\x07link"], ""],
  ])("B2 a title: %s", (_, chunks, title) => expect(watch(...chunks)).toMatchObject({ title }));
});
