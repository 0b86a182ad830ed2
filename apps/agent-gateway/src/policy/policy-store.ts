import { unwatchFile, watchFile } from "node:fs";
import { rm } from "node:fs/promises";
import { defaultPolicy, type JudgeContext, loadSecurityFile, type Policy } from "@belay/policy";
import type { Actor } from "@belay/protocol";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";
import { type Settings, SettingsError } from "../env.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { replaceFile } from "../store/durable-file.ts";
import { hasPolicyVersion } from "../store/tables/policy-versions.ts";
import { denyEverything } from "./deny-everything.ts";
import { describeProblems, loadDraft } from "./load-draft.ts";
import { machineContext } from "./machine-context.ts";
import { onlyTightens } from "./only-tightens.ts";
import { type CurrentPolicy, currentPolicy, load, readText, versionOf } from "./policy-file.ts";
import { latestOrFirst, PolicyVersions } from "./policy-versions.ts";
import type { CodePatterns } from "./threads/judge-task.ts";

export type PolicyHealth =
  | { status: "ok" }
  /** The file is invalid, so the last good one stays active. */
  | { status: "broken"; since: number; problems: string[] }
  /** It was edited but cannot be applied yet, because the record cannot be written; it is retried. */
  | { status: "not-taken"; since: number; problem: string };

/** The file was edited externally and may allow more than before: an admin has to accept it. */
export interface WaitingEdit {
  /** The version of the text on disk. */
  version: string;
  /** Null if the file is gone, and the defaults would apply. */
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
  /** The version that the author saw. */
  basedOn: string;
  /** Even if the file on disk is invalid; a copy of that is kept. */
  replacesBroken?: boolean;
}

const LOOK_EVERY_MS = 1000;

/**
 * The active policy: what an admin saved or accepted last.
 *
 * External edits of `security.json` are noticed. An edit that provably allows nothing more is applied at once, like
 * any other version. Otherwise it waits for an admin, and the old policy stays active: a person or program that can
 * write the file is not necessarily allowed to change the policy. The same goes for edits made while Belay was down. A
 * file that is broken at start-up prevents the start; later the last good one stays active, and every console shows it.
 */
export class PolicyStore {
  readonly #deps: Deps;
  readonly #versions: PolicyVersions;
  readonly #file: string;
  readonly #context: Partial<JudgeContext>;
  #findOwnProcesses: () => number[] = () => [];
  #filePolicy: Policy;
  #inCode: CodePatterns = { blocked: [], approval: [] };
  #current: CurrentPolicy;
  #health: PolicyHealth = { status: "ok" };
  #waiting: WaitingEdit | null = null;
  /** Serialises changes: reading, checking and applying belong together. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #onFileChange = () => void this.#reloadUntilTaken();
  #retryTimer: NodeJS.Timeout | undefined;
  /** The problem with the file that was recorded last. */
  #recordedProblems: string | null = null;

