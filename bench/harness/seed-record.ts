import { createHash } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";

const AGENTS = 40;
const TERMINALS = 400;
const PROGRAMS = ["git status", "npm test", "ls -la", "cargo build", "python3 run.py", "make deploy", "rg needle src"];
const ROWS_AT_ONCE = 5_000;
/** Three months of a busy team. */
const SPAN_MS = 90 * 24 * 3_600_000;

/**
 * Fills the record of a stopped gateway with typical rows of commands, chained as the gateway would.
 * They are not signed, so the chain verifies only as far as the gateway itself wrote it.
 */
export function seedRecord(dataDir: string, rows: number): { from: number; to: number } {
  const db = new Database(join(dataDir, "belay.db"));
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -200000");
  const last = db.prepare("SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1").get() as {
    seq: number;
    hash: string;
  };
  const insert = db.prepare(
    "INSERT INTO audit_events (seq, at, type, actor, command_id, terminal_id, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const to = Date.now();
  const from = to - SPAN_MS;
  let { hash } = last;
  const writeSome = db.transaction((first: number, count: number) => {
    for (let number = first; number < first + count; number += 1) {
      const row = rowOf(number);
      const at = from + Math.floor((number / rows) * SPAN_MS);
      const seq = last.seq + 1 + number;
      const fields = [seq, at, row.type, row.actor, row.commandId, row.terminalId, row.detail];
      hash = createHash("sha256").update(hash).update("\n").update(JSON.stringify(fields)).digest("hex");
      insert.run(...fields, hash);
    }
  });
  for (let first = 0; first < rows; first += ROWS_AT_ONCE) writeSome(first, Math.min(ROWS_AT_ONCE, rows - first));
  indexWords(db, last.seq);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  return { from, to };
}

/** As the gateway would in quiet moments. */
function indexWords(db: Database.Database, afterSeq: number): void {
  const index = db.prepare(`INSERT INTO audit_search (rowid, text)
    SELECT seq, concat_ws(' ', type, json_extract(actor, '$.id'), command_id, terminal_id,
      (SELECT group_concat(tree.atom, ' ') FROM json_tree(detail) AS tree WHERE tree.type = 'text'))
    FROM audit_events WHERE seq > ?`);
  const keep =
    db.prepare(`INSERT INTO meta (key, value) SELECT 'audit-indexed-seq', max(seq) FROM audit_events WHERE true
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
  // What the gateway itself wrote may be in it already.
  const known = Number(db.prepare("SELECT value FROM meta WHERE key = 'audit-indexed-seq'").pluck().get() ?? 0);
  db.transaction(() => {
    index.run(Math.min(known, afterSeq));
    keep.run();
  })();
}

/** Four rows a command: opened, judged, started, closed. */
function rowOf(number: number) {
  const command = Math.floor(number / 4);
  const line = `${PROGRAMS[command % PROGRAMS.length]} --run ${command % 5_000}`;
  const decision = command % 50 === 0 ? "deny" : command % 10 === 0 ? "ask" : "allow";
  const details = [
    { type: "command.opened", detail: { cwd: "/srv/app", line } },
    { type: "command.judged", detail: { decision, layer: "level", level: "safe", matches: [], runs: [line] } },
    { type: "command.started", detail: { line } },
    { type: "command.closed", detail: { durationMs: 120, exitCode: command % 20 === 0 ? 1 : 0, status: "ran" } },
  ] as const;
  const { type, detail } = details[number % 4] ?? details[0];
  return {
    type,
    actor: JSON.stringify({ id: agentId(command % AGENTS), type: "agent" }),
    commandId: `cmd-seed${command}`,
    terminalId: `pty-seed${command % TERMINALS}`,
    detail: JSON.stringify(detail),
  };
}

export function agentId(number: number): string {
  return `agt-seed${number}`;
}
