import { expect, test } from "vitest";
import { CLIENTS, snippetFor } from "./snippets.ts";

const place = { url: "https://belay.test", token: "blt_secret" };

test.each(CLIENTS)("W7 the snippet for $name has the address and the token", ({ id }) => {
  const { text, note = "" } = snippetFor(id, place);

  expect(text).toContain("https://belay.test/mcp");
  expect(text + note).toContain("blt_secret");
  if (text.startsWith("{")) expect(() => JSON.parse(text)).not.toThrow();
});
