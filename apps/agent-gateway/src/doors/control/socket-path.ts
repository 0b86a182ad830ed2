import { join } from "node:path";

export function controlSocketPath(dataDir: string): string {
  return join(dataDir, "control.sock");
}
