import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

const PROGRAM = `import ctypes, sys
swap = ctypes.CDLL(None).renameat2
while True: swap(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2)
`;

/** Exchanges two names, such as a folder and a link, thousands of times a second until it is stopped. */
export function startSwapper(one: string, other: string): { stop(): void } {
  const swapper = spawn("python3", ["-c", PROGRAM, one, other], { stdio: "ignore" });
  onTestFinished(() => void swapper.kill("SIGKILL"));
  return { stop: () => void swapper.kill("SIGKILL") };
}
