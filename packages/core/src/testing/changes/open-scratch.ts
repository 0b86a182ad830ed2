import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { History, type HistoryOptions } from "../../changes/history.ts";
import { scratchHistory } from "./scratch-tree.ts";

export interface Scratch {
  root: string;
  history: History;
  /** Opens the history once more, as a restart does; the first one takes no more snapshots. */
  reopen: () => Promise<History>;
}

/** An empty workspace with its history, until the test ends. */
export async function openScratch(searchPath: string, more: Partial<HistoryOptions> = {}): Promise<Scratch> {
  const base = mkdtempSync(join(tmpdir(), "belay-scratch-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "work");
  mkdirSync(root);
  const open = async () => {
    const history = await History.open({ ...scratchHistory(base, searchPath), ...more });
    onTestFinished(() => history.close());
    return history;
  };
  const history = await open();
  const reopen = () => {
    history.close();
    return open();
  };
  return { root, history, reopen };
}
