import { type Change, isSameEntry } from "../entry.ts";
import { lookAt } from "../scan/look-at.ts";
import type { Repository } from "../store/repository.ts";
import { type ApplyStep, applySteps } from "./apply-steps.ts";
import { planUndo, type UndoStep } from "./undo-plan.ts";

/** Undo on the files of one workspace, with the content that its repository keeps. */
export class UndoFiles {
  readonly #root: Buffer;
  readonly #repository: Repository;
  readonly #maxFileBytes: number;

  constructor({ root, repository, maxFileBytes }: { root: Buffer; repository: Repository; maxFileBytes: number }) {
    this.#root = root;
    this.#repository = repository;
    this.#maxFileBytes = maxFileBytes;
  }

  plan(changes: readonly Change[]): Promise<UndoStep[]> {
    return planUndo(changes, {
      lookAt: (path) => lookAt(this.#root, path, this.#maxFileBytes),
      readBlob: (id) => this.#repository.readBlob(id),
      merge: (current, base, other) => this.#repository.merge(current, base, other),
      keep: (bytes) => this.#repository.keepBlob(bytes),
    });
  }

  /** The first file that is not what the plan saw; null if all are. */
  findChanged(steps: readonly UndoStep[]): string | null {
    for (const { path, now } of steps) {
      const found = lookAt(this.#root, path, this.#maxFileBytes)?.entry ?? null;
      if (!isSameEntry(found, now)) return path;
    }
    return null;
  }

  apply(steps: readonly ApplyStep[]): Promise<{ kept: string[] }> {
    return applySteps(this.#root, steps, async (id) => {
      const bytes = await this.#repository.readBlob(id);
      if (!bytes) throw new Error(`The content ${id} is not kept.`);
      return bytes;
    });
  }
}
