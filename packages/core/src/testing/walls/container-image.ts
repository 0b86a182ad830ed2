import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../../shell/shells.ts";
import { SYSTEM_PATH } from "../../walls/system-path.ts";
import type { ContainerSpec } from "../../walls/wall.ts";

const PROGRAMS =
  "bash cat chmod date env false grep head id kill less ls mkdir mv nohup printf ps pwd rm rmdir seq setsid sleep stat stty tail top tr true wc".split(
    " ",
  );

const TERMINAL_TYPE = "/lib/terminfo/x/xterm-256color";

type Engine = Pick<ContainerSpec, "program" | "runtime">;

export interface TestContainers {
  engine: Engine;
  image: string;
  remove(): void;
}

/**
 * The engine of this machine with an image of its files, after a first container has run. Null if there is none, and where
 * it does not work, as in many containers; then the reason is printed, and the tests are skipped.
 */
export function openTestContainers({ mayBeRootless = false } = {}): TestContainers | null {
  // Without root, an engine needs ranges of user ids: `rootless-containers.pty.test.ts` makes a user who has them.
  if ((process.getuid?.() !== 0 && !mayBeRootless) || !findProgram("podman", SYSTEM_PATH)) return null;
  const engine: Engine = { program: "podman", runtime: findProgram("runc", SYSTEM_PATH) ? "runc" : null };
  const { image, remove, problem } = makeTestImage();
  const refusal = problem ?? tryContainer(engine, image);
  if (refusal === null) return { engine, image, remove };
  remove();
  console.warn(`Podman is installed but does not work here, so its tests are skipped: ${refusal}`);
  return null;
}

/** Why no container runs; null if one did. */
function tryContainer({ runtime }: Engine, image: string): string | null {
  const args = [...(runtime ? ["--runtime", runtime] : []), "run", "--rm", "--pull=never", "--network=none"];
  const limits = ["--memory=64m", "--pids-limit=50", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"];
  const { status, stderr, error } = spawnSync("podman", [...args, ...limits, "--read-only", image, "/bin/true"], {
    encoding: "utf8",
    timeout: 30_000,
  });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

/** An image of this machine's own files, so that no registry is needed. */
function makeTestImage(): { image: string; remove(): void; problem: string | null } {
  const image = `localhost/belay-test-${process.pid}:1`;
  const root = mkdtempSync(join(tmpdir(), "belay-image-"));
  chmodSync(root, 0o755); // it becomes the root of the image, which any user inside has to enter
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
  for (const folder of ["tmp", "var/tmp"]) chmodSync(join(root, folder), 0o1777); // as in every image
  for (const name of ["bin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(root, name));
  for (const name of PROGRAMS) {
    const path = findProgram(name, SYSTEM_PATH);
    if (path) copyProgram(realpathSync(path), join(root, "usr/bin", name), root);
  }
  symlinkSync("bash", join(root, "usr/bin/sh"));
  // What full-screen programs look up.
  if (existsSync(TERMINAL_TYPE)) cpSync(TERMINAL_TYPE, join(root, TERMINAL_TYPE));
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/bash\n");
  const imported = spawnSync("sh", ["-c", 'tar -C "$0" -c . | podman import -q - "$1"', root, image], {
    encoding: "utf8",
  });
  rmSync(root, { recursive: true, force: true });
  return {
    image,
    remove: () => void spawnSync("podman", ["rmi", "-f", image]),
    problem: imported.status === 0 ? null : `no image was made: ${imported.stderr.trim()}`,
  };
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
