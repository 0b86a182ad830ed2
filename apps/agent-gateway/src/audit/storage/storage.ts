import type { Actor, AuditEvent, AuditEventType, CommandId, TerminalId } from "@belay/protocol";
import type { Writes } from "../../store/queries.ts";
import type { AuditFilter } from "../search/filter.ts";
import type { AuditPage, PageRequest } from "../search/search.ts";
import type { Binding } from "../signing/checkpoints.ts";
import type { ChainStart } from "./chain-start.ts";
import type { Refused } from "./group-commit.ts";

export interface NewAuditEvent {
  type: AuditEventType;
  actor: Actor;
  commandId?: CommandId;
  terminalId?: TerminalId;
  detail?: AuditEvent["detail"];
}

/** Rows that belong together, and the changes that are committed with them. */
export interface Entry {
  events: readonly NewAuditEvent[];
  also: Writes | undefined;
  isSeenAtOnce: boolean;
  /** Called once its rows are committed, a moment before they are on disk. */
  onCommitted?: (() => void) | undefined;
}

export interface Head {
  seq: number;
  hash: string;
}

/** What became of each entry, and where the chain ends now. */
export interface Batch {
  written: (AuditEvent[] | Refused)[];
  head: Head;
}

/** Chains that other gateways write into the same database. */
export interface OtherChains {
  /** Where each of them ends now. */
  heads(): Promise<Binding[]>;
  /** Each that exists, or that one of these numbers names. */
  list(expected: readonly number[]): Promise<OtherChain[]>;
  /** Rows of any chain that declare redactions. */
  redactions(): Promise<AuditEvent[]>;
  /** Shows this gateway's key and last seal to the others. */
  publish(publicKey: string, seal: string | null): Promise<void>;
  /** Shows this gateway's seal for a retired one to the others. */
  publishFor(gateway: number, seal: string): Promise<void>;
}

export interface OtherChain {
  gateway: number;
  name: string;
  /** Whether its gateway is one of those that use the database. */
  isRegistered: boolean;
  /** Empty if it is not there. */
  genesis: string;
  publicKey: string | null;
  /** The line of its last seal. */
  seal: string | null;
  /** Then another gateway may have signed its seal. */
  isRetired: boolean;
}

/** A place that rows are written to and searched in. */
export interface RecordStorage {
  /** The gateway whose chain it writes; 0 is the only one or the first. */
  readonly gateway: number;
  /** The chains of other gateways; null if there can be none. */
  readonly others: OtherChains | null;
  /** In messages for people. */
  readonly name: string;
  /** What an administrator has to check if a row cannot be written. */
  readonly whatToCheck: string;
  /** Where the chain ended when it was opened. */
  readonly start: ChainStart;
  /** The hash of the row that was signed last; null if it is not there. */
  readonly signedHash: string | null;
  /** `sync` writes a batch before it returns, and brings it to the disk later; `queued` resolves once it is durable. */
  readonly writes:
    | { type: "sync"; write(entries: readonly Entry[], head: Head): Batch }
    | { type: "queued"; write(entries: readonly Entry[], head: Head): Promise<Batch> };
  /** Resolves once all written rows are on disk. */
  flush(): Promise<void>;
  flushNow(): void;
  /** Why nothing may be written any more; null if the storage is what was opened. */
  findLoss(): string | null;
  /** Writes something, and rolls a row back. Throws if either cannot be written. */
  tryWriting(head: Head): void | Promise<void>;
  search(filter: AuditFilter, page: PageRequest): Promise<AuditPage>;
  /** Runs work that deletes or overwrites data, and removes what is left of it in free pages and in indexes. */
  erase<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
}
