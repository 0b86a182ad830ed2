import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEvent, AuditEventType } from "@belay/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { canonical, hashRow } from "./chain.ts";
import { type Checkpoint, Checkpoints } from "./signing/checkpoints.ts";
import { verifyRecord } from "./verify.ts";

const GENESIS = "ab".repeat(32);
const ROWS = 230;
// Each of these hashes tens of thousands of rows.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let checkpoints: (Checkpoint | null)[];
let rows: AuditEvent[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "belay-properties-"));
  rows = chain(Array.from({ length: ROWS }, (_, index) => rowAt(index + 1)));
  checkpoints = signAt(rows, [100, 200, ROWS]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = fc.integer({ min: 1, max: ROWS });
const check = (tampered: AuditEvent[], signed = checkpoints) =>
  verifyRecord({ genesis: GENESIS, rows: tampered, checkpoints: signed });

test("G3 an unaltered record of any length is intact", async () => {
  await fc.assert(
    fc.asyncProperty(at, async (count) => {
      const some = rows.slice(0, count);
      const result = await check(some, signAt(some, [...[100, 200].filter((seq) => seq < count), count]));
      expect(result).toMatchObject({ ok: true, rows: count, unsigned: 0 });
    }),
    { numRuns: 30 },
  );
});

test("G3 any change of any field is detected at its row", async () => {
  const change = fc.oneof(
    fc.record({ at: fc.integer() }),
    fc.record({ type: fc.constantFrom<AuditEventType>("command.closed", "policy.changed") }),
    fc.record({ actor: fc.constantFrom({ type: "local" as const }, { type: "person" as const, id: "eve" }) }),
    fc.record({ commandId: fc.constantFrom("cmd-0000" as const, null) }),
    fc.record({ terminalId: fc.constantFrom("pty-0000" as const, null) }),
    fc.record({ detail: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())) }),
    fc.record({ hash: fc.string({ minLength: 64, maxLength: 64, unit: fc.constantFrom(..."0123456789abcdef") }) }),
  );
  await fc.assert(
    fc.asyncProperty(at, change, async (seq, changed) => {
      const original = rowOf(seq);
      const tampered = { ...original, ...changed } as AuditEvent;
      fc.pre(canonical(tampered) !== canonical(original));
      expect(await check(rows.with(seq - 1, tampered))).toMatchObject({ ok: false, seq });
    }),
    { numRuns: 300 },
  );
});

test("G3 any deleted row is detected at its position", async () => {
  await fc.assert(
    fc.asyncProperty(at, async (seq) => {
      expect(await check(rows.toSpliced(seq - 1, 1))).toMatchObject({ ok: false, seq });
    }),
    { numRuns: 100 },
  );
});

test("G3 any two swapped rows are detected at the first of them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(at, { minLength: 2, maxLength: 2 }), async ([one = 1, other = 2]) => {
      const tampered = rows.with(one - 1, rowOf(other)).with(other - 1, rowOf(one));
      const renumbered = tampered.map((row, index) => ({ ...row, seq: index + 1 }));
      const seq = Math.min(one, other);

      expect(await check(tampered)).toMatchObject({ ok: false, seq });
      expect(await check(renumbered)).toMatchObject({ ok: false, seq });
    }),
    { numRuns: 200 },
  );
});

test("G3 any inserted row is detected", async () => {
  await fc.assert(
    fc.asyncProperty(at, async (seq) => {
      const forged = { ...rowOf(seq), detail: { line: "echo innocent" } };
      const pushed = rows.slice(seq - 1).map((row) => ({ ...row, seq: row.seq + 1 }));
      const before = rows.slice(0, seq - 1);

      expect(await check([...before, forged, ...rows.slice(seq - 1)])).toMatchObject({ ok: false });
      // Even if everything after it is renumbered and rechained.
      const result = await check(chain([...before, forged, ...pushed]));
      expect(result).toMatchObject({ ok: false, seq: nextSigned(seq) });
    }),
    { numRuns: 100 },
  );
});

