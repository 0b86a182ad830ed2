import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BelayServer } from "./belay.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/agent-gateway/bin/belay.mjs", import.meta.url));

export interface Machine {
  name: string;
  pid: number;
  close(): Promise<void>;
}

/** A `belay host` that has joined a gateway, with folders of its own on this machine. */
export async function startMachine(gateway: BelayServer, name: string): Promise<Machine> {
  const { token } = await gateway.call<{ token: string }>("machines.add", { name });
  const dataDir = mkdtempSync(join(tmpdir(), "belay-bench-machine-"));
  const child = spawn(process.execPath, [PROGRAM, "host", "--join", gateway.url], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...{ PATH: process.env.PATH ?? "", HOME: dataDir, LANG: "C.UTF-8" },
      ...{ BELAY_DATA_DIR: dataDir, BELAY_WORKSPACE: dataDir, BELAY_JOIN_TOKEN: token },
    },
  });
  for (;;) {
    const all = await gateway.query<{ name: string; state: { status: string } }[]>("machines.list", {});
    if (all.some((machine) => machine.name === name && machine.state.status === "connected")) break;
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    name,
    pid: child.pid ?? 0,
    close: async () => {
      child.kill("SIGTERM");
      await once(child, "close");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
