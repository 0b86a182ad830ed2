import { redactRecording } from "@belay/core";
import type { Actor, CommandId, TerminalId } from "@belay/protocol";
import { GatewayError } from "../../errors.ts";
import type { Db } from "../../store/database.ts";
import { findCommandChanges } from "../../store/tables/changes/command-changes.ts";
import { eraseDetails, findRowsOf, prepareErasure } from "../../store/tables/record/redaction.ts";
import type { AuditLog } from "../audit-log.ts";
import { toEvent } from "../rows.ts";
import { coverRow, isRedacted } from "./redaction-proof.ts";

export type WhatToRedact = { seq: number } | { commandId: CommandId };

interface Deps {
  db: Db;
  audit: AuditLog;
  recordingsDir: string;
  /** Deletes the undo history of a workspace, which contains earlier versions of its files. */
  forgetHistory: (workspace: string) => Promise<void>;
  /** Called after the content of a recording has changed. */
  onRecordingChanged: (id: TerminalId) => void;
}

/**
 * Erases a secret that leaked into the record or a recording. The erasure itself is recorded first, with who did it and
 * why, and the chain still verifies.
 *
 * It does not reach copies that others took, exports, backups, files with whole outputs that agents were given,
 * what an open shell remembers of its variables, and files in the workspace itself. Its undo history is deleted where
 * the caller asks for it, since that ends what can be undone.
 */
export class Redactions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** One row, or everything on record about one command. */
  async redactRows(
    what: WhatToRedact,
    { reason, by, forgetsHistory = false }: { reason: string; by: Actor; forgetsHistory?: boolean },
  ): Promise<{ rows: number; forgottenHistory: string | null }> {
    const { db, audit, forgetHistory } = this.#deps;
    const rows = (await findRowsOf(db, what)).map(toEvent).filter((row) => !isRedacted(row));
    if (rows.length === 0)
      throw new GatewayError(
        "bad-request",
        "There is nothing to redact: the row does not exist, or it is already redacted.",
      );
    const proof = rows.find(({ type }) => type.startsWith("audit."));
    if (proof)
      throw new GatewayError(
        "bad-request",
        `Row ${proof.seq} is itself a proof (${proof.type}) and cannot be redacted.`,
      );
    if ("commandId" in what && !rows.some(({ type }) => type === "command.closed"))
      throw new GatewayError("already-running", "This command is not over yet. Wait until it has ended, then redact.");
    const changes = "commandId" in what && forgetsHistory ? await findCommandChanges(db, what.commandId) : undefined;
    const seqs = rows.map(({ seq }) => seq);
    const about = rows[0];
    const eraseRest = "commandId" in what ? await prepareErasure(db, what.commandId) : () => [];
    await audit.erase(() =>
      audit.append(
        {
          type: "audit.redacted",
          actor: by,
          ...(about?.commandId ? { commandId: about.commandId } : {}),
          ...(about?.terminalId ? { terminalId: about.terminalId } : {}),
          detail: {
            reason,
            rows: rows.map(coverRow),
            ...(changes ? { forgottenHistory: changes.workspace } : {}),
          },
        },
        (transaction) => [eraseDetails(transaction, seqs), ...eraseRest(transaction)],
      ),
    );
    if (changes) await forgetHistory(changes.workspace);
    return { rows: rows.length, forgottenHistory: changes?.workspace ?? null };
  }

  /** What a terminal printed between two moments of its recording. */
  async redactRecording(
    id: TerminalId,
    stretch: { fromMs: number; toMs: number },
    { reason, by }: { reason: string; by: Actor },
  ): Promise<{ bytes: number }> {
    const { audit, recordingsDir, onRecordingChanged } = this.#deps;
    const outcome = await redactRecording(recordingsDir, id, stretch, async (found) => {
      const detail = { ...stretch, ...found, reason };
      await audit.append({ type: "recording.redacted", actor: by, terminalId: id, detail });
    });
    if (outcome.status === "redacted") {
      onRecordingChanged(id);
      return { bytes: outcome.bytes };
    }
    switch (outcome.reason) {
      case "no-recording":
        throw new GatewayError("recording-not-found", `There is no recording of "${id}", or it has been deleted.`);
      case "still-written":
        throw new GatewayError("already-running", "Its terminal is still open. End the terminal first, then redact.");
      case "nothing-there":
        throw new GatewayError("bad-request", "Nothing was printed between these moments.");
    }
  }
}
