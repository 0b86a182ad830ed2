import type { Hunk } from "../changes/line-diff.ts";
import { type ApplyResult, applyPreview } from "./apply-preview.ts";
import { KeptPreview, type PreviewedChanges } from "./kept-preview.ts";
import { type PreviewRequest, type PreviewResult, preview } from "./preview.ts";

/** What a preview found, without the list of what it would change, which can be long. */
export type PreviewFindings = Omit<PreviewResult, "roots">;

export type AppliedPreview =
  | { status: "applied"; findings: PreviewFindings }
  | Exclude<ApplyResult, { status: "applied" }>;

/** Runs previews and reads stored ones, each identified by its folder. */
export class PreviewService {
  readonly #running = new Map<string, { abort: AbortController; done: Promise<unknown> }>();

  async preview(name: string, request: Omit<PreviewRequest, "signal">): Promise<PreviewFindings> {
    const abort = new AbortController();
    const done = preview({ ...request, signal: abort.signal });
    this.#running.set(name, { abort, done });
    return findingsOf(await done.finally(() => this.#running.delete(name)));
  }

  async cancelAll(): Promise<void> {
    const all = [...this.#running.values()];
    for (const { abort } of all) abort.abort();
    await Promise.allSettled(all.map(({ done }) => done));
  }

  /** For people: what it found, and what would change. */
  async show(dir: string): Promise<{ findings: PreviewFindings; changes: PreviewedChanges }> {
    const kept = openKept(dir);
    return { findings: findingsOf(kept.read()), changes: await kept.list() };
  }

  async diff(dir: string, id: string): Promise<Hunk[] | null> {
    return openKept(dir).diff(id);
  }

  async apply(dir: string, options: { isDry: boolean }): Promise<AppliedPreview> {
    const done = await applyPreview(openKept(dir), options);
    return done.status === "applied" ? { status: "applied", findings: findingsOf(done.result) } : done;
  }
}

function findingsOf({ roots: _, ...findings }: PreviewResult): PreviewFindings {
  return findings;
}

function openKept(dir: string): KeptPreview {
  const kept = KeptPreview.open(dir);
  if (!kept) throw new Error("The preview is not kept any more.");
  return kept;
}
