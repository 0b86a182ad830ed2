import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { History, HistoryOptions } from "../../changes/history.ts";
import { blobId } from "../../changes/scan/scanner.ts";
import { describeSpecialFile } from "../../changes/scan/special-file.ts";
import type { Random } from "./random.ts";

const WORDS = ["alpha", "beta", "gamma", "delta", "the quick fox", "return x;", "", "  indented", "ümlaut", "end"];

/** The history of the workspace `base/work`, without limits that a test would reach. */
export function scratchHistory(base: string, searchPath: string): HistoryOptions {
  return {
    workspace: join(base, "work"),
    dir: join(base, "history"),
    searchPath,
    include: [],
    exclude: [],
    maxFileBytes: 10_000_000,
    maxBytes: 1_000_000_000,
  };
}

/** The snapshot after a command, as the gateway takes it: what the kernel reported, then what it did not. */
export async function markEverything(history: History): Promise<number> {
  const seq = await history.mark();
  return (await history.markMissed()) ?? seq;
}

/** Fills a folder with typical and unusual project files. */
export function fillScratchTree(root: string, random: Random): void {
  const folders = ["src", "src/deep", "docs", "with space", "empty", "tools", "vendor", "vendor/nested"];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (let at = 0; at < 14; at += 1) {
    const folder = random.pick(["", ...folders.filter((name) => name !== "empty")]);
    const name = random.pick(["a", "b", "main", "read me", "ünï", "-dash", "$dollar", "quote'd", ".hidden"]);
    const suffix = random.pick([".txt", ".js", ".md", ""]);
    writeFileSync(join(root, folder, `${name}${suffix}`), textOf(random));
  }
  for (const [name, bytes] of [
    ["data.bin", Buffer.from([0, 1, 2, 255, 254, 0, 10, 13])],
    ["crlf.txt", Buffer.from("one\r\ntwo\r\n")],
    ["latin.txt", Buffer.from([0x63, 0x61, 0x66, 0xe9, 10])],
    ["no-newline", Buffer.from("last line without end")],
  ] as const) {
    writeFileSync(join(root, name), bytes);
  }
  writeFileSync(
    Buffer.concat([Buffer.from(`${root}/odd-`), Buffer.from([0xff, 0xfe]), Buffer.from("\n")]),
    "odd name\n",
  );
  writeFileSync(join(root, ".gitattributes"), "*.txt text eol=crlf\n*.md filter=none ident\n");
  writeFileSync(join(root, ".gitignore"), "build/\n*.log\n");
  writeFileSync(join(root, "tools/run.sh"), "#!/bin/sh\necho run\n", { mode: 0o755 });
  writeFileSync(join(root, "tools/secret"), "s\n", { mode: 0o600 });
  chmodSync(join(root, "docs"), 0o750);
  symlinkSync("src/deep", join(root, "link-to-folder"));
  symlinkSync("../nowhere", join(root, "src/dangling"));
  spawnSync("mkfifo", ["-m", "620", join(root, "tools/pipe"), join(root, "src/deep/pipe of a server")]);
}

export function textOf(random: Random): string {
  return Array.from({ length: 1 + random.below(12) }, () => `${random.pick(WORDS)}\n`).join("");
}

/** Everything that is not ignored, in a form that can be compared: names, kinds, modes, bytes and targets. */
export function readTree(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (folder: Buffer, path: string) => {
    for (const name of readdirSync(folder, { encoding: "buffer" })) {
      const text = name.toString("latin1");
      const isIgnored = text === ".git" || /\.(log|tmp)$/.test(text) || text === "node_modules";
      const at = Buffer.concat([folder, Buffer.from("/"), name]);
      const stats = lstatSync(at);
      if (isIgnored || (text === "build" && stats.isDirectory())) continue;
      const own = path === "" ? text : `${path}/${text}`;
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isDirectory()) {
        found.set(own, `folder ${mode}`);
        visit(at, own);
      } else if (stats.isSymbolicLink()) found.set(own, `link ${blobId(readlinkSync(at, { encoding: "buffer" }))}`);
      else if (stats.isFile()) found.set(own, `file ${mode} ${stats.size} ${blobId(readFileSync(at))}`);
      else found.set(own, `${describeSpecialFile(stats).kind} ${mode}`);
    }
  };
  visit(Buffer.from(root), "");
  return found;
}

/** The differences between two snapshots, one per line; folders in `kept` may remain. */
export function differences(
  before: Map<string, string>,
  after: Map<string, string>,
  kept: ReadonlySet<string> = new Set(),
): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .filter((path) => !(kept.has(path) && !before.has(path) && after.get(path)?.startsWith("folder")))
    .map((path) => `${JSON.stringify(path)}: ${before.get(path) ?? "nothing"} → ${after.get(path) ?? "nothing"}`);
}
