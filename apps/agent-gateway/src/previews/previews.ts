import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type Hunk,
  type Moment,
  type PreviewedChanges,
  type PreviewFindings,
  PreviewThread,
  previewAbility,
  type TerminalPool,
} from "@belay/core";
import type { Actor, Approval, ApprovalId, CommandId, TerminalId } from "@belay/protocol";
import type { Logger } from "pino";
import type { Walls } from "../agents/walls.ts";
import type { Freezer } from "../approvals/freezer.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Changes } from "../changes/changes.ts";
import { type Act, isPreview } from "../commands/act.ts";
import type { CommandOutcome } from "../commands/outcome.ts";
import type { CommandRequest } from "../commands/submit-command.ts";
import type { Settings } from "../env.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { isSameMoment, type Kept, openKept, writeMeta } from "./preview-meta.ts";
import { type PreviewableAct, type PreviewSubject, placeOf, whyNot } from "./preview-place.ts";
import { describePreview } from "./words.ts";

/** What a command would do, for people. */
export interface PreviewView {
  /** Identifies exactly this preview, for a person who saw it and approves. */
  id: string;
  at: number;
  /** `deletes 214 files under build/, changes 3`. */
  summary: string;
  changes: PreviewedChanges;
  exitCode: number | null;
  output: string;
  durationMs: number;
  shellChanges: string[];
  attempts: string[];
  missing: string[];
  /** Why its effect cannot be applied; empty if it can. */
  obstacles: string[];
}

export type PreviewState =
  /** The policy has none. */
  | { status: "off" }
  | { status: "unavailable"; why: string }
  | { status: "offered" }
  | { status: "running" }
  | { status: "failed"; why: string }
  | { status: "ready"; preview: PreviewView };

interface Waiting {
  approval: Approval;
  request: CommandRequest;
  run: { done: Promise<void>; failure: string | null; isDone: boolean } | null;
}

interface Deps {
  settings: Settings;
  trashDir: string;
  walls: Walls;
  terminals: TerminalPool;
  machineOf: (id: TerminalId) => string | null;
  changes: Pick<Changes, "look">;
  freezer: Freezer;
  policy: PolicyStore;
  audit: AuditLog;
  events: EventBus;
  now: () => number;
  log: Logger;
}

const LIMIT_MS = 20_000;
const LIMIT_BYTES = 256_000_000;
const SHOWN_OUTPUT = 16_000;
const AT_ONCE = 2;
const MOST_DIFFS = 50;

