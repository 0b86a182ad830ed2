import { createPublicKey } from "node:crypto";
import { type AuditEvent, placeOfRow } from "@belay/protocol";
import type { Db } from "../store/database.ts";
import { readRows } from "./rows.ts";
import { type Checkpoint, readSigned } from "./signing/checkpoints.ts";
import type { OtherChain, OtherChains } from "./storage/storage.ts";
import { type ChainReport, type Statement, type Verification, verifyRecord } from "./verify.ts";

interface ChainsToVerify {
  db: Db;
  own: { gateway: number; genesis: string; head: { seq: number; hash: string } };
  /** Proves this gateway's signatures. */
  publicKey: string;
  /** Null if there can be no others. */
  others: OtherChains | null;
  /** This gateway's, in the order of the file; null for a line that is not genuine. */
  checkpoints: readonly (Checkpoint | null)[];
  /** Lines of a copy of a gateway's checkpoints that are not this gateway's. */
  foreign: readonly string[];
  onRow: (() => void) | undefined;
}

/**
 * Verifies the chains of all gateways on the database. This gateway's own is verified against its signatures. Each other one must
 * pass through every row that this gateway saw at its end and signed: so it was neither truncated nor rewritten before that.
 * Each gateway signs the seal of its own chain; for one that was retired, any other does.
 */
export async function verifyChains(record: ChainsToVerify): Promise<Verification> {
  const { db, own, publicKey, others, checkpoints, foreign, onRow } = record;
  const redactions = others ? await others.redactions() : [];
  const result = await verifyRecord({
    ...own,
    rows: readRows(db, own.gateway, onRow),
    checkpoints: [...checkpoints, ...(others ? [] : foreign.map(() => null))],
    redactions: ofOthers(redactions, own.gateway),
  });
  if (!others) return result;

  const bindings = checkpoints.flatMap((checkpoint) => checkpoint?.others ?? []);
  const chains = await others.list(bindings.map(({ gateway }) => gateway));
  const keys = [publicKey, ...chains.flatMap((chain) => chain.publicKey ?? [])];
  const unclaimed = new Set(foreign);
  const reports = [toReport({ gateway: own.gateway, name: "this gateway" }, result)];
  for (const chain of chains) {
    const copied = readCopy(chain, unclaimed);
    const seen = bindings.filter(({ gateway }) => gateway === chain.gateway);
    const verify = (current: OtherChain) =>
      verifyOther(db, current, { statements: [...seen, ...copied], keys, redactions, onRow });
    let found = await verify(chain);
    // Its gateway may have removed old rows meanwhile, and shown its new seal before.
    if (!found.ok) {
      const now = (await others.list([chain.gateway])).find(({ gateway }) => gateway === chain.gateway);
      if (now && now.seal !== chain.seal) found = await verify(now);
    }
    reports.push(toReport(chain, found));
  }
  if (unclaimed.size > 0 && result.ok)
    return {
      ok: false,
      seq: null,
      problem: "A line of the copy was changed, or no gateway of this database signed it.",
    };
  return sum(result, reports);
}

async function verifyOther(
  db: Db,
  chain: OtherChain,
  {
    statements,
    keys,
    redactions,
    onRow,
  }: {
    statements: readonly Statement[];
    keys: readonly string[];
    redactions: readonly AuditEvent[];
    onRow: (() => void) | undefined;
  },
): Promise<Verification> {
  if (!chain.isRegistered)
    return { ok: false, seq: null, problem: "It is not in the list of gateways, but it was seen or has rows." };
  const seal = chain.seal === null ? [] : [sealOf(chain, chain.seal, keys)];
  return verifyRecord({
    gateway: chain.gateway,
    genesis: chain.genesis,
    rows: readRows(db, chain.gateway, onRow),
    checkpoints: [...statements, ...seal],
    redactions: ofOthers(redactions, chain.gateway),
    // It signs its rows itself; this gateway sees its end from time to time.
    mostUnsigned: Number.POSITIVE_INFINITY,
  });
}

function sealOf(
  { gateway, publicKey, isRetired }: OtherChain,
  line: string,
  keys: readonly string[],
): Statement | null {
  const own = publicKey === null ? null : readWith(line, publicKey);
  if (own?.seals) return own;
  if (!isRetired) return null;
  const others = keys.flatMap((key) => readWith(line, key)?.others ?? []);
  return others.find((binding) => binding.gateway === gateway && binding.seals) ?? null;
}

/** The lines of a copy that this chain's gateway signed. */
function readCopy({ publicKey }: OtherChain, unclaimed: Set<string>): Checkpoint[] {
  if (publicKey === null) return [];
  const read = [...unclaimed].flatMap((line) => {
    const checkpoint = readWith(line, publicKey);
    if (checkpoint) unclaimed.delete(line);
    return checkpoint ?? [];
  });
  return read;
}

function readWith(line: string, publicKey: string): Checkpoint | null {
  try {
    return readSigned(line, createPublicKey(publicKey));
  } catch {
    return null; // the key was replaced by something else
  }
}

function ofOthers(rows: readonly AuditEvent[], gateway: number): AuditEvent[] {
  return rows.filter(({ seq }) => placeOfRow(seq).gateway !== gateway);
}

function toReport({ gateway, name }: { gateway: number; name: string }, found: Verification): ChainReport {
  if (!found.ok) return { gateway, name, rows: 0, removed: 0, unsigned: 0, problem: found.problem };
  const { rows, removed, unsigned } = found;
  return { gateway, name, rows, removed, unsigned, problem: null };
}

/** One answer for all chains, and each chain's own if there are several. */
function sum(own: Verification, reports: ChainReport[]): Verification {
  const chains = reports.length > 1 ? { chains: reports } : {};
  if (!own.ok) return { ...own, ...chains };
  const broken = reports.find(({ problem }) => problem !== null);
  if (broken) {
    const problem = `The chain of gateway ${broken.gateway} (${broken.name}): ${broken.problem}`;
    return { ok: false, seq: null, problem, ...chains };
  }
  const total = (count: (report: ChainReport) => number) => reports.reduce((all, report) => all + count(report), 0);
  return {
    ...own,
    rows: total(({ rows }) => rows),
    removed: total(({ removed }) => removed),
    unsigned: total(({ unsigned }) => unsigned),
    ...chains,
  };
}
