import type { SearchProgress } from "@belay/core";
import type { Peer } from "../../cluster/presence.ts";
import type { MachineView } from "../../machines/machines.ts";
import type { Replays } from "../../recordings/replays.ts";
import type { ListedTrash } from "../trpc/routers/trash.ts";

/** What one gateway answered; `from` is null for this one. */
export interface GatewayAnswer {
  readonly from: Pick<Peer, "id" | "name"> | null;
  readonly data: unknown;
}

interface Merged {
  readonly merge: (answers: readonly GatewayAnswer[]) => unknown;
  /** Set for calls that change something: if a gateway does not answer, the caller must know. */
  readonly needsAll?: true;
}

/** Calls that every gateway answers for what it holds, and how people see the answers together. */
export const MERGED: Readonly<Record<string, Merged>> = {
  "terminals.list": { merge: concatenate },
  "terminals.miniatures": { merge: concatenate },
  "recordings.list": { merge: concatenate },
  "recordings.page": { merge: mergePages },
  "recordings.search": { merge: mergeSearches },
  "machines.list": { merge: mergeMachines },
  "trash.list": { merge: mergeTrash },
  "trash.size": { merge: (answers) => ({ bytes: sumOf(answers, "bytes") }) },
  "trash.empty": {
    merge: (answers) => ({ removedItems: sumOf(answers, "removedItems"), freedBytes: sumOf(answers, "freedBytes") }),
    needsAll: true,
  },
};

function dataOf<Data>(answers: readonly GatewayAnswer[]): Data[] {
  return answers.map(({ data }) => data as Data);
}

function sumOf<Key extends string>(answers: readonly GatewayAnswer[], key: Key): number {
  return dataOf<Record<Key, number>>(answers).reduce((sum, data) => sum + data[key], 0);
}

function concatenate(answers: readonly GatewayAnswer[]): unknown[] {
  return dataOf<unknown[]>(answers).flat();
}

type Page = Awaited<ReturnType<Replays["list"]>>;

/** Each gateway's part of the page, newest first: all pages together have every recording once. */
function mergePages(answers: readonly GatewayAnswer[]): Page {
  return {
    recordings: dataOf<Page>(answers)
      .flatMap(({ recordings }) => recordings)
      .sort((a, b) => b.startedAt - a.startedAt),
    total: sumOf(answers, "total"),
    bytes: sumOf(answers, "bytes"),
  };
}

/**
 * The search continues where the slowest gateway stopped, so the others search a part again: a recording may be found
 * in two answers.
 */
function mergeSearches(answers: readonly GatewayAnswer[]): SearchProgress {
  const all = dataOf<SearchProgress>(answers);
  const cursors = all.flatMap(({ nextCursor }) => nextCursor ?? []);
  const nextCursor = cursors.length === 0 ? null : Math.min(...cursors);
  return {
    found: all.flatMap(({ found }) => found).sort((a, b) => b.startedAt - a.startedAt),
    searched: all.reduce((sum, { total }) => sum + Math.min(nextCursor ?? total, total), 0),
    total: sumOf(answers, "total"),
    nextCursor,
  };
}

/** Every gateway knows all machines; only the one that a machine has joined knows its state. */
function mergeMachines(answers: readonly GatewayAnswer[]): MachineView[] {
  const [here = [], ...others] = dataOf<MachineView[]>(answers);
  const joined = new Map(
    others
      .flat()
      .filter(({ load }) => load !== null)
      .map((machine) => [machine.name, machine]),
  );
  return here.map((machine) => joined.get(machine.name) ?? machine);
}

/** Ids are unique at one gateway alone, so what another one holds is named with it. */
function mergeTrash(answers: readonly GatewayAnswer[]): ListedTrash[] {
  return answers.flatMap(({ from, data }) =>
    (data as ListedTrash[]).map((item) => (from ? { ...item, gateway: { id: from.id, name: from.name } } : item)),
  );
}
