import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/** Git's path, and its repository. A person's or project's own git settings do not apply. */
export interface GitPlace {
  repository: string;
  searchPath: string;
}

export function spawnGit({ repository, searchPath }: GitPlace, args: string[]): ChildProcessWithoutNullStreams {
  return spawn("git", ["--git-dir", repository, ...args], {
    cwd: "/",
    env: {
      PATH: searchPath,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_OPTIONAL_LOCKS: "0",
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export interface GitResult {
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs git to its end. */
export function runGit(place: GitPlace, args: string[], input: Buffer | string = ""): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawnGit(place, args);
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.stdin.on("error", () => {}); // it ended without reading everything; its exit code says why
    child.on("error", reject);
    child.on("close", (exitCode) =>
      resolve({ exitCode, stdout: Buffer.concat(out), stderr: Buffer.concat(errors).toString("utf8") }),
    );
    child.stdin.end(input);
  });
}

/** The same, for commands that must not fail. */
export async function mustRunGit(place: GitPlace, args: string[], input: Buffer | string = ""): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runGit(place, args, input);
  if (exitCode === 0) return stdout;
  throw new Error(`git ${args[0] ?? ""} failed (${exitCode}): ${stderr.trim().slice(0, 500)}`);
}