test("G3 any truncation is detected, even of the whole record", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: ROWS - 1 }), async (kept) => {
      expect(await check(rows.slice(0, kept))).toMatchObject({ ok: false, seq: kept + 1 });
    }),
    { numRuns: 100 },
  );
});

test("G3 a chain rewritten from any row on is detected at the next signature", async () => {
  await fc.assert(
    fc.asyncProperty(at, fc.string(), async (seq, line) => {
      const forged = rows.map((row) => (row.seq === seq ? { ...row, detail: { line: `forged ${line}` } } : row));
      expect(await check(chain(forged))).toMatchObject({ ok: false, seq: nextSigned(seq) });
    }),
    { numRuns: 200 },
  );
});

test("G3 any changed character of a checkpoint is detected, and so is a signature by another key", async () => {
  const store = openStore("genuine");
  store.append({ genesis: GENESIS, seq: ROWS, hash: rowOf(ROWS).hash, at: 0 });
  const [line = ""] = store.lines();
  expect(store.read(line)).not.toBeNull();
  const { privateKey } = generateKeyPairSync("ed25519");

  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (index, character) => {
      fc.pre(line[index] !== character);
      const changed = line.slice(0, index) + character + line.slice(index + 1);
      const read = store.read(changed);
      // Spaces between fields, or unused bits of the last character, change the text but not its meaning.
      if (read) expect({ ...read, signature: "" }).toEqual({ ...store.read(line), signature: "" });
    }),
    { numRuns: 500 },
  );
  const claim = { genesis: GENESIS, seq: 150, hash: rowOf(150).hash, at: 0, seals: true };
  const signature = sign(null, Buffer.from(canonical(claim)), privateKey).toString("base64");
  expect(store.read(JSON.stringify({ ...claim, signature }))).toBeNull();
});

test("G3 rows deleted under a seal do not break the chain, rows deleted beyond it do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: ROWS - 1 }), fc.integer({ min: 1, max: ROWS }), async (sealed, gone) => {
      const seal = signAt(rows, [sealed]).map((checkpoint) => resign(checkpoint, { seals: true }));
      const all = [...checkpoints, ...seal];
      const left = rows.slice(gone);

      const result = await check(left, all);

      if (gone <= sealed) expect(result).toMatchObject({ ok: true, removed: sealed, rows: ROWS - sealed });
      else expect(result).toMatchObject({ ok: false, seq: sealed + 1 });
    }),
    { numRuns: 150 },
  );
});

function rowAt(seq: number): Omit<AuditEvent, "hash"> {
  const actor = { type: "person", id: `person-${seq % 3}` } as const;
  const commandId = seq % 2 === 0 ? (`cmd-${seq}` as const) : null;
  return { seq, at: seq * 10, type: "command.opened", actor, commandId, terminalId: `pty-${seq}`, detail: { seq } };
}

function chain(unchained: Omit<AuditEvent, "hash">[]): AuditEvent[] {
  let hash = GENESIS;
  return unchained.map((row) => {
    hash = hashRow(hash, row);
    return { ...row, hash };
  });
}

function rowOf(seq: number): AuditEvent {
  const row = rows[seq - 1];
  if (!row) throw new Error(`There is no row ${seq}.`);
  return row;
}

function nextSigned(seq: number): number {
  return [100, 200, ROWS].find((signed) => signed >= seq) ?? ROWS;
}

function openStore(name: string): Checkpoints {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, "");
  return new Checkpoints({ file, keyFile: join(folder, "key.pem") });
}

function signAt(signed: AuditEvent[], seqs: number[]): (Checkpoint | null)[] {
  return signAll(seqs.map((seq) => ({ genesis: GENESIS, seq, hash: signed[seq - 1]?.hash ?? "", at: 0 })));
}

function resign(checkpoint: Checkpoint | null, more: { seals: true }): Checkpoint | null {
  if (!checkpoint) return null;
  const { signature: _, ...claim } = checkpoint;
  return signAll([{ ...claim, ...more }])[0] ?? null;
}

function signAll(claims: Omit<Checkpoint, "signature">[]): (Checkpoint | null)[] {
  const store = openStore("signing");
  for (const claim of claims) store.append(claim);
  return store.lines().map((line) => store.read(line));
}
