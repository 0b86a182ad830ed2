/**
 * What a wall costs: time to the first prompt and to `true` in a warm terminal, for each way to run programs, side by
 * side in the same run. Absolute times are of this machine; compare the differences and ratios.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bubblewrap, type SpawnRequest, sandboxAbility, type Wall } from "@belay/core";
import type { TerminalId } from "@belay/protocol";
import { openBenchPool, report } from "./core-fixtures.ts";
import { median } from "./harness/measure.ts";

const ROUNDS = 15;
const COMMANDS = 60;

const ability = sandboxAbility();
if (ability.status === "missing") {
  console.log(`walls: left out. ${ability.reason} ${ability.fix}`);
} else {
  await compare();
}

async function compare(): Promise<void> {
  const own = mkdtempSync(join(tmpdir(), "belay-bench-walls-"));
  const walled = openBenchPool({ providers: [new Bubblewrap(own).provider] });
  const wall = (network: Wall["shown"]["network"]): Partial<SpawnRequest> => ({
    provider: "bubblewrap",
    agentId: "agt-bench0000000000",
    wall: {
      shown: { isolation: "sandbox", network },
      writable: [walled.folder],
      readable: [],
      frozen: [],
      reserved: [],
      hidden: [],
      home: join(own, "home"),
      env: [],
      hosts: [],
    },
  });
  const ways: [string, Partial<SpawnRequest>][] = [
    ["no wall", {}],
    ["sandbox, network none", wall("none")],
    ["sandbox, network allowlist", wall("allowlist")],
  ];
  // One of each stays open, because only an agent's first terminal has to set up the sandbox's shared parts.
  const warm: TerminalId[] = [];
  for (const [, request] of ways) warm.push(await walled.spawn(request));
  const first: number[][] = ways.map(() => []);
  const again: number[][] = ways.map(() => []);
  // In turns, so that other load on the machine affects them alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, [, request]] of ways.entries()) {
      const began = performance.now();
      const id = await walled.spawn(request);
      await walled.run(id, "true");
      first[index]?.push(performance.now() - began);
      await walled.pool.kill(id, { reason: "killed" });
    }
  }
  for (let round = 0; round < COMMANDS; round++) {
    for (const [index, id] of warm.entries()) {
      const began = performance.now();
      await walled.run(id, "true");
      again[index]?.push(performance.now() - began);
    }
  }
  const [plainFirst, plainAgain] = [median(first[0] ?? []), median(again[0] ?? [])];
  for (const [index, [name]] of ways.entries()) {
    const [firstMs, againMs] = [median(first[index] ?? []), median(again[index] ?? [])];
    const moreMs = firstMs - plainFirst;
    report(`${name}: start and first command, ms more than without`, `${firstMs.toFixed(1)} ms`, moreMs, "≤ 30");
    report(`${name}: true in a warm terminal`, `${againMs.toFixed(2)} ms`, againMs / plainAgain, "≤ 1.05");
  }
  await walled.close();
  rmSync(own, { recursive: true, force: true });
}
