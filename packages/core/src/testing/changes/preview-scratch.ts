import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { previewAbility } from "../../preview/ability.ts";
import { type PreviewRequest, type PreviewResult, preview } from "../../preview/preview.ts";

export const PATH = "/usr/local/bin:/usr/bin:/bin";
export const canPreview = (await previewAbility()).status === "ready";

interface PreviewScratch {
  base: string;
  /** The workspace, below `base`. */
  root: string;
  /** Where a preview keeps its files, below `base`. */
  dir: string;
  /** Previews a line of bash in the workspace. */
  look(line: string, more?: Partial<PreviewRequest> & { state?: string }): Promise<PreviewResult>;
}

/** A small workspace, new for each test of the file. */
export function usePreviewScratch(): PreviewScratch {
  const scratch: PreviewScratch = { base: "", root: "", dir: "", look: (line, more) => look(scratch, line, more) };
  beforeEach(() => {
    scratch.base = realpathSync(mkdtempSync(join(tmpdir(), "belay-preview-")));
    scratch.root = join(scratch.base, "work");
    scratch.dir = join(scratch.base, "data", "one");
    mkdirSync(join(scratch.root, "build"), { recursive: true });
    writeFileSync(join(scratch.root, "a.txt"), "one\ntwo\n");
    writeFileSync(join(scratch.root, "build", "old.o"), "o\n");
  });
  afterEach(() => rmSync(scratch.base, { recursive: true, force: true }));
  return scratch;
}

/** `changed a.txt` for each path of a preview. */
export function pathsOf({ roots }: PreviewResult): string[] {
  return roots.flatMap(({ changes }) =>
    changes.map(({ path, before, after }) => `${before ? (after ? "changed" : "deleted") : "created"} ${path}`),
  );
}

function look(
  { base, root, dir }: PreviewScratch,
  line: string,
  { state, ...request }: Partial<PreviewRequest> & { state?: string } = {},
): Promise<PreviewResult> {
  return preview({
    program: { type: "line", line, kind: "bash", shellPath: "/bin/bash", state: state ?? null, env: {} },
    cwd: root,
    env: { PATH, HOME: base, LC_ALL: "C" },
    stdin: null,
    roots: [root, tmpdir()],
    ownRoots: [],
    hidden: [join(base, "data")],
    readable: [],
    missing: [],
    wall: null,
    dir,
    timeoutMs: 20_000,
    maxBytes: 50_000_000,
    ...request,
  });
}
