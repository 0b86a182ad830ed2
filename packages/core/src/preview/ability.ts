import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../shell/shells.ts";
import { seccompFilter } from "../walls/seccomp.ts";
import { SYSTEM_PATH } from "../walls/system-path.ts";
import { BWRAP_DESCRIPTORS, mergedDir } from "./layer-script.ts";
import { runOnLayers } from "./run-on-layers.ts";

/** Whether this machine can preview commands, or what it lacks and how to get it. */
export type PreviewAbility =
  | { status: "ready"; layerOptions: string }
  | { status: "missing"; reason: string; fix: string };

/** How long a negative result is cached, because the program may be installed later. */
const MISSING_FOR_MS = 30_000;
const TRY_LIMIT_MS = 5_000;
const NEEDED = ["bash", "unshare", "mount", "timeout", "bwrap"];

let known: { at: number; ability: Promise<PreviewAbility> } | null = null;

/** Found out by mounting a real layer, not by checking versions. */
export async function previewAbility(): Promise<PreviewAbility> {
  const last = await known?.ability;
  if (known && last && (last.status === "ready" || performance.now() - known.at < MISSING_FOR_MS)) return last;
  known = { at: performance.now(), ability: tryIt() };
  return known.ability;
}

async function tryIt(): Promise<PreviewAbility> {
  if (process.platform !== "linux") {
    return missing("A preview needs Linux.", "Run Belay on Linux, or in a virtual machine with Linux.");
  }
  const absent = NEEDED.filter((name) => !findProgram(name, SYSTEM_PATH));
  if (absent.length > 0) {
    return missing(
      `A preview needs ${absent.join(" and ")}, which this machine does not have.`,
      "Install bubblewrap and util-linux: apt-get install bubblewrap util-linux (or dnf, apk, pacman).",
    );
  }
  // Only root may mount with redirect_dir, without which a folder in a layer cannot be renamed in one step.
  const layerOptions = process.getuid?.() === 0 ? ",redirect_dir=on,metacopy=off,index=off" : ",userxattr";
  const problem = await tryLayers(layerOptions).catch((error: Error) => error.message);
  if (problem === null) return { status: "ready", layerOptions };
  return missing(
    problem,
    "Previews need an overlay file system in a user namespace (Linux 5.11 or newer), or root. Let users make namespaces: " +
      "sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000 (Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0).",
  );
}

/** Deletes a folder in a layer and creates it again, which uses every feature that a preview needs of a layer. */
async function tryLayers(options: string): Promise<string | null> {
  const dir = mkdtempSync(join(tmpdir(), "belay-preview-"));
  try {
    const [folder, stage] = [join(dir, "folder"), join(dir, "stage")];
    for (const path of [join(folder, "old"), stage]) mkdirSync(path, { recursive: true });
    writeFileSync(join(folder, "old", "file"), "");
    writeFileSync(join(dir, "input"), "");
    writeFileSync(join(dir, "filter"), seccompFilter({ sockets: "network" }));
    const script = 'rm -r old && mkdir old && [ -z "$(ls old)" ]';
    const argv = ["--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
    const layer = ["--bind", join(stage, mergedDir(0)), folder, "--chdir", folder];
    const filtered = ["--seccomp", String(BWRAP_DESCRIPTORS.filter)];
    writeFileSync(join(dir, "arguments"), `${[...argv, ...layer, ...filtered].join("\0")}\0`);
    return await runOnLayers(
      {
        roots: [folder],
        stage,
        argumentsFile: join(dir, "arguments"),
        filter: join(dir, "filter"),
        input: join(dir, "input"),
        program: { script, folder },
        options,
        timeoutMs: TRY_LIMIT_MS,
        maxBytes: 1_000_000,
        maxOutputBytes: 10_000,
      },
      ({ exitCode, output }) =>
        exitCode === 0 ? null : `This machine cannot lay a layer over a folder: ${output.trim()}`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function missing(reason: string, fix: string): PreviewAbility {
  return { status: "missing", reason, fix };
}
