import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { CoreError } from "../errors.ts";
import { canPreview, usePreviewScratch } from "../testing/changes/preview-scratch.ts";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { startSwapper } from "../testing/walls/swapper.ts";
import { testWall } from "../testing/walls/test-wall.ts";

vi.setConfig({ testTimeout: 240_000 });

const scratch = usePreviewScratch();
const TRIES = 25;

describe.runIf(canPreview && hasSandbox)("X13 C4 a preview behind a wall, while a name is swapped for a link", () => {
  const CASES = [
    { name: "a folder with a reserved name", swapped: ".git", isFolder: true },
    { name: "a protected file", swapped: ".env", isFolder: false },
    { name: "an ordinary folder that the command changes", swapped: "build", isFolder: true },
  ];

  test.each(CASES)("X13 C4 neither shows nor changes what it leads to: $name", async ({ swapped, isFolder }) => {
    const outside = join(scratch.base, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "key"), "a secret key");
    mkdirSync(join(scratch.root, ".git"));
    writeFileSync(join(scratch.root, ".env"), "own");
    symlinkSync(isFolder ? outside : join(outside, "key"), join(scratch.root, "other"));
    const wall = testWall(scratch.root, join(scratch.base, "data"), {
      frozen: [join(scratch.root, ".env")],
      reserved: [`${scratch.root}/.git/hooks/`],
    });
    const swapper = startSwapper(join(scratch.root, swapped), join(scratch.root, "other"));
    const outcomes = { ran: 0, escaped: 0, refused: 0 };

    for (let count = 0; count < TRIES; count++) {
      const line = `cat ${swapped} ${swapped}/key; echo x > .git/written; echo x > build/written; rm build/key; echo ran`;
      try {
        const dir = join(scratch.base, "data", String(count));
        const result = await scratch.look(line, { wall, dir, roots: [scratch.root] });
        const told = JSON.stringify(result);
        outcomes[told.includes("secret") ? "escaped" : result.output.includes("ran") ? "ran" : "refused"] += 1;
      } catch (error) {
        if (!(error instanceof CoreError)) throw error;
        outcomes.refused += 1;
      }
    }
    swapper.stop();

    expect(outcomes).toMatchObject({ escaped: 0 });
    expect(outcomes.ran + outcomes.refused).toBe(TRIES);
    expect(readdirSync(outside)).toEqual(["key"]);
  });
});
