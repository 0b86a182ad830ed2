import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

export const PLANTS = [
  "pipe",
  "socket",
  "device",
  "link to nothing",
  "link to itself",
  "link outside",
  "link to a folder outside",
  "link to the root",
  "folder",
  "closed folder",
  "file",
] as const;
type Plant = (typeof PLANTS)[number];

/** Puts something unexpected in a place that Belay looks at. `outside` has a file `key`. */
export async function plant(kind: Plant, path: string, outside: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  switch (kind) {
    case "pipe":
      spawnSync("mkfifo", [path]);
      return;
    case "socket": {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(path, resolve));
      // Node removes the socket's file with its server; moved aside, it stays.
      spawnSync("mv", [path, `${path}.moved`]);
      await new Promise((resolve) => server.close(resolve));
      spawnSync("mv", [`${path}.moved`, path]);
      return;
    }
    case "device":
      // The one that discards everything.
      spawnSync("mknod", [path, "c", "1", "3"]);
      return;
    case "link to nothing":
      return symlinkSync("/nowhere/at-all", path);
    case "link to itself":
      return symlinkSync(path, path);
    case "link outside":
      return symlinkSync(join(outside, "key"), path);
    case "link to a folder outside":
      return symlinkSync(outside, path);
    case "link to the root":
      return symlinkSync("/", path);
    case "folder":
      mkdirSync(path);
      return;
    case "closed folder":
      mkdirSync(path);
      return chmodSync(path, 0);
    case "file":
      return writeFileSync(path, "some text");
  }
}

/** Everything in these folders, with types, targets, sizes and modes. */
export function listEverything(...folders: string[]): string[] {
  const { stdout } = spawnSync("find", [...folders, "-printf", "%p %y %l %s %m\\0"], { encoding: "latin1" });
  return stdout.split("\0").sort();
}
