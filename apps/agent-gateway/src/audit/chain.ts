import { hash } from "node:crypto";
import { redactJson } from "@belay/core";
import type { Actor, AuditEvent } from "@belay/protocol";
import type { Head, NewAuditEvent } from "./storage/storage.ts";

/** The fields of a row that its hash covers. */
export type ChainedFields = Omit<AuditEvent, "hash" | "actor" | "detail"> & {
  actor: Actor;
  detail: AuditEvent["detail"];
};

/** A row of the record, and the same as it is stored. */
export interface ChainedRow {
  row: AuditEvent;
  stored: Omit<AuditEvent, "actor" | "detail"> & { actor: string; detail: string };
}

/** The next row of a chain. Secrets in known formats are redacted here, because every row comes through here. */
export function chainRow(head: Head, event: NewAuditEvent, at: number): ChainedRow {
  const fields = {
    seq: head.seq + 1,
    at,
    type: event.type,
    actor: event.actor,
    commandId: event.commandId ?? null,
    terminalId: event.terminalId ?? null,
    detail: redactJson(event.detail ?? {}),
  };
  const texts = { actor: canonical(fields.actor), detail: canonical(fields.detail) };
  const hash = hashRow(head.hash, fields, texts);
  return { row: { ...fields, hash }, stored: { ...fields, ...texts, hash } };
}

/** Hashes a row: the previous hash, then the fields in a fixed order. Callers that already have the texts pass them in. */
export function hashRow(
  previousHash: string,
  row: ChainedFields,
  { actor, detail } = { actor: canonical(row.actor), detail: canonical(row.detail) },
): string {
  const fields = [row.seq, row.at, row.type, actor, row.commandId, row.terminalId, detail];
  return hash("sha256", `${previousHash}\n${JSON.stringify(fields)}`, "hex");
}

/** JSON with sorted keys, so that the same value always has the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(fields[name])]));
}
