import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { expectSurvivalRow } from "../testing/survival-page.ts";

/** A private mount, in a namespace that ends with the program. */
const canMount = spawnSync("unshare", ["-Urm", "true"]).status === 0;

describe.runIf(canMount)("G4 a disk that is full for a while", () => {
  it("G4 loses only the output meanwhile, which is counted", async () => {
    const dir = mkdtempSync(join(tmpdir(), "belay-full-"));
    const program = fileURLToPath(new URL("../testing/full-disk.ts", import.meta.url));
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const script = `mount -t tmpfs -o size=200k tmpfs "$1" && exec "$0" --import "$2" "$3" "$1"`;

    const args = ["-Urm", "sh", "-c", script, process.execPath, dir, tsx, program];
    const { stdout } = await promisify(execFile)("unshare", args);
    rmSync(dir, { recursive: true });

    const lost = 300_000 + "lost too\n".length;
    const end = "before\n".length + lost + "after\n".length;
    expect(JSON.parse(stdout)).toEqual({
      gap: { missedBytes: lost },
      events: ["before\n", "gap", "marked", "after\n", "ended"],
      fromStart: "before\n",
      fromGap: {
        fromPosition: 7 + lost,
        toPosition: end,
        missedBytes: 7 + lost - 10,
        endPosition: end,
        bytes: "after\n",
      },
      check: { isIntact: true },
    });
    expectSurvivalRow("the disk is full while a terminal is recorded", {
      belay:
        "keeps the terminal running, does not record its output meanwhile, and resumes recording once there is room",
      says: "in `/readyz`, in the recording, and to the agent with the number of bytes",
    });
  });
});
