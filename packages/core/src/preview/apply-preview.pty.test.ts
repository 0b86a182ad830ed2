import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canPreview, PATH, usePreviewScratch } from "../testing/changes/preview-scratch.ts";
import { proveApplyCrashes } from "../testing/changes/prove-apply-crashes.ts";
import { provePreview } from "../testing/changes/prove-preview.ts";
import { applyPreview } from "./apply-preview.ts";
import { KeptPreview } from "./kept-preview.ts";

const scratch = usePreviewScratch();
const { look } = scratch;

describe.runIf(canPreview)("X13 to apply a preview", () => {
  test("X13 applies exactly what was shown", async () => {
    await look("sed -i s/one/ONE/ a.txt; rm -r build; ln -s a.txt link; mkdir -m 750 new; date +%N > new/when");
    const kept = KeptPreview.open(scratch.dir) as KeptPreview;
    const when = kept.read().roots[0]?.changes.find(({ path }) => path === "new/when")?.after;

    expect(await applyPreview(kept)).toMatchObject({ status: "applied" });
    expect(readFileSync(join(scratch.root, "a.txt"), "utf8")).toBe("ONE\ntwo\n");
    expect([readlinkSync(join(scratch.root, "link")), existsSync(join(scratch.root, "build"))]).toEqual([
      "a.txt",
      false,
    ]);
    expect(await kept.readBlob(when && "id" in when ? String(when.id) : "")).toEqual(
      readFileSync(join(scratch.root, "new/when")),
    );
  });

  test.each([
    [
      "a file that it changes",
      "sed -i s/one/ONE/ a.txt",
      () => writeFileSync(join(scratch.root, "a.txt"), "one\nthree\n"),
    ],
    ["a file that it makes", "touch fresh", () => writeFileSync(join(scratch.root, "fresh"), "")],
    ["a folder that it removes", "rm -r build", () => writeFileSync(join(scratch.root, "build", "new.o"), "")],
  ])("X13 does nothing once %s has changed", async (_, line, change) => {
    await look(`${line}; echo other > other`);
    change();

    expect(await applyPreview(KeptPreview.open(scratch.dir) as KeptPreview)).toMatchObject({ status: "changed" });
    expect(existsSync(join(scratch.root, "other"))).toBe(false);
  });

  test("X13 refuses what it cannot apply as it is", async () => {
    await look("ln a.txt b.txt; cd build");

    expect(await applyPreview(KeptPreview.open(scratch.dir) as KeptPreview)).toEqual({
      status: "not-applicable",
      obstacles: [expect.stringContaining("hard links"), "It also changes its shell: its folder."],
    });
  });

  test("X13 applies a named pipe", async () => {
    await look("mkfifo -m 640 pipe");

    expect(await applyPreview(KeptPreview.open(scratch.dir) as KeptPreview)).toMatchObject({ status: "applied" });
    const stats = lstatSync(join(scratch.root, "pipe"));
    expect([stats.isFIFO(), stats.mode & 0o7777]).toEqual([true, 0o640]);
  });

  test("X13 a process that is killed while it applies leaves a state that is found and mended", async () => {
    expect(await proveApplyCrashes(1, 2, PATH)).toMatchObject({ kills: 2, problems: [] });
  });
});

// A small share; `npm run prove:undo` does thousands.
test.runIf(canPreview)("X13 predicted is what really happens, and the preview changed nothing", async () => {
  expect(await provePreview(1, 20, PATH)).toMatchObject({ commands: 20, wrong: [], touched: [] });
});
