import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const WEB = join(import.meta.dirname, "../web");

/** Name, version and licence of every distributed package: in the bundle, beside it, or in the console. */
export async function listLicences(inputs) {
  const own = JSON.parse(await readFile(join(import.meta.dirname, "package.json"), "utf8"));
  const web = JSON.parse(await readFile(join(WEB, "package.json"), "utf8"));
  const folders = [
    ...inputs.flatMap((input) => packageFolder(join(import.meta.dirname, input)) ?? []),
    ...Object.keys(own.dependencies).map((name) => join(import.meta.dirname, "node_modules", name)),
    ...Object.keys(web.dependencies).map((name) => join(WEB, "node_modules", name)),
  ];
  const found = new Map();
  for (const folder of new Set(folders)) {
    if (!existsSync(join(folder, "package.json"))) continue;
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    if (name?.startsWith("@belay/") || !version) continue;
    found.set(`${name}@${version}`, { name, version, licence: license?.type ?? license ?? "not stated" });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folder of the package that a file belongs to; null for files of the project itself. */
function packageFolder(file) {
  if (!file.includes("/node_modules/")) return null;
  let folder = dirname(file);
  while (!/\/node_modules\/(@[^/]+\/)?[^/]+$/.test(folder)) folder = dirname(folder);
  return folder;
}
