import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../shell/shells.ts";
import { SYSTEM_PATH } from "../walls/system-path.ts";
import type { ContainerSpec } from "../walls/wall.ts";

const PROGRAMS =
  "bash cat chmod date env false grep head id kill ls mkdir mv nohup printf ps pwd rm rmdir seq setsid sleep stat stty tail tr true wc".split(
    " ",
  );

/**
 * The engine of this machine, with a runtime that works. Null where there is none, or where tests of containers were not
 * asked for (`BELAY_TEST_CONTAINERS=yes npm test`). They are left out otherwise because they are not stable: the shell's
 * prompt sometimes shows up at the end of a command's output, and the cause is not known yet.
 */
export const CONTAINER_ENGINE: Pick<ContainerSpec, "program" | "runtime"> | null = findEngine();

function findEngine(): Pick<ContainerSpec, "program" | "runtime"> | null {
  if (process.env.BELAY_TEST_CONTAINERS !== "yes") return null;
  // Only root is tried: without it, an engine needs ranges of user ids that a test cannot make.
  if (process.getuid?.() !== 0 || !findProgram("podman", SYSTEM_PATH)) return null;
  const runtime = findProgram("runc", SYSTEM_PATH) ? "runc" : null;
  return { program: "podman", runtime };
}

/** Makes an image of this machine's own files, so that no registry is needed. */
export function makeTestImage(): { image: string; remove(): void } {
  const image = `localhost/belay-test-${process.pid}:1`;
  const root = mkdtempSync(join(tmpdir(), "belay-image-"));
  for (const folder of [
    "usr/bin",
    "usr/lib",
    "usr/lib64",
    "etc",
    "tmp",
    "run",
    "var/tmp",
    "proc",
    "dev",
    "sys",
    "root",
  ]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const name of ["bin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(root, name));
  for (const name of PROGRAMS) {
    const path = findProgram(name, SYSTEM_PATH);
    if (path) copyProgram(realpathSync(path), join(root, "usr/bin", name), root);
  }
  symlinkSync("bash", join(root, "usr/bin/sh"));
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/bash\n");
  const imported = spawnSync("sh", ["-c", 'tar -C "$0" -c . | podman import -q - "$1"', root, image], {
    encoding: "utf8",
  });
  rmSync(root, { recursive: true, force: true });
  if (imported.status !== 0) throw new Error(`No image was made: ${imported.stderr}`);
  return { image, remove: () => void spawnSync("podman", ["rmi", "-f", image]) };
}

function copyProgram(from: string, to: string, root: string): void {
  cpSync(from, to, { dereference: true });
  const { stdout } = spawnSync("ldd", [from], { encoding: "utf8" });
  for (const [library] of stdout.matchAll(/\/\S+/g)) {
    const target = join(root, library);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    cpSync(realpathSync(library), target);
  }
}
