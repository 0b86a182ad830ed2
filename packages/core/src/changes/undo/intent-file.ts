import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { syncFile } from "../store/state-file.ts";
import type { ApplyStep } from "./apply-steps.ts";

interface Intent {
  id: string;
  steps: ApplyStep[];
}

/** The journal of an undo, on disk before it begins: after a crash, the undo is completed from it. */
export class IntentFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): Intent | null {
    return existsSync(this.#path) ? (JSON.parse(readFileSync(this.#path, "utf8")) as Intent) : null;
  }

  write(intent: Intent): void {
    const fresh = `${this.#path}.new`;
    writeFileSync(fresh, JSON.stringify(intent), { mode: 0o600 });
    syncFile(fresh);
    renameSync(fresh, this.#path);
  }

  drop(): void {
    rmSync(this.#path, { force: true });
  }
}
