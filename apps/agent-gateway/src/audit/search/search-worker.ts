import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { databaseOn } from "../../store/sqlite/open-database.ts";
import { searchRecord } from "./search.ts";
import type { SearchReply, SearchRequest } from "./search-thread.ts";

/** The thread's entry: searches the record with a connection of its own, which cannot write. */
const CACHE_KB = 16_384;

const client = new Database((workerData as { file: string }).file, { readonly: true });
client.pragma(`cache_size = -${CACHE_KB}`);
const db = databaseOn(client);

parentPort?.on("message", (request: SearchRequest | "close") => {
  if (request === "close") {
    client.close();
    parentPort?.close();
    return;
  }
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});

async function answer({ id, filter, page }: SearchRequest): Promise<SearchReply> {
  try {
    return { id, found: await searchRecord(db, filter, page) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}