/** What waiting commands would change: previewed on request or at once, and applied if the person approves exactly that. */
export class Previews {
  readonly #deps: Deps;
  readonly #dir: string;
  readonly #waiting = new Map<ApprovalId, Waiting>();
  readonly #stopListening: () => void;
  /** Pending reads of shells, by the name of the preview. */
  readonly #reading = new Map<string, Promise<unknown>>();
  readonly #thread = new PreviewThread();
  #running = 0;
  readonly #queue: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#dir = previewsDirOf(deps.settings.dataDir);
    this.#stopListening = deps.events.subscribeToAll((event) => {
      if (event.type === "approval" && event.event === "settled") this.#settled(event.approval);
    });
  }

  /** A person is asked about this command, and may want to see it first. */
  offer(approval: Approval, request: CommandRequest): void {
    this.#waiting.set(approval.id, { approval, request, run: null });
    if (this.#deps.policy.settings.approval.preview !== "always" || this.#kept(approval.id)) return;
    this.start(approval.id, { type: "system" }).catch((error: unknown) =>
      this.#deps.log.warn({ err: error, approvalId: approval.id }, "a preview could not be started"),
    );
  }

  async of(id: ApprovalId): Promise<PreviewState> {
    const waiting = this.#waiting.get(id);
    if (this.#deps.policy.settings.approval.preview === "off" || !waiting) return { status: "off" };
    const why = this.#whyNot(waiting.request);
    if (why !== null) return { status: "unavailable", why };
    if (waiting.run && !waiting.run.isDone) return { status: "running" };
    if (waiting.run?.failure) return { status: "failed", why: waiting.run.failure };
    const kept = this.#kept(id);
    if (kept) return { status: "ready", preview: await this.#view(kept) };
    const ability = await previewAbility();
    if (ability.status === "missing") return { status: "unavailable", why: `${ability.reason} ${ability.fix}` };
    return { status: "offered" };
  }

  /** Begins a preview; an event says when it is done. One that is already running continues. */
  async start(id: ApprovalId, by: Actor): Promise<void> {
    const state = await this.of(id);
    const waiting = this.#waiting.get(id);
    if (!waiting || state.status === "off")
      throw new GatewayError("no-preview", "The policy has no previews, or it does not wait any more.");
    if (state.status === "unavailable") throw new GatewayError("no-preview", state.why);
    if (state.status === "running") return;
    const { approval, request } = waiting;
    if (by.type !== "system") {
      const detail = { approvalId: id };
      await this.#deps.audit.append({
        type: "approval.preview-asked",
        actor: by,
        commandId: approval.commandId,
        detail,
      });
    }
    if (await this.#deps.freezer.isFrozen(request.agent.id)) {
      throw new GatewayError("agent-frozen", "Its agent is frozen, so nothing of it runs, not even on trial.");
    }
    const run = { done: Promise.resolve(), failure: null as string | null, isDone: false };
    waiting.run = run;
    run.done = this.#prepare(approval, request)
      .catch((error: Error) => {
        run.failure = error.message;
      })
      .finally(() => {
        run.isDone = true;
        if (this.#waiting.has(id)) this.#tell(approval);
        else this.#remove(id);
      });
    this.#tell(approval);
  }

  /** The changed lines of one file; null if there is no text to compare. */
  async diff(id: ApprovalId, previewId: string, file: string): Promise<Hunk[] | null> {
    const kept = this.#waiting.has(id) ? this.#kept(id) : null;
    return kept && kept.meta.id === previewId ? this.#thread.calls.diff(kept.dir, file) : null;
  }

  /** Fails with the reason if the effect that a person saw cannot be applied now. */
  async assertCanApply(id: ApprovalId, previewId: string): Promise<void> {
    const kept = this.#kept(id);
    const waiting = this.#waiting.get(id);
    if (!waiting || kept?.meta.id !== previewId) throw notThisPreview();
    if (isPreview(waiting.request.act))
      throw new GatewayError("no-preview", "The agent only asks for a preview, so there is nothing to apply.");
    if (waiting.request.act.type === "client") {
      throw new GatewayError("no-preview", "It runs in the client's own shell, so its effect cannot be applied here.");
    }
    const tried = await this.#thread.calls.apply(kept.dir, { isDry: true }).catch((error: unknown) => {
      throw this.#kept(id)?.meta.id === previewId ? error : notThisPreview(); // another took its place meanwhile
    });
    if (tried.status === "not-applicable")
      throw new GatewayError("no-preview", `It can only be run for real. ${tried.obstacles.join(" ")}`);
    const now = await this.#deps.changes.look(waiting.request.agent);
    if (tried.status === "changed" || !isSameMoment(kept.meta.moment, now))
      throw new GatewayError("no-preview", CHANGED);
    if (this.#kept(id)?.meta.id !== previewId) throw notThisPreview();
  }

  /** Applies what a person saw, which counts as the run of the command. */
  async apply(id: ApprovalId, begun: Moment | null): Promise<CommandOutcome> {
    const kept = this.#kept(id);
    if (!kept)
      return { status: "failed", message: "The preview that was approved is not kept any more. Nothing was changed." };
    try {
      if (!isSameMoment(kept.meta.moment, begun)) return { status: "failed", message: CHANGED };
      const applied = await this.#thread.calls.apply(kept.dir, { isDry: false });
      if (applied.status === "changed") return { status: "failed", message: CHANGED };
      if (applied.status === "not-applicable") return { status: "failed", message: applied.obstacles.join(" ") };
      return { status: "done", result: resultOf(applied.findings), isApplied: true };
    } finally {
      this.#remove(id);
    }
  }

  /** Previews a command that no approval waits for. */
  async run(
    name: CommandId,
    subject: PreviewSubject,
  ): Promise<{ preview: PreviewView; diffs: Record<string, Hunk[]> }> {
    if (this.#deps.policy.settings.approval.preview === "off")
      throw new GatewayError("no-preview", "The policy has no previews (approval.preview).");
    const why = this.#whyNot(subject);
    if (why !== null) throw new GatewayError("no-preview", why);
    const kept = await this.#inTurn(() => this.#preview(name, subject));
    try {
      const view = await this.#view(kept);
      const diffs: Record<string, Hunk[]> = {};
      for (const { id } of view.changes.paths.slice(0, MOST_DIFFS)) {
        const hunks = await this.#thread.calls.diff(kept.dir, id);
        if (hunks && hunks.length > 0) diffs[id] = hunks;
      }
      return { preview: view, diffs };
    } finally {
      kept.remove();
    }
  }

  /** A command that is about to run needs its shell: what a preview reads of it has to be read. */
  async leaveShell(id: ApprovalId): Promise<void> {
    await this.#reading.get(id)?.catch(() => {}); // the preview says what is wrong
  }

  /** Removes previews of an earlier gateway that are no longer needed. */
  clean(): void {
    for (const name of namesIn(this.#dir)) if (!this.#waiting.has(name as ApprovalId)) this.#remove(name);
  }

  async close(): Promise<void> {
    this.#stopListening();
    await this.#thread.close();
    await Promise.all([...this.#waiting.values()].map(({ run }) => run?.done));
  }

  async #prepare(approval: Approval, { act, agent }: CommandRequest): Promise<void> {
    const subject = { act: act as PreviewableAct, agent, cwd: approval.subject.cwd };
    const kept = await this.#inTurn(async () => {
      if (!this.#waiting.has(approval.id)) throw new Error("It does not wait any more.");
      return this.#preview(approval.id, subject);
    });
    const { summary, exitCode } = await this.#view(kept);
    const detail = { approvalId: approval.id, words: summary, exitCode };
    const about = { actor: { type: "system" }, commandId: approval.commandId } as const;
    await this.#deps.audit.append({ ...about, type: "approval.previewed", detail });
  }

  async #preview(name: string, subject: PreviewSubject): Promise<Kept> {
    const dir = join(this.#dir, name);
    this.#remove(name);
    const at = this.#deps.now();
    const moment = subject.agent && (await this.#deps.changes.look(subject.agent));
    const reading = placeOf(subject, this.#deps);
    this.#reading.set(name, reading);
    const place = await reading.finally(() => this.#reading.delete(name));
    await this.#thread.calls.preview(name, { ...place, dir, timeoutMs: LIMIT_MS, maxBytes: LIMIT_BYTES });
    writeMeta(dir, { id: `${name}-${at}`, at, moment });
    const kept = this.#kept(name);
    if (!kept) throw new Error("The preview was not kept.");
    return kept;
  }

  async #view({ dir, meta }: Kept): Promise<PreviewView> {
    const { findings, changes } = await this.#thread.calls.show(dir);
    const { exitCode, output, durationMs, shellChanges, attempts, missing, obstacles } = findings;
    const summary = describePreview(changes);
    const shown = { output: output.slice(-SHOWN_OUTPUT), durationMs, shellChanges, attempts, missing, obstacles };
    return { id: meta.id, at: meta.at, summary, changes, exitCode, ...shown };
  }

  #whyNot({ act, agent }: { act: Act; agent: AgentRow | null }): string | null {
    const { settings, policy, machineOf } = this.#deps;
    return whyNot(act, agent, { workspace: settings.workspace, policy: policy.settings, machineOf });
  }

  #kept(name: string): Kept | null {
    return openKept(join(this.#dir, name));
  }

  #settled({ id, state }: Approval): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // What is being worked out is removed when it is done; what is applied, when it is.
    const isTaken = state.status === "approved" && state.preview !== undefined;
    if (!isTaken && (waiting?.run?.isDone ?? true)) this.#remove(id);
  }

  #remove(name: string): void {
    rmSync(join(this.#dir, name), { recursive: true, force: true });
  }

  #tell(approval: Approval): void {
    this.#deps.events.publish({ type: "approval", event: "previewed", approval });
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#queue.shift()?.();
    }
  }
}

function notThisPreview(): GatewayError {
  return new GatewayError("no-preview", "This is not the preview that is there now. Look at it again.");
}

const CHANGED =
  "Files have changed since the preview, so what it showed no longer holds. Nothing was changed. Look again, or run it for real.";

export function previewsDirOf(dataDir: string): string {
  return join(dataDir, "previews");
}

function resultOf({ exitCode, output, durationMs }: PreviewFindings) {
  const ended = { exitCode, signal: null, error: null, isTimedOut: false, omittedBytes: 0, durationMs };
  return { ok: exitCode === 0, stdout: output, stderr: "", output, ...ended };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was ever previewed
  }
}
