import { join } from "node:path";
import type { Wall } from "../../walls/wall.ts";

/** A wall around a workspace, without a network. `own` is Belay's. */
export function testWall(workspace: string, own: string, overrides: Partial<Wall> = {}): Wall {
  return {
    shown: { isolation: "sandbox", network: "none" },
    writable: [workspace],
    readable: [],
    frozen: [],
    reserved: [],
    hidden: [own],
    home: join(own, "home"),
    env: [],
    hosts: [],
    ...overrides,
  };
}
