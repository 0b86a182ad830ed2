import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../run.mjs";

const COREUTILS =
  "basename cat chmod cp cut date dirname du echo env false head id ln ls mkdir mktemp mv printf pwd readlink realpath rm rmdir seq sleep sort stat stty tail tee test touch tr true uname wc whoami";
const PROGRAMS = ["sh", "bash", ...COREUTILS.split(" ")];
const FOLDERS = ["dev", "etc", "proc", "root", "usr/bin", "usr/lib", "usr/lib64", "usr/local/bin", "usr/local/lib"];
/** Files that the DNS resolver reads. */
const SETTINGS = ["/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf"];

/** Makes `folder` the root of a system with a shell, coreutils, Node and npm, and nothing else. */
export async function makeEmptyRoot(folder, nodePath) {
  await makeBareRoot(folder);
  await installNode(folder, nodePath);
}

/** The same without Node. */
export async function makeBareRoot(folder) {
  for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["bin", "lib", "lib64"]) symlinkSync(join("usr", name), join(folder, name));
  mkdirSync(join(folder, "tmp"));
  chmodSync(join(folder, "tmp"), 0o1777);
  writeFileSync(join(folder, "etc/passwd"), "root:x:0:0:root:/root:/bin/bash\n");
  writeFileSync(join(folder, "etc/group"), "root:x:0:\n");
  for (const file of SETTINGS) if (existsSync(file)) copyFileSync(file, join(folder, file));
  for (const program of PROGRAMS) await copyProgram(folder, findProgram(program), `/usr/bin/${program}`);
}

/** Puts Node, the libraries that it needs, and npm below `folder`. */
export async function installNode(folder, nodePath) {
  await copyProgram(folder, nodePath, "/usr/local/bin/node");
  copyNpm(folder, nodePath);
}

/** Copies a program to the path `to` below `folder`, and its shared libraries to the paths they have here. */
export async function copyProgram(folder, from, to) {
  copyFile(from, join(folder, to));
  const { text } = await run("ldd", [from], { output: "collect" });
  for (const [library] of text.matchAll(/\/\S+(?= \(0x)/g)) {
    const target = join(folder, library);
    if (!existsSync(target)) copyFile(library, target);
  }
}

function copyNpm(folder, nodePath) {
  const beside = join(dirname(dirname(nodePath)), "lib/node_modules/npm");
  const npm = existsSync(beside) ? beside : dirname(dirname(realpathSync(findProgram("npm"))));
  cpSync(npm, join(folder, "usr/local/lib/node_modules/npm"), { recursive: true, dereference: true });
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, "usr/local/bin", name));
}

function findProgram(name) {
  const places = (process.env.PATH ?? "").split(delimiter).map((entry) => join(entry, name));
  const found = places.find((file) => existsSync(file));
  if (!found) throw new Error(`There is no ${name} on this machine to copy.`);
  return found;
}

function copyFile(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
