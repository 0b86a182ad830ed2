import { expect, test } from "vitest";
import { limitWords, wallWords } from "./wall-words.ts";

test("C4 C13 a wall and its limits are told in a few words", () => {
  const none = {
    processes: null,
    memoryBytes: null,
    cpus: null,
    openFiles: null,
    fileBytes: null,
    recordingBytes: null,
  };

  expect(wallWords({ isolation: "sandbox", network: "none" })).toBe("sandbox, network none");
  expect(wallWords(null)).toBe("no wall");
  expect(limitWords(none)).toBe("no limits");
  expect(limitWords({ ...none, processes: 40, memoryBytes: 256e6, fileBytes: 1.5e9 })).toBe(
    "40 processes, 256 MB of memory, files up to 1.5 GB",
  );
});
