import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { copyProgram, makeEmptyRoot } from "../release/empty-root.mjs";
import { packInto } from "../release/stage.mjs";
import { ROOT, run } from "../run.mjs";

/** Imports a base image called `name`, made from this machine's own programs, so that no registry is needed. */
export async function importBase(dir, name, programs = []) {
  const folder = join(dir, "base");
  mkdirSync(folder);
  await makeEmptyRoot(folder, realpathSync(process.execPath));
  for (const program of ["tini", "chown", "git", ...programs])
    await copyProgram(folder, `/usr/bin/${program}`, `/usr/bin/${program}`);
  const tar = spawn("tar", ["-C", folder, "-c", "."], { stdio: ["ignore", "pipe", "inherit"] });
  const imported = spawn("podman", ["import", "-", name], { stdio: [tar.stdout, "ignore", "inherit"] });
  const [code] = await once(imported, "exit");
  if (code !== 0) throw new Error("podman import failed");
}

/** Removes images, and their base with the unnamed images of the stages that were built on it. */
export async function removeImages(base, ...images) {
  const stages = ["images", "--quiet", "--filter", "dangling=true", "--filter", `since=${base}`];
  const { code, text } = await run("podman", stages, { output: "collect" });
  const unnamed = code === 0 ? text.split(/\s+/).filter((id) => /^[0-9a-f]{12,}$/.test(id)) : [];
  await run("podman", ["rmi", "-f", ...images, ...unnamed, base], { output: "collect" });
}

/** A folder with what a build of the image reads: the package, the Dockerfile, and the files in `others`. */
export async function makeContext(dir, others = []) {
  const context = join(dir, "context");
  mkdirSync(join(context, "release"), { recursive: true });
  const tarball = await packInto(dir);
  cpSync(tarball, join(context, "release", basename(tarball)));
  for (const file of ["Dockerfile", ".dockerignore", ...others])
    cpSync(join(ROOT, file), join(context, file), { recursive: true });
  return context;
}
