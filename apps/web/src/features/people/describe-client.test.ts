import { expect, test } from "vitest";
import { describeClient } from "./describe-client.ts";

test.each([
  [null, "Unknown client"],
  ["belay login", "belay login"],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
    "Chrome on Linux",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.0 Safari/604.1",
    "Safari on iOS",
  ],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"],
])("W8 a session is described in two words: %s", (client, words) => {
  expect(describeClient(client)).toBe(words);
});
