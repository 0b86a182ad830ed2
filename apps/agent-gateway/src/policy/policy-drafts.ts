import { createHash } from "node:crypto";
import {
  explain,
  freshWall,
  type JudgeContext,
  type Judgement,
  type SecurityFileError,
  type Surface,
} from "@belay/policy";
import type { Decision, IsolationChoice } from "@belay/protocol";
import { isolationOf } from "../agents/isolation.ts";
import { GatewayError } from "../errors.ts";
import type { Db } from "../store/database.ts";
import { listAgents } from "../store/tables/agents.ts";
import { listDeniedApprovals } from "../store/tables/approvals.ts";
import { listRecentCommands } from "../store/tables/commands.ts";
import { describeProblems } from "./load-draft.ts";
import type { PolicyStore } from "./policy-store.ts";
import { judgeMany } from "./threads/judge-many.ts";
import type { LoadedDraft, PolicySource } from "./threads/judge-task.ts";
import { type JudgeThreads, JudgeTimeout } from "./threads/judge-threads.ts";
import { tooSlow } from "./undecided.ts";

/** Past commands, identical ones combined, that the draft would judge differently. */
export interface SimulatedChange {
  line: string;
  profile: string;
  before: Decision;
  after: Decision;
  /** When it was last requested. */
  at: number;
  count: number;
  /** The person who refused it then, if any. */
  refusedBy: string | null;
}

export interface Simulation {
  judged: number;
  /** The number of commands, with repetitions. */
  changed: number;
  /** Newest first; at most a thousand kinds. */
  changes: SimulatedChange[];
}

/** How a command is tried: for which agent, and where it runs. */
export interface TryOptions {
  profile?: string | undefined;
  surface?: Surface | undefined;
  /** The agent's wall; by default that of its profile. */
  isolation?: IsolationChoice | undefined;
}

interface Deps {
  store: PolicyStore;
  judgeThreads: JudgeThreads;
  db: Db;
}

const MAX_CHANGES = 1_000;
const MAX_KEPT = 4;

/** Tries a draft: whether it is valid, and how it judges a command and past commands. */
export class PolicyDrafts {
  readonly #deps: Deps;
  /** Recently parsed drafts: a draft being edited is tried again and again. */
  readonly #kept = new Map<string, Promise<LoadedDraft>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The errors of a draft, by line and column; or what it defines, if it is valid. */
  async check(text: string): Promise<{ errors: readonly SecurityFileError[]; notices: readonly string[] }> {
    const loaded = await this.#load(text);
    return loaded.ok ? { errors: [], notices: loaded.notices } : { errors: loaded.errors, notices: [] };
  }

  /** The verdict on a command in a fresh terminal; by a draft if one is given. */
  async try(line: string, options: TryOptions, draft?: string) {
    const { version } = this.#deps.store.current;
    const { source, context } = await this.#sourceOf(draft);
    const { settings } = source;
    const profile = options.profile ?? settings.defaultProfile;
    const isolation = isolationOf({ isolation: options.isolation ?? null, profile }, settings);
    const given = {
      ...context,
      profile,
      surface: options.surface ?? "execute",
      wall: isolation === "none" ? null : freshWall(settings, isolation),
    };
    const { memoryAfter: _, mayWrite: __, ...verdict } = await this.#judge(line, given, source);
    return { ...verdict, explanation: explain(verdict, line), policyVersion: draft === undefined ? version : null };
  }

  /** How a draft would have judged the latest commands, each on its own in a fresh terminal. */
  async simulate(draft: string, lastCommands: number): Promise<Simulation> {
    const { db, store, judgeThreads } = this.#deps;
    const { source: after, context } = await this.#sourceOf(draft);
    const before = store.current.source;
    const agents = new Map((await listAgents(db)).map((agent) => [agent.id, agent]));
    const commands = await listRecentCommands(db, lastCommands);
    const refusals = new Map(
      (await listDeniedApprovals(db, lastCommands)).map(({ commandId, state }) => [
        commandId,
        state.status === "denied" ? state.by : null,
      ]),
    );
    // Each with its agent's wall under that policy, which a draft may change.
    const textsBy = ({ settings }: PolicySource) =>
      commands.map(({ line, agentId }) => {
        const agent = agents.get(agentId);
        const profile = agent?.profile ?? settings.defaultProfile;
        const isolation = isolationOf({ isolation: agent?.isolation ?? null, profile }, settings);
        return { text: line, profile, wall: isolation === "none" ? null : freshWall(settings, isolation) };
      });
    const texts = textsBy(before);
    const old = await judgeMany(judgeThreads, texts, context, before);
    const fresh = await judgeMany(judgeThreads, textsBy(after), context, after);

    const changes = new Map<string, SimulatedChange>();
    let changed = 0;
    for (const [index, { id, line, openedAt }] of commands.entries()) {
      const profile = texts[index]?.profile ?? "";
      const [one, other] = [old[index]?.decision ?? "ask", fresh[index]?.decision ?? "ask"];
      if (one === other) continue;
      changed += 1;
      const key = `${profile}\n${line}`;
      const same = changes.get(key);
      const refusedBy = refusals.get(id) ?? null;
      if (same) changes.set(key, { ...same, count: same.count + 1, refusedBy: same.refusedBy ?? refusedBy });
      else changes.set(key, { line, profile, before: one, after: other, at: openedAt, count: 1, refusedBy });
    }
    return { judged: commands.length, changed, changes: [...changes.values()].slice(0, MAX_CHANGES) };
  }

  async #sourceOf(draft: string | undefined): Promise<{ source: PolicySource; context: Partial<JudgeContext> }> {
    const { source, context } = this.#deps.store.current;
    if (draft === undefined) return { source, context };
    const loaded = await this.#load(draft);
    if (!loaded.ok) {
      const problems = describeProblems("security.json", loaded.errors).join("\n");
      throw new GatewayError("policy-broken", `This policy cannot be used:\n${problems}`);
    }
    return { source: { ...source, key: `draft ${hashOf(draft)}`, settings: loaded.settings }, context };
  }

  #load(text: string): Promise<LoadedDraft> {
    const key = hashOf(text);
    const known = this.#kept.get(key);
    if (known) return known;
    const loading = this.#loadInThread(text);
    this.#kept.set(key, loading);
    loading.catch(() => this.#kept.delete(key)); // the caller gets the error; do not cache it
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return loading;
  }

  async #loadInThread(text: string): Promise<LoadedDraft> {
    const { judgeThreads, store } = this.#deps;
    try {
      return await judgeThreads.run({ type: "load", text, context: {} }, store.current.source, "people");
    } catch (error) {
      if (!(error instanceof JudgeTimeout)) throw error;
      throw new GatewayError("policy-broken", "Checking this policy takes too long. Use fewer examples.");
    }
  }

  async #judge(text: string, context: Partial<JudgeContext>, source: PolicySource): Promise<Judgement> {
    try {
      return await this.#deps.judgeThreads.run({ type: "text", text, context }, source, "people");
    } catch (error) {
      if (!(error instanceof JudgeTimeout)) throw error;
      return tooSlow(context, source.settings);
    }
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
