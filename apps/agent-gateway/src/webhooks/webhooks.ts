import { randomBytes } from "node:crypto";
import type { Actor, Approval } from "@belay/protocol";
import type { Logger } from "pino";
import type { Agents } from "../agents/agents.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import { deleteWebhook, insertWebhook, listWebhooks, type WebhookRow } from "../store/tables/webhooks.ts";
import type { AddressGuard } from "./address-guard.ts";
import { type Delivered, post } from "./post.ts";
import { signedHeaders } from "./sign.ts";
import { approvalMessage, type SlackMessage, testMessage } from "./slack-message.ts";

const MAX_WEBHOOKS = 20;
const MAX_DELIVERIES = 20;

export interface Webhook {
  id: string;
  url: string;
  tellsCommand: boolean;
  createdAt: number;
  /** The latest deliveries since the gateway started, newest first. */
  deliveries: Delivery[];
}

export interface Delivery {
  at: number;
  /** The kind of message: a waiting question, or a test. */
  about: "question" | "test";
  /** How many attempts there were before. */
  attempt: number;
  tookMs: number;
  /** Null if it was delivered. */
  problem: string | null;
}

interface Deps {
  db: Db;
  audit: AuditLog;
  events: EventBus;
  agents: Pick<Agents, "list">;
  guard: AddressGuard;
  log: Logger;
  now: () => number;
  url: () => string;
  /** What the active policy says about unanswered questions. */
  passOn: () => { afterMinutes: number | null; webhooks: readonly string[] };
  /** The length of a minute; shorter in tests. */
  minuteMs?: number;
  /** The delay before each further attempt. */
  retryAfterMs?: readonly number[];
}

const RETRY_AFTER_MS = [2_000, 10_000, 60_000, 300_000];

