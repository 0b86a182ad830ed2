import { execFile } from "node:child_process";

export interface TerminalModes {
  /** Typed characters are shown. */
  echo: boolean;
  /** The kernel collects whole lines; off in line editors and full-screen programs. */
  canonical: boolean;
}

/**
 * The terminal's settings, read with `stty` because Node cannot ask the kernel itself. That
 * starts a process and takes a few milliseconds, so use it only when it matters.
 */
export function readModes(device: string): Promise<TerminalModes | null> {
  const flag = process.platform === "darwin" ? "-f" : "-F";
  return new Promise((resolve) => {
    execFile("stty", [flag, device, "-a"], { env: { LC_ALL: "C" }, timeout: 2000 }, (error, stdout) => {
      if (error) return resolve(null);
      const words = new Set(stdout.split(/[\s;]+/));
      resolve({ echo: words.has("echo"), canonical: words.has("icanon") });
    });
  });
}
