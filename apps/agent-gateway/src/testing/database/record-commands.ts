import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRecord } from "../../audit/open.ts";
import { newId } from "../../store/new-id.ts";
import { openStore } from "../../store/open.ts";
import { closeCommand, insertCommand, markCommandStarted } from "../../store/tables/commands.ts";

/**
 * One gateway's record for benchmarks: `record-commands.ts SQLITE|URL COMMANDS AT-ONCE`. It says when it is ready, waits for its input
 * to end, records the commands as the gateway does (two commits each, the first of them durable before a command may start), and
 * prints how many milliseconds that took.
 */
const [place = "", commands = "0", atOnce = "1"] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), "belay-bench-record-"));
const store = await openStore(dataDir, { url: place === "sqlite" ? null : place, mode: "shared" });
const watch = { rowWritten: () => {}, rowRefused: () => {} };
const now = () => Date.now();
const { audit, closeSearch } = await openRecord({ db: store.db, dataDir, now, watch });
console.log("ready");
process.stdin.resume();
await once(process.stdin, "end");

const startedAt = performance.now();
let left = Number(commands);
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (left > 0) {
      left -= 1;
      await recordCommand();
    }
  }),
);
console.log(String(performance.now() - startedAt));
await audit.close();
await closeSearch();
await store.close();
rmSync(dataDir, { recursive: true, force: true });

async function recordCommand(): Promise<void> {
  const id = newId("cmd");
  const about = { actor: { type: "agent", id: "agt-bench" }, commandId: id, terminalId: "pty-bench" } as const;
  const row = { id, agentId: "agt-bench", terminalId: "pty-bench", line: "true", request: "{}" } as const;
  await audit.appendAll(
    [
      { ...about, type: "command.opened", detail: { line: "true", origin: "mcp", cwd: "/", env: {} } },
      { ...about, type: "command.judged", detail: { decision: "allow", runs: ["true"] } },
      { ...about, type: "command.started", detail: {} },
    ],
    (db) => [
      insertCommand(db, { ...row, openedAt: now(), startedAt: null, closedAt: null, outcome: null }),
      markCommandStarted(db, id, now()),
    ],
  );
  await audit.appendAll([{ ...about, type: "command.closed", detail: { status: "ran", exitCode: 0 } }], (db) => [
    closeCommand(db, id, { closedAt: now(), outcome: "{}", line: "true" }),
  ]);
}
