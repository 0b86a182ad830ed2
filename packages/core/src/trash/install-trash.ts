import { mkdir, realpath, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { quoteWord } from "@belay/protocol";
import { quoteForFish } from "../shell/quote.ts";
import { shortHash } from "../short-hash.ts";
import { rmProgram } from "./rm-program.ts";

export interface InstalledTrash {
  /** To be put first on the PATH, so that scripts, `xargs rm` and `find -exec rm` use the program in it. */
  binDir: string;
  /** The trash folder. */
  writable: string[];
  /**
   * For a shell's start-up file: replaces `rm` even if the PATH was changed, and removes an alias that would prompt.
   */
  functionText: { posix: string; fish: string };
}

/** The trash of a project: a folder with a readable name. */
export function projectTrashDir(dataDir: string, projectDir: string): string {
  const name = basename(projectDir).replaceAll(/[^A-Za-z0-9._-]/g, "_") || "root";
  const digest = shortHash(projectDir);
  return join(dataDir, "trash", `${name}-${digest}`);
}

/** Writes the replacement for `rm` beside its trash. Idempotent. */
export async function installTrash({ trashDir, home }: { trashDir: string; home: string }): Promise<InstalledTrash> {
  const binDir = join(trashDir, "bin");
  await mkdir(binDir, { recursive: true, mode: 0o700 });
  await mkdir(join(trashDir, "entries"), { recursive: true, mode: 0o700 });
  const program = join(await realpath(binDir), "rm");
  const text = rmProgram({ trashDir: await realpath(trashDir), home: await realpath(home).catch(() => home) });
  // Renamed into place: a shell that is reading the old one continues with it.
  const fresh = `${program}.${process.pid}.new`;
  await writeFile(fresh, text, { mode: 0o755 });
  await rename(fresh, program);
  const entries = await realpath(join(trashDir, "entries"));
  return { binDir: await realpath(binDir), writable: [entries], functionText: functionText(program) };
}

function functionText(program: string): InstalledTrash["functionText"] {
  const word = quoteWord(program);
  // Two lines: on one line, the alias would still be expanded in the definition.
  return {
    posix: `unalias rm 2>/dev/null || :\nrm() { ${word} "$@"; }\n`,
    fish: `function rm; ${quoteForFish(program)} $argv; end\n`,
  };
}
