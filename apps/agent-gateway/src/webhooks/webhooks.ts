import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Actor, Approval } from "@belay/protocol";
import type { Logger } from "pino";
import type { Agents } from "../agents/agents.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { GatewayError } from "../errors.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import { findNotices, markNoticed, type Notice } from "../store/tables/approval-notices.ts";
import { deleteWebhook, insertWebhook, listWebhooks, type WebhookRow } from "../store/tables/webhooks.ts";
import type { AddressGuard } from "./address-guard.ts";
import { PassOnTimers } from "./pass-on-timers.ts";
import { type Delivered, post } from "./post.ts";
import { signedHeaders } from "./sign.ts";
import { approvalMessage, type SlackMessage, testMessage } from "./slack-message.ts";

const MAX_WEBHOOKS = 20;
const MAX_DELIVERIES = 20;

export interface Webhook {
  id: string;
  /** Its name for people; empty if it has none. */
  name: string;
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
  readonly #passOnTimers: PassOnTimers;
  readonly #closing = new AbortController();
  readonly #unsubscribe: () => void;
  /** Questions that still wait; the others need no message. */
  readonly #pending = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#retryAfterMs = deps.retryAfterMs ?? RETRY_AFTER_MS;
    this.#passOnTimers = new PassOnTimers({
      afterMs: () => {
        const { afterMinutes } = deps.passOn();
        return afterMinutes === null ? null : afterMinutes * (deps.minuteMs ?? 60_000);
      },
      now: deps.now,
      onDue: (approval) => this.#inBackground(this.#tell(approval, "passedOn")),
    });
    this.#unsubscribe = deps.events.subscribeToAll((event, place) => {
      if (event.type === "policy") this.#passOnTimers.armAgain();
      if (event.type !== "approval") return;
      const { approval } = event;
      if (event.event === "settled") {
        this.#pending.delete(approval.id);
        this.#passOnTimers.drop(approval.id);
        // Each gateway sends the messages about its own questions.
      } else if (place === "here" && !this.#pending.has(approval.id)) {
        this.#pending.add(approval.id);
        this.#inBackground(this.#begin(approval));
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

  /** For everyone who can read the policy. Without the path of the address, which is a secret for most receivers. */
  async names(): Promise<{ id: string; name: string }[]> {
    return (await listWebhooks(this.#deps.db)).map(({ id, name, url }) => ({ id, name: name || new URL(url).host }));
  }

  async add(
    { name = "", url, tellsCommand }: { name?: string; url: string; tellsCommand: boolean },
    by: Actor,
  ): Promise<Webhook & { secret: string }> {
    const objection = this.#deps.guard.objectionTo(new URL(url));
    if (objection) throw new GatewayError("bad-webhook", objection);
    if ((await listWebhooks(this.#deps.db)).length >= MAX_WEBHOOKS)
      throw new GatewayError("bad-webhook", `There are ${MAX_WEBHOOKS} webhooks already. Remove one first.`);
    const row: WebhookRow = {
      id: newId("whk"),
      name,
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
    this.#unsubscribe();
    this.#passOnTimers.close();
    this.#closing.abort();
  }

  /** Sends what an earlier gateway has not sent yet, and arms the timer for passing on. */
  async #begin(approval: Approval): Promise<void> {
    const { toldAt, passedOnAt } = await findNotices(this.#deps.db, approval.id);
    if (!this.#pending.has(approval.id)) return;
    if (passedOnAt === null) this.#passOnTimers.arm(approval);
    if (toldAt === null) await this.#tell(approval, "told");
  }

  /** Webhooks that the policy names are notified only when a question is passed on; if it names none, all are notified twice. */
  async #tell(approval: Approval, notice: Notice): Promise<void> {
    const isPassedOn = notice === "passedOn";
    const { afterMinutes, webhooks } = this.passOn();
    const isForLater = ({ id }: WebhookRow) => afterMinutes !== null && webhooks.includes(id);
    const all = await listWebhooks(this.#deps.db);
    const hooks = all.filter((hook) => isForLater(hook) === isPassedOn || (isPassedOn && webhooks.length === 0));
    const agents = await this.#deps.agents.list();
    const agentName = agents.find(({ id }) => id === approval.subject.agentId)?.name ?? approval.subject.agentId;
    const deliveries = hooks.map((hook) => {
      const message = approvalMessage(approval, {
        agentName,
        url: this.#deps.url(),
        tellsCommand: hook.tellsCommand,
        unansweredMinutes: isPassedOn ? afterMinutes : null,
      });
      return this.#deliver(hook, approval, message, notice);
    });
    await Promise.all(deliveries);
    // Marked only after delivery: if the gateway stops first, the next one sends it again.
    if (!this.#closing.signal.aborted) await markNoticed(this.#deps.db, approval.id, notice, this.#deps.now());
  }

  /** Retries until it is delivered or refused for good, the question is answered, or no attempts are left. */
  async #deliver(hook: WebhookRow, approval: Approval, message: SlackMessage, notice: Notice): Promise<void> {
    // The same id for every attempt, so that receivers can detect duplicates.
    const id = `${approval.id}.${hook.id}${notice === "passedOn" ? ".passed-on" : ""}`;
    for (let attempt = 0; ; attempt += 1) {
      const delivered = await this.#send(hook, message, { id, about: "question", attempt });
      const waitMs = this.#retryAfterMs[attempt];
      if (delivered.ok || delivered.isFinal || waitMs === undefined) return;
      const wasClosed = await setTimeout(waitMs, false, { signal: this.#closing.signal }).catch(() => true);
      if (wasClosed || !this.#pending.has(approval.id)) return;
    }
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log.error({ err: error }, "webhooks failed"));
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