/** Announces waiting questions to the outside: signed, with retries. */
export class Webhooks {
  readonly #deps: Deps;
  readonly #retryAfterMs: readonly number[];
  readonly #deliveries = new Map<string, Delivery[]>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #unsubscribe: () => void;
  /** Questions that still wait; the others need no message. */
  readonly #pending = new Set<string>();
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#retryAfterMs = deps.retryAfterMs ?? RETRY_AFTER_MS;
    this.#unsubscribe = deps.events.subscribe((event) => {
      if (event.type !== "approval") return;
      const { approval } = event;
      if (event.event === "settled") this.#pending.delete(approval.id);
      else if (!this.#pending.has(approval.id)) {
        this.#pending.add(approval.id);
        this.#armPassingOn(approval);
        this.#tell(approval, { isPassedOn: false });
      }
    });
  }

  /** When and to whom questions are passed on, by the active policy. */
  passOn(): ReturnType<Deps["passOn"]> {
    return this.#deps.passOn();
  }

  async list(): Promise<Webhook[]> {
    return (await listWebhooks(this.#deps.db)).map(({ secret: _, ...row }) => ({
      ...row,
      deliveries: this.#deliveries.get(row.id) ?? [],
    }));
  }

  async add(
    { url, tellsCommand }: { url: string; tellsCommand: boolean },
    by: Actor,
  ): Promise<Webhook & { secret: string }> {
    const objection = this.#deps.guard.objectionTo(new URL(url));
    if (objection) throw new GatewayError("bad-webhook", objection);
    if ((await listWebhooks(this.#deps.db)).length >= MAX_WEBHOOKS)
      throw new GatewayError("bad-webhook", `There are ${MAX_WEBHOOKS} webhooks already. Remove one first.`);
    const row: WebhookRow = {
      id: newId("whk"),
      url,
      secret: `whsec_${randomBytes(32).toString("base64")}`,
      tellsCommand,
      createdAt: this.#deps.now(),
    };
    // The path is a secret with most receivers, so only the host is recorded.
    const detail = { webhookId: row.id, host: new URL(url).host, tellsCommand };
    await this.#deps.audit.append({ type: "webhook.added", actor: by, detail });
    await insertWebhook(this.#deps.db, row);
    this.#deps.events.publish({ type: "settings" });
    return { ...row, deliveries: [] };
  }

  async remove(id: string, by: Actor): Promise<void> {
    const row = await deleteWebhook(this.#deps.db, id);
    this.#deliveries.delete(id);
    if (!row) throw new GatewayError("webhook-not-found", "This webhook no longer exists.");
    await this.#deps.audit.append({
      type: "webhook.removed",
      actor: by,
      detail: { webhookId: id, host: new URL(row.url).host },
    });
    this.#deps.events.publish({ type: "settings" });
  }

  /** Sends one message now, and returns the result. */
  async test(id: string): Promise<Delivered> {
    const row = (await listWebhooks(this.#deps.db)).find((candidate) => candidate.id === id);
    if (!row) throw new GatewayError("webhook-not-found", "This webhook no longer exists.");
    const messageId = `test-${randomBytes(8).toString("hex")}`;
    return this.#send(row, testMessage(this.#deps.url()), { id: messageId, about: "test", attempt: 0 });
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Passes questions on that have waited for a while without an answer. */
  #armPassingOn(approval: Approval): void {
    const { afterMinutes } = this.passOn();
    if (afterMinutes === null) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        if (this.#pending.has(approval.id)) this.#tell(approval, { isPassedOn: true });
      },
      afterMinutes * (this.#deps.minuteMs ?? 60_000),
    );
    this.#timers.add(timer);
  }

  #tell(approval: Approval, how: { isPassedOn: boolean }): void {
    this.#tellAll(approval, how).catch((error: unknown) => this.#deps.log.error({ err: error }, "webhooks failed"));
  }

  /** Webhooks that the policy names are notified only when a question is passed on; if it names none, all are notified twice. */
  async #tellAll(approval: Approval, { isPassedOn }: { isPassedOn: boolean }): Promise<void> {
    const { afterMinutes, webhooks } = this.passOn();
    const isForLater = ({ id }: WebhookRow) => afterMinutes !== null && webhooks.includes(id);
    const all = await listWebhooks(this.#deps.db);
    const hooks = all.filter((hook) => isForLater(hook) === isPassedOn || (isPassedOn && webhooks.length === 0));
    if (hooks.length === 0) return;
    const agents = await this.#deps.agents.list();
    const agentName = agents.find(({ id }) => id === approval.subject.agentId)?.name ?? approval.subject.agentId;
    for (const hook of hooks) {
      const message = approvalMessage(approval, {
        agentName,
        url: this.#deps.url(),
        tellsCommand: hook.tellsCommand,
        unansweredMinutes: isPassedOn ? afterMinutes : null,
      });
      void this.#deliver(hook, approval, message, { attempt: 0, isPassedOn });
    }
  }

  async #deliver(
    hook: WebhookRow,
    approval: Approval,
    message: SlackMessage,
    { attempt, isPassedOn }: { attempt: number; isPassedOn: boolean },
  ): Promise<void> {
    // The same id for every attempt, so that receivers can detect duplicates.
    const id = `${approval.id}.${hook.id}${isPassedOn ? ".passed-on" : ""}`;
    const delivered = await this.#send(hook, message, { id, about: "question", attempt });
    const waitMs = this.#retryAfterMs[attempt];
    if (delivered.ok || delivered.isFinal || waitMs === undefined || this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // Already answered: no message needed.
      if (this.#pending.has(approval.id))
        void this.#deliver(hook, approval, message, { attempt: attempt + 1, isPassedOn });
    }, waitMs);
    this.#timers.add(timer);
  }

  async #send(
    hook: WebhookRow,
    message: SlackMessage,
    { id, about, attempt }: { id: string } & Pick<Delivery, "about" | "attempt">,
  ): Promise<Delivered> {
    const body = JSON.stringify(message);
    const at = this.#deps.now();
    const headers = signedHeaders({ id, atMs: at, body, secret: hook.secret });
    const delivered = await post(new URL(hook.url), this.#deps.guard, { headers, body });
    const problem = delivered.ok ? null : delivered.problem;
    const delivery = { at, about, attempt, tookMs: Math.max(0, this.#deps.now() - at), problem };
    this.#deliveries.set(hook.id, [delivery, ...(this.#deliveries.get(hook.id) ?? [])].slice(0, MAX_DELIVERIES));
    this.#deps.events.publish({ type: "settings" });
    if (problem) this.#deps.log.warn({ webhookId: hook.id, problem }, "a webhook was not delivered");
    return delivered;
  }
}