  static async open(deps: Deps): Promise<PolicyStore> {
    const text = await readText(deps.settings.securityFile);
    const loaded = load(text);
    if (!loaded.ok) {
      const problems = describeProblems(deps.settings.securityFile, loaded.errors).map((problem) => `  ${problem}`);
      throw new SettingsError(`The policy cannot be used, so nothing was started:\n${problems.join("\n")}`);
    }
    for (const notice of loaded.notices) deps.log.warn({ file: deps.settings.securityFile }, notice);
    const versions = new PolicyVersions(deps);
    const latest = await latestOrFirst(versions, text);
    const inForce = latest && latest.version !== versionOf(text) ? latest.text : text;
    const accepted = load(inForce);
    const store = new PolicyStore(deps, versions, accepted.ok ? accepted.policy : denyEverything, inForce);
    if (latest) versions.activated(latest);
    if (inForce !== text && (await isOutdated(deps, text))) await store.#copyToFile(inForce);
    else if (inForce !== text) await store.#consider(loaded.policy, text, "Edited while Belay was down.");
    watchFile(store.#file, { interval: LOOK_EVERY_MS, persistent: false }, store.#onFileChange);
    return store;
  }

  private constructor(deps: Deps, versions: PolicyVersions, policy: Policy, text: string | null) {
    const { settings } = deps;
    this.#deps = deps;
    this.#versions = versions;
    this.#file = settings.securityFile;
    this.#context = machineContext(settings, () => [process.pid, ...this.#findOwnProcesses()]);
    this.#filePolicy = policy;
    this.#current = currentPolicy(policy, text, { inCode: this.#inCode, context: this.#context });
  }

  get current(): CurrentPolicy {
    return this.#current;
  }

  get health(): PolicyHealth {
    return this.#health;
  }

  /** An external edit that an admin has to accept or discard; null if there is none. */
  get waiting(): WaitingEdit | null {
    return this.#waiting;
  }

  get settings(): Policy["settings"] {
    return this.#current.policy.settings;
  }

  /** Belay's other processes, which no agent may signal. */
  protectProcesses(find: () => number[]): void {
    this.#findOwnProcesses = find;
  }

  /** Patterns that an embedding program adds in code (A8). They apply on top of every version of the file. */
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

  /** Checks the file for changes. */
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

  /** Activates the pending edit. `version` is the one that the admin saw. */
  acceptEdit(version: string, by: Actor): Promise<CurrentPolicy> {
    return this.#inTurn(async () => {
      const text = await this.#waitingText(version);
      const policy = text === null ? defaultPolicy : loadDraft(text);
      await this.#adopt(policy, text, by, "Accepted an edit of the file.");
      return this.#current;
    });
  }

  /** Restores the file to the active policy, and keeps a copy of the edit. */
  discardEdit(version: string, by: Actor): Promise<void> {
    return this.#inTurn(async () => {
      const text = await this.#waitingText(version);
      const detail = { version, inForce: this.#current.version };
      await this.#deps.audit.append({ type: "policy.edit-discarded", actor: by, detail });
      if (text !== null) replaceFile(`${this.#file}.discarded`, text);
      await this.#copyToFile(this.#current.text);
      this.#setWaiting(null);
    });
  }

  /**
   * Takes what another gateway saved or accepted last. The file here becomes a copy of it; an edit of the file that was not
   * accepted yet is kept beside it.
   */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      const latest = await this.#versions.latest();
      if (!latest || this.#versions.isActive(latest)) return;
      const { text } = latest;
      const onDisk = await readText(this.#file);
      if (onDisk !== null && onDisk !== this.#current.text && onDisk !== text)
        replaceFile(`${this.#file}.replaced`, onDisk);
      if (onDisk !== text) await this.#copyToFile(text);
      const loaded = load(text);
      this.#versions.activated(latest);
      this.#activate(loaded.ok ? loaded.policy : denyEverything, text);
      if (!loaded.ok) await this.#break(describeProblems(this.#file, loaded.errors));
    });
  }

  /** Whether another gateway has saved a policy that this one has not taken yet. */
  async isBehind(): Promise<boolean> {
    return this.#versions.isBehind();
  }

  /** Retries with a timer, because no further file event will come. */
  async #reloadUntilTaken(): Promise<void> {
    clearTimeout(this.#retryTimer);
    try {
      await this.reload();
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (this.#health.status === "ok") this.#deps.log.error({ err: error }, "the edited policy could not be applied");
      if (this.#health.status !== "broken")
        this.#setHealth({ status: "not-taken", since: this.#sinceNow("not-taken"), problem });
      this.#retryTimer = setTimeout(this.#onFileChange, LOOK_EVERY_MS).unref();
    }
  }

  /** Writes a new text to the file. `basedOn` is the version that its author saw, so that a newer one is not overwritten. */
  async save(text: string, { by, note, basedOn, replacesBroken = false }: SaveOptions): Promise<CurrentPolicy> {
    return this.#inTurn(async () => {
      const onDisk = await readText(this.#file);
      const isBroken = onDisk !== null && !loadSecurityFile(onDisk).ok;
      if (basedOn !== this.#current.version || (onDisk !== this.#current.text && !(isBroken && replacesBroken))) {
        throw new GatewayError(
          "policy-changed",
          isBroken
            ? "The file on disk was edited and cannot be used. Fix it there, or roll back to an earlier version."
            : onDisk !== this.#current.text
              ? "The file on disk was edited, and the edit waits for an admin. Accept or discard it first."
              : "The policy has changed meanwhile. Look at the new one, and make your change again.",
        );
      }
      const policy = loadDraft(text);
      // Record it first: a policy must not become active without a record of its author.
      await this.#versions.record({ text, before: this.#current.version, author: by, note });
      // Keep a copy of the invalid file, because it is someone's work.
      if (isBroken) replaceFile(`${this.#file}.broken`, onDisk);
      replaceFile(this.#file, text);
      this.#activate(policy, text);
      return this.#current;
    });
  }

  async #copyToFile(text: string | null): Promise<void> {
    if (text === null) await rm(this.#file, { force: true });
    else replaceFile(this.#file, text);
  }

  close(): void {
    unwatchFile(this.#file, this.#onFileChange);
    clearTimeout(this.#retryTimer);
  }

  /** Applies an external edit if it provably allows nothing more; otherwise it waits. */
  async #consider(policy: Policy, text: string | null, note: string): Promise<void> {
    if (this.#filePolicy !== denyEverything && onlyTightens(this.#filePolicy.settings, policy.settings)) {
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

  /** The pending text, if it is still the one that the admin saw. */
  async #waitingText(version: string): Promise<string | null> {
    const text = await readText(this.#file);
    if (this.#waiting?.version === version && versionOf(text) === version) return text;
    throw new GatewayError(
      "policy-changed",
      "This edit of the policy is no longer pending, or it has changed. Look again.",
    );
  }

  #setWaiting(waiting: WaitingEdit | null): void {
    if (this.#waiting?.version === waiting?.version) return;
    this.#waiting = waiting;
    this.#deps.events.publish({ type: "policy" });
  }

  async #adopt(policy: Policy, text: string | null, by: Actor, note: string): Promise<void> {
    await this.#versions.record({ text, before: this.#current.version, author: by, note });
    this.#activate(policy, text);
  }

  #activate(policy: Policy, text: string | null): void {
    this.#filePolicy = policy;
    this.#current = currentPolicy(policy, text, { inCode: this.#inCode, context: this.#context });
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

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(change);
    this.#last = result.catch(() => {}); // the caller gets the error; the queue continues
    return result;
  }
}

/**
 * Whether the file is an earlier version that other gateways have replaced meanwhile, and not an edit. A gateway alone has
 * no others: there an older text in the file is an edit.
 */
async function isOutdated({ db, settings }: Pick<Deps, "db" | "settings">, text: string | null): Promise<boolean> {
  return settings.cluster !== null && (text === null || (await hasPolicyVersion(db, versionOf(text))));
}
