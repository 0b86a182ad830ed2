import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { findProgram } from "../shell/shells.ts";
import { SYSTEM_PATH } from "../walls/system-path.ts";

/** A library that writes a file as soon as a program loads it. */
const LIBRARY = `#include <fcntl.h>
#include <stdlib.h>
__attribute__((constructor)) static void run(void) {
  const char *file = getenv("WRITES_TO");
  if (file) open(file, O_CREAT | O_WRONLY, 0600);
}
`;

const compiler = findProgram("cc", SYSTEM_PATH);
export const canBuildLibraries = compiler !== null;

/** For LD_PRELOAD; the file is named by the variable WRITES_TO. */
export function buildLibrary(path: string): void {
  writeFileSync(`${path}.c`, LIBRARY);
  const { status, stderr } = spawnSync(compiler ?? "", ["-shared", "-fPIC", "-o", path, `${path}.c`], {
    encoding: "utf8",
  });
  rmSync(`${path}.c`);
  if (status !== 0) throw new Error(`The library was not built: ${stderr}`);
}
