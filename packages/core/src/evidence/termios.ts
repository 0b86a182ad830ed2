import { execFile } from "node:child_process";

export interface TerminalModes {
  /** Typed characters are shown. */
  echo: boolean;
  /** The kernel collects whole lines; off in line editors and full-screen programs. */
  canonical: boolean;
}

/**
 * How a terminal is set, by way of `stty`: Node cannot ask the kernel itself. It
 * costs a few milliseconds of another process, so ask only when it matters.
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
