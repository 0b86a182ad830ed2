import type { AuditEvent } from "@belay/protocol";

/**
 * The words of a text as the search compares them: lower case, without accents, only letters and digits, with a space around
 * each. SQLite's full-text index does the same by itself.
 */
export function wordsOf(text: string): string {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return ` ${plain.replace(/[^\p{L}\p{N}\p{Co}]+/gu, " ").trim()} `;
}

/** What a row is found by: its type, its ids, and every text in its detail. */
export function wordsOfRow({ type, actor, commandId, terminalId, detail }: Omit<AuditEvent, "hash">): string {
  const id = "id" in actor ? actor.id : null;
  const texts = [type, id, commandId, terminalId, ...textsIn(detail)];
  return wordsOf(texts.filter((text) => text !== null).join(" "));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
