import { unwatchFile, watchFile } from "node:fs";
import { rm } from "node:fs/promises";
import {
  addApprovalPatterns,
  addBlockedPatterns,
  defaultPolicy,
  type JudgeContext,
  loadSecurityFile,
  type Policy,
} from "@belay/policy";
import type { Actor } from "@belay/protocol";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";
import { type Settings, SettingsError } from "../env.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { replaceFile } from "../store/durable-file.ts";
import { insertPolicyVersion, listPolicyVersions } from "../store/tables/policy-versions.ts";
import { describeProblems, loadDraft } from "./load-draft.ts";
import { machineContext } from "./machine-context.ts";
import { nothingRuns } from "./nothing-runs.ts";
import { onlyTightens } from "./only-tightens.ts";
import { hashOf, load, readText, versionOf } from "./policy-file.ts";
import type { CodePatterns, PolicySource } from "./threads/judge-task.ts";

/** The policy in force. */
export interface CurrentPolicy {
  policy: Policy;
  /** The same for another thread. */
  source: PolicySource;
  /** Changes with every change of the file; approvals are bound to it. */
  version: string;
  /** The text of the file; null where there is none, and the defaults hold. */
  text: string | null;
  /** What every judgement starts from. */
  context: Partial<JudgeContext>;
}

export type PolicyHealth =
  | { status: "ok" }
  /** The file cannot be used, so the last good one stays in force. */
  | { status: "broken"; since: number; problems: string[] }
  /** It was edited and cannot be taken yet, because the record cannot be written; it is tried again. */
  | { status: "not-taken"; since: number; problem: string };

/** The file was edited from outside, and may allow more than before: an admin has to accept it. */
export interface WaitingEdit {
  /** Of the text on disk. */
  version: string;
  /** Null where the file is gone, and the defaults would hold. */
  text: string | null;
  since: number;
}

interface Deps {
  settings: Settings;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  log: Logger;
  now: () => number;
}

interface SaveOptions {
  by: Actor;
  note: string;
  /** The version that its author saw. */
  basedOn: string;
  /** Also where the file on disk cannot be used; that one is kept beside it. */
  replacesBroken?: boolean;
}

const LOOK_EVERY_MS = 1000;

/**
 * The policy in force: what an admin saved or accepted last.
 *
 * An edit of `security.json` from outside is noticed. If it provably allows nothing more, it is in force at once, like
 * any other version. Otherwise it waits for an admin, and the old one stays in force: whoever can write a file need
 * not be somebody who may change the policy. The same holds for what was edited while Belay was down. A file that is
 * broken at the start stops the start; later the last good one stays, and everybody is told.
 */
export class PolicyStore {
  readonly #deps: Deps;
  readonly #file: string;
  readonly #context: Partial<JudgeContext>;
  #findOwnProcesses: () => number[] = () => [];
  #filePolicy: Policy;
  #inCode: CodePatterns = { blocked: [], approval: [] };
  #current: CurrentPolicy;
  #health: PolicyHealth = { status: "ok" };
  #waiting: WaitingEdit | null = null;
  /** One change at a time: reading, checking and taking belong together. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #onFileChange = () => void this.#reloadUntilTaken();
  #retryTimer: NodeJS.Timeout | undefined;
  /** What was wrong with the file, as far as the record says so. */
  #recordedProblems: string | null = null;

