import { closeSync, openSync } from "node:fs";
import type { CoreError } from "../errors.ts";
import { openTestPool } from "./test-pool.ts";

/** A program with a low descriptor limit that opens terminals and files until none is left, and then ends its terminals. */
const { spawn, pool, close } = await openTestPool();
const program = { type: "argv", argv: ["sleep", "9999"] } as const;
const pids: number[] = [];
let refusal: unknown = null;
while (refusal === null) {
  const spawned = await spawn({ program: { ...program, argv: [...program.argv] } }).catch((error: CoreError) => {
    refusal = { code: error.code, message: error.message };
    return null;
  });
  if (spawned?.state.status === "running") pids.push(spawned.state.pid);
}
const files: number[] = [];
try {
  for (;;) files.push(openSync("/dev/null", "r"));
} catch {
  // None is left.
}
const reports = await Promise.all((await pool.list()).map(({ id }) => pool.kill(id, { reason: "killed" })));
for (const file of files) closeSync(file);
await close();
process.stdout.write(
  `${JSON.stringify({ refusal, pids, survivors: reports.flatMap(({ survivors }) => survivors) })}\n`,
);
