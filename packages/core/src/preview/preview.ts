import { existsSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../changes/entry.ts";
import { readRegularFile } from "../changes/scan/read-regular-file.ts";
import { CoreError } from "../errors.ts";
import { carriedEnv, RESTORE_ENV } from "../pty/carried-env.ts";
import type { ShellKind } from "../shell/hooks.ts";
import { isInside } from "../walls/sandbox-mounts.ts";
import { seccompFilter } from "../walls/seccomp.ts";
import type { Wall } from "../walls/wall.ts";
import { previewAbility } from "./ability.ts";
import { findAttempts } from "./attempts.ts";
import { KeptPreview } from "./kept-preview.ts";
import { BEGUN_FILE, mergedDir, NOTES_BYTES, OUT_DIR, PROGRAM_SCRIPT, upperDir } from "./layer-script.ts";
import { previewMounts } from "./preview-mounts.ts";
import { readLayer } from "./read-layer.ts";
import { runOnLayers } from "./run-on-layers.ts";
import { compareStates } from "./shell-changes.ts";
import { AFTER_FILE, BEFORE_FILE, wrapLine } from "./wrap-line.ts";

/** A line for a shell, or a program to execute directly. */
export type PreviewedProgram =
  | {
      type: "line";
      line: string;
      kind: ShellKind;
      shellPath: string;
      /** What the shell reported about its state; null if the line is not for a particular shell. */
      state: string | null;
      /** Added to the variables in the state. */
      env: Record<string, string>;
    }
  | { type: "argv"; argv: [string, ...string[]] };

export interface PreviewRequest {
  program: PreviewedProgram;
  cwd: string;
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  stdin: string | null;
  /** Folders that it may change, each with a layer over it; missing ones are skipped. */
  roots: readonly string[];
  /** Those of them that belong to Belay: changed and applied like the others, but not shown. */
  ownRoots: readonly string[];
  /** Belay's own folders, which are hidden. */
  hidden: readonly string[];
  /** Paths inside those that stay readable. */
  readable: readonly string[];
  /** What the state of the shell does not include, in words for people. */
  missing: readonly string[];
  /** The agent's sandbox, if it has one. */
  wall: Wall | null;
  /** A folder of Belay's that does not exist yet. What the preview found is kept in it. */
  dir: string;
  timeoutMs: number;
  maxBytes: number;
  /** Ends it early. */
  signal?: AbortSignal;
}

export interface RootChanges {
  root: string;
  isOwn?: true;
  changes: Change[];
}

/** What a command would do, as far as a preview can tell. */
export interface PreviewResult {
  exitCode: number | null;
  output: string;
  durationMs: number;
  isTimedOut: boolean;
  roots: RootChanges[];
  /** What it would change in its shell, in words for people. */
  shellChanges: string[];
  /** What it tried and could not do here, a sentence each. */
  attempts: string[];
  /** What it should have had from its shell, but did not. */
  missing: string[];
  /** Why the changes cannot be applied as they are, a sentence each; empty if they can. */
  obstacles: string[];
}

const MAX_ENTRIES = 20_000;
const MAX_FILE_BYTES = 64_000_000;
const MAX_OUTPUT_BYTES = 1_000_000;
const MAX_ATTEMPTS = 5;

/**
 * Runs a command on copy-on-write layers over the folders that it may change, with everything else read-only, no
 * network and no sockets, and reports what it did. None of it reaches the real folders.
 */
export async function preview(request: PreviewRequest): Promise<PreviewResult> {
  const ability = await previewAbility();
  if (ability.status === "missing") throw new CoreError("preview-unavailable", `${ability.reason} ${ability.fix}`);
  const { dir, program } = request;
  const roots = realFolders(request.roots);
  const own = new Set(realFolders(request.ownRoots));
  const [inDir, outDir, stage] = [join(dir, "in"), join(dir, "out"), join(dir, "stage")];
  for (const folder of [dir, inDir, outDir, stage]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const wrapped =
    program.type === "line"
      ? wrapLine({ ...program, cwd: request.cwd, inDir, outDir })
      : { argv: program.argv, files: {} };
  for (const [name, text] of Object.entries(wrapped.files)) writeFileSync(join(inDir, name), text, { mode: 0o600 });
  writeFileSync(join(inDir, "program"), `${wrapped.argv.join("\0")}\0`, { mode: 0o600 });
  const input = request.stdin === null ? "/dev/null" : join(dir, "input");
  if (request.stdin !== null) writeFileSync(input, request.stdin, { mode: 0o600 });
  const filter = join(dir, "filter");
  writeFileSync(filter, seccompFilter({ sockets: "network" }), { mode: 0o600 });

  const place = { ...request, roots, stage, outDir, readable: [...request.readable, inDir] };
  const mounts = previewMounts(place);
  const args = [
    ...mounts.args,
    ...Object.entries(carriedEnv(request.env)).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
  const argumentsFile = join(dir, "arguments");
  writeFileSync(argumentsFile, `${args.join("\0")}\0`, { mode: 0o600 });

  const sinceNs = BigInt(Date.now()) * 1_000_000n;
  const kept = KeptPreview.create(dir);
  const tidy = () => {
    for (const name of ["in", "out", "stage", "input", "filter", "arguments"])
      rmSync(join(dir, name), { recursive: true, force: true });
  };
  const attempt = () =>
    runOnLayers(
      {
        ...request,
        roots,
        stage,
        argumentsFile,
        filter,
        input,
        program: { script: `${mounts.check}${RESTORE_ENV}${PROGRAM_SCRIPT}`, folder: dir },
        options: ability.layerOptions,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      },
      ({ root: base, ...ended }) => {
        const seen = join(base, stage);
        if (!existsSync(join(seen, OUT_DIR, BEGUN_FILE)) && !ended.isTimedOut) throw new NotBegunError(ended.output);
        const obstacles = new Set<string>();
        const changed = roots.map((root, at): RootChanges => {
          const others = [...roots, ...request.hidden, ...mounts.held].filter(
            (other) => other !== root && isInside(other, root),
          );
          const found = readLayer(
            {
              lower: Buffer.from(root),
              merged: Buffer.from(join(seen, mergedDir(at))),
              upper: Buffer.from(join(seen, upperDir(at))),
              skipped: new Set(others.map((other) => Buffer.from(other.slice(root.length + 1)).toString("latin1"))),
              sinceNs,
            },
            { maxEntries: MAX_ENTRIES, maxFileBytes: MAX_FILE_BYTES },
            (id, bytes) => kept.keep(id, bytes),
          );
          for (const problem of found.problems) obstacles.add(problem);
          return { root, ...(own.has(root) ? { isOwn: true as const } : {}), changes: found.changes };
        });
        const noted = join(seen, OUT_DIR);
        const shellChanges = program.type === "line" && !ended.isTimedOut ? readShellChanges(noted) : [];
        if (shellChanges.length > 0)
          obstacles.add(`It also changes its shell: ${shellChanges.slice(0, 5).join(", ")}.`);
        if (ended.isTimedOut)
          obstacles.add(`It was not done after ${request.timeoutMs / 1000} s, the limit of a preview.`);
        const attempts = findAttempts(readNote(noted, "network"), ended.output);
        for (const attempt of attempts.spoiling) obstacles.add(attempt);
        const result: PreviewResult = {
          ...ended,
          roots: changed,
          shellChanges,
          attempts: attempts.sentences,
          missing: [...request.missing],
          obstacles: [...obstacles],
        };
        kept.write(result);
        return result;
      },
    );
  return retryUntilBegun(attempt).finally(tidy);
}

/** The command did not start. */
class NotBegunError extends CoreError {
  constructor(complaint: string) {
    super("preview-unavailable", `It could not be started on the layers. ${complaint.trim()}`.trim());
  }
}

/** Retries: bubblewrap fails if a mount disappears while it examines it, and other processes unmount at any time. */
async function retryUntilBegun<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NotBegunError) || left === 0) throw error;
    }
  }
}

/** Real paths without duplicates; folders that do not exist get no layer. */
function realFolders(folders: readonly string[]): string[] {
  const found = folders.flatMap((folder) => {
    try {
      const real = realpathSync(folder);
      return statSync(real).isDirectory() && real !== "/" ? [real] : [];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}

function readShellChanges(noted: string): string[] {
  const [before, after] = [readNote(noted, BEFORE_FILE), readNote(noted, AFTER_FILE)];
  // A shell that does not report its state cannot be compared.
  if (before === null) return [];
  return after === null ? ["it ends its shell"] : compareStates(before, after);
}

/** The program can write there too: a link is not followed, and a pipe is not waited for. Null if it was not written. */
function readNote(folder: string, name: string): string | null {
  const read = readRegularFile(Buffer.from(join(folder, name)), NOTES_BYTES);
  return read.type === "content" ? read.bytes.toString() : null;
}
