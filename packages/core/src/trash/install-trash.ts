import { createHash } from "node:crypto";
import { mkdir, realpath, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { quoteWord } from "@belay/protocol";
import { quoteForFish } from "../shell/quote.ts";
import { rmProgram } from "./rm-program.ts";

export interface InstalledTrash {
  /** To be put first on the PATH: scripts, `xargs rm` and `find -exec rm` meet the program in it. */
  binDir: string;
  /** Where it puts what is removed. */
  writable: string[];
  /** For a shell's start-up file: catches `rm` also after the PATH was changed, and removes an alias that would ask. */
  functionText: { posix: string; fish: string };
}

/** Where what is removed in a project goes: a folder per project, named so that a person recognises it. */
export function projectTrashDir(dataDir: string, projectDir: string): string {
  const name = basename(projectDir).replaceAll(/[^A-Za-z0-9._-]/g, "_") || "root";
  const digest = createHash("sha256").update(projectDir).digest("hex").slice(0, 12);
  return join(dataDir, "trash", `${name}-${digest}`);
}

/** Writes the program that stands in for `rm` beside the trash that it fills. Doing it again changes nothing. */
export async function installTrash({ trashDir, home }: { trashDir: string; home: string }): Promise<InstalledTrash> {
  const binDir = join(trashDir, "bin");
  await mkdir(binDir, { recursive: true, mode: 0o700 });
  await mkdir(join(trashDir, "entries"), { recursive: true, mode: 0o700 });
  const program = join(await realpath(binDir), "rm");
  const text = rmProgram({ trashDir: await realpath(trashDir), home: await realpath(home).catch(() => home) });
  // By way of a rename: a shell that is just reading the old one goes on with it.
  const fresh = `${program}.${process.pid}.new`;
  await writeFile(fresh, text, { mode: 0o755 });
  await rename(fresh, program);
  const entries = await realpath(join(trashDir, "entries"));
  return { binDir: await realpath(binDir), writable: [entries], functionText: functionText(program) };
}

function functionText(program: string): InstalledTrash["functionText"] {
  const word = quoteWord(program);
  // Two lines: an alias would be expanded in the definition if it were gone only then.
  return {
    posix: `unalias rm 2>/dev/null || :\nrm() { ${word} "$@"; }\n`,
    fish: `function rm; ${quoteForFish(program)} $argv; end\n`,
  };
}