  static async open(deps: Deps): Promise<PolicyStore> {
    const text = await readText(deps.settings.securityFile);
    const loaded = load(text);
    if (!loaded.ok) {
      const problems = describeProblems(deps.settings.securityFile, loaded.errors).map((problem) => `  ${problem}`);
      throw new SettingsError(`The policy cannot be used, so nothing was started:\n${problems.join("\n")}`);
    }
    for (const notice of loaded.notices) deps.log.warn({ file: deps.settings.securityFile }, notice);
    const [latest] = await listPolicyVersions(deps.db, 1);
    const inForce = latest && latest.version !== versionOf(text) ? latest.text : text;
    const accepted = load(inForce);
    const store = new PolicyStore(deps, accepted.ok ? accepted.policy : nothingRuns, inForce);
    if (!latest) await store.#recordVersion({ type: "system" }, "The first one.", undefined);
    else if (inForce !== text) await store.#consider(loaded.policy, text, "Edited while Belay was down.");
    watchFile(store.#file, { interval: LOOK_EVERY_MS, persistent: false }, store.#onFileChange);
    return store;
  }

  private constructor(deps: Deps, policy: Policy, text: string | null) {
    const { settings } = deps;
    this.#deps = deps;
    this.#file = settings.securityFile;
    this.#context = machineContext(settings, () => [process.pid, ...this.#findOwnProcesses()]);
    this.#filePolicy = policy;
    const version = versionOf(text);
    const source = { key: version, settings: policy.settings, blocked: [], approval: [] };
    this.#current = { policy, source, text, version, context: this.#context };
  }

  get current(): CurrentPolicy {
    return this.#current;
  }

  get health(): PolicyHealth {
    return this.#health;
  }

  /** An edit from outside that an admin has to accept or discard; null where there is none. */
  get waiting(): WaitingEdit | null {
    return this.#waiting;
  }

  get settings(): Policy["settings"] {
    return this.#current.policy.settings;
  }

  /** Belay's processes besides this one, which no agent may signal. */
  protectProcesses(find: () => number[]): void {
    this.#findOwnProcesses = find;
  }

  /** Patterns that a program adds in code (A8). They hold on top of every version of the file. */
  addPatterns(patterns: Partial<CodePatterns>): void {
    const { blocked = [], approval = [] } = patterns;
    this.#inCode = {
      blocked: [...this.#inCode.blocked, ...blocked],
      approval: [...this.#inCode.approval, ...approval],
    };
    const waiting = this.#waiting;
    this.#activate(this.#filePolicy, this.#current.text);
    this.#waiting = waiting;
  }

  /** Looks at what the file says now. */
  reload(): Promise<void> {
    return this.#inTurn(async () => {
      const text = await readText(this.#file);
      if (text === this.#current.text) {
        this.#setHealth({ status: "ok" });
        this.#setWaiting(null);
        return;
      }
      if (text === this.#waiting?.text && this.#health.status === "ok") return;
      const loaded = load(text);
      if (!loaded.ok) {
        await this.#break(describeProblems(this.#file, loaded.errors));
        return;
      }
      for (const notice of loaded.notices) this.#deps.log.warn({ file: this.#file }, notice);
      await this.#consider(loaded.policy, text, "The file was edited.");
    });
  }

  /** Puts the edit that waits into force. `version` is the one that the admin saw. */
  acceptEdit(version: string, by: Actor): Promise<CurrentPolicy> {
    return this.#inTurn(async () => {
      const text = await this.#waitingText(version);
      const policy = text === null ? defaultPolicy : loadDraft(text);
      await this.#adopt(policy, text, by, "Accepted an edit of the file.");
      return this.#current;
    });
  }

