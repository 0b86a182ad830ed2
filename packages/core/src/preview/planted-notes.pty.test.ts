import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canPreview, usePreviewScratch } from "../testing/changes/preview-scratch.ts";

const scratch = usePreviewScratch();

/** Where the shell reports its state, and the script what it saw of the network. A program finds it with `ps`. */
const notes = () => join(scratch.dir, "out");

describe.runIf(canPreview)("X13 a previewed program that tampers with what Belay reads afterwards", () => {
  test.each(["before", "after", "network"])("X13 a pipe in place of its notes holds nothing up: %s", async (note) => {
    const result = await scratch.look(`rm -f '${notes()}/${note}'; mkfifo '${notes()}/${note}'; echo ran > made`, {
      timeoutMs: 4_000,
    });

    expect(result.roots.flatMap(({ changes }) => changes.map(({ path }) => path))).toContain("made");
  });

  test("X13 a link in place of its notes is not followed out of the preview", async () => {
    const secret = join(scratch.base, "secret");
    mkdirSync(secret);
    writeFileSync(join(secret, "env"), "declare -x A_NAME_FROM_OUTSIDE=1\n");

    const result = await scratch.look(`ln -sf '${secret}/env' '${notes()}/before'`);

    expect(JSON.stringify(result)).not.toContain("A_NAME_FROM_OUTSIDE");
  });
});