  /** Puts the file back to what is in force, and keeps the edit beside it. */
  discardEdit(version: string, by: Actor): Promise<void> {
    return this.#inTurn(async () => {
      const text = await this.#waitingText(version);
      const detail = { version, inForce: this.#current.version };
      await this.#deps.audit.append({ type: "policy.edit-discarded", actor: by, detail });
      if (text !== null) replaceFile(`${this.#file}.discarded`, text);
      if (this.#current.text === null) await rm(this.#file, { force: true });
      else replaceFile(this.#file, this.#current.text);
      this.#setWaiting(null);
    });
  }

  /** Nobody calls again when the file does not change again. */
  async #reloadUntilTaken(): Promise<void> {
    clearTimeout(this.#retryTimer);
    try {
      await this.reload();
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (this.#health.status === "ok") this.#deps.log.error({ err: error }, "the edited policy could not be taken");
      if (this.#health.status !== "broken")
        this.#setHealth({ status: "not-taken", since: this.#sinceNow("not-taken"), problem });
      this.#retryTimer = setTimeout(this.#onFileChange, LOOK_EVERY_MS).unref();
    }
  }

  /** Writes a new text to the file. `basedOn` is the version that its author saw: nobody overwrites what they did not read. */
  async save(text: string, { by, note, basedOn, replacesBroken = false }: SaveOptions): Promise<CurrentPolicy> {
    return this.#inTurn(async () => {
      const onDisk = await readText(this.#file);
      const isBroken = onDisk !== null && !loadSecurityFile(onDisk).ok;
      if (basedOn !== this.#current.version || (onDisk !== this.#current.text && !(isBroken && replacesBroken))) {
        throw new GatewayError(
          "policy-changed",
          isBroken
            ? "The file on disk was edited and cannot be used. Mend it there, or roll back to an earlier version."
            : onDisk !== this.#current.text
              ? "The file on disk was edited, and the edit waits for an admin. Accept or discard it first."
              : "The policy has changed meanwhile. Look at the new one, and make your change again.",
        );
      }
      const policy = loadDraft(text);
      // On record first: a policy that nobody can account for must not come into force.
      await this.#recordVersion(by, note, this.#current.version, text);
      // Somebody's work all the same, even if it cannot be used.
      if (isBroken) replaceFile(`${this.#file}.broken`, onDisk);
      replaceFile(this.#file, text);
      this.#activate(policy, text);
      return this.#current;
    });
  }

  close(): void {
    unwatchFile(this.#file, this.#onFileChange);
    clearTimeout(this.#retryTimer);
  }

  /** Takes an edit from outside where it provably allows nothing more; otherwise it waits. */
  async #consider(policy: Policy, text: string | null, note: string): Promise<void> {
    if (this.#filePolicy !== nothingRuns && onlyTightens(this.#filePolicy.settings, policy.settings)) {
      await this.#adopt(policy, text, { type: "system" }, `${note} It only tightens.`);
      return;
    }
    const { audit, log, now } = this.#deps;
    const version = versionOf(text);
    const detail = { version, inForce: this.#current.version };
    await audit.append({ type: "policy.edit-waits", actor: { type: "system" }, detail });
    log.warn({ file: this.#file }, "the policy file was edited and may allow more: it waits for an admin to accept it");
    this.#setHealth({ status: "ok" });
    this.#setWaiting({ version, text, since: now() });
  }

  /** The text that waits, if it is still the one that an admin looked at. */
  async #waitingText(version: string): Promise<string | null> {
    const text = await readText(this.#file);
    if (this.#waiting?.version === version && versionOf(text) === version) return text;
    throw new GatewayError("policy-changed", "No such edit of the policy waits, or it has changed since. Look again.");
  }

  #setWaiting(waiting: WaitingEdit | null): void {
    if (this.#waiting?.version === waiting?.version) return;
    this.#waiting = waiting;
    this.#deps.events.publish({ type: "policy" });
  }

  async #adopt(policy: Policy, text: string | null, by: Actor, note: string): Promise<void> {
    await this.#recordVersion(by, note, this.#current.version, text);
    this.#activate(policy, text);
  }

  #activate(policy: Policy, text: string | null): void {
    this.#filePolicy = policy;
    const { blocked, approval } = this.#inCode;
    const inCode = blocked.length + approval.length === 0 ? "" : `+${hashOf(`${blocked} ${approval}`)}`;
    const version = versionOf(text) + inCode;
    this.#current = {
      policy: addApprovalPatterns(addBlockedPatterns(policy, blocked), approval),
      source: { key: version, settings: policy.settings, blocked, approval },
      text,
      version,
      context: this.#context,
    };
    this.#setHealth({ status: "ok" });
    this.#waiting = null;
    this.#deps.events.publish({ type: "policy" });
  }

  async #break(problems: string[]): Promise<void> {
    if (this.#recordedProblems === problems.join()) return;
    this.#setHealth({ status: "broken", since: this.#sinceNow("broken"), problems });
    await this.#deps.audit.append({ type: "policy.broken", actor: { type: "system" }, detail: { problems } });
    this.#recordedProblems = problems.join();
  }

  #sinceNow(status: Exclude<PolicyHealth["status"], "ok">): number {
    return this.#health.status === status ? this.#health.since : this.#deps.now();
  }

  #setHealth(health: PolicyHealth): void {
    const hasChanged = this.#health.status !== health.status;
    this.#health = health;
    if (health.status === "ok") this.#recordedProblems = null;
    if (hasChanged || health.status !== "ok") this.#deps.events.publish({ type: "policy" });
  }

  async #recordVersion(
    author: Actor,
    note: string,
    before: string | undefined,
    text = this.#current.text,
  ): Promise<void> {
    const version = versionOf(text);
    const { audit, now } = this.#deps;
    const detail = { before: before ?? null, after: version, note };
    await audit.append({ type: "policy.changed", actor: author, detail }, (db) =>
      insertPolicyVersion(db, { version, text, at: now(), author, note }),
    );
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(change);
    this.#last = result.catch(() => {}); // whoever asked is told; the next one goes on
    return result;
  }
}
