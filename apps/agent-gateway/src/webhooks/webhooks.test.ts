import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Approval } from "@belay/protocol";
import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { EventBus } from "../events.ts";
import { findNotices } from "../store/tables/approval-notices.ts";
import { insertApproval } from "../store/tables/approvals.ts";
import { openTestRecord } from "../testing/write-record.ts";
import { AddressGuard } from "./address-guard.ts";
import { Webhooks } from "./webhooks.ts";

const asked = {
  id: "apr-1",
  createdAt: Date.now(),
  subject: { agentId: "agt-1", text: "make" },
  verdict: { level: "unknown", matches: [] },
};
const approval = asked as unknown as Approval;

test("W10 a message is signed, and retried until it is delivered", async () => {
  const receiver = await listen([500, 429, 200]);
  const { webhooks, events, audit } = open(receiver.host);
  const { secret } = await webhooks.add({ url: receiver.url, tellsCommand: true }, { type: "system" });

  events.publish({ type: "approval", event: "asked", approval });
  const messages = [await receiver.next(), await receiver.next(), await receiver.next()];

  expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
  for (const { headers, body } of messages) {
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  }
  const record = await audit.list(5);
  expect(record.find(({ type }) => type === "webhook.added")?.detail).toMatchObject({ host: receiver.host });
  expect(JSON.stringify(record)).not.toContain("/hooks/key");
});

test("W10 a rejected message is not retried, and an admin sees why", async () => {
  const receiver = await listen([410, 200]);
  const { webhooks } = open(receiver.host);
  const { id } = await webhooks.add({ url: receiver.url, tellsCommand: true }, { type: "system" });

  const delivered = await webhooks.test(id);

  expect(delivered).toEqual({ ok: false, problem: "The receiver answered 410.", isFinal: true });
  expect((await webhooks.list())[0]?.deliveries).toMatchObject([
    { about: "test", attempt: 0, problem: "The receiver answered 410." },
  ]);
});

test("W10 redirects are not followed, and internal addresses are refused", async () => {
  const receiver = await listen([302]);
  const { webhooks } = open(receiver.host);
  const { id } = await webhooks.add({ url: receiver.url, tellsCommand: true }, { type: "system" });

  expect(await webhooks.test(id)).toMatchObject({ ok: false, problem: "The receiver answered 302." });
  await expect(
    webhooks.add({ url: "http://127.0.0.1:1/x", tellsCommand: true }, { type: "system" }),
  ).rejects.toMatchObject({ code: "bad-webhook" });
});

test("W10 an unanswered question is passed on to webhooks that are notified only then", async () => {
  const [first, later] = [await listen([200]), await listen([200])];
  const policy = { afterMinutes: 5 as number | null, webhooks: [] as string[] };
  const { webhooks, events } = open(first.host, { hosts: [later.host], passOn: () => policy });
  await webhooks.add({ url: first.url, tellsCommand: true }, { type: "system" });
  const { id } = await webhooks.add({ url: later.url, tellsCommand: true }, { type: "system" });
  policy.webhooks = [id];

  events.publish({ type: "approval", event: "asked", approval });

  expect(JSON.parse((await first.next()).body).text).not.toContain("Unanswered");
  const passedOn = await later.next();
  expect(JSON.parse(passedOn.body).text).toContain("Unanswered for 5 minutes.");
  expect(passedOn.headers["webhook-id"]).toBe(`apr-1.${id}.passed-on`);
  expect(first.received()).toBe(1);
});

test("W10 a restart neither tells twice nor begins the wait anew", async () => {
  const [first, later] = [await listen([200]), await listen([200])];
  const policy = { afterMinutes: 5 as number | null, webhooks: [] as string[] };
  const record = openTestRecord();
  const asked = pendingApproval("apr-7", Date.now());
  const asking = { type: "command.asked", actor: { type: "system" } } as const;
  await record.open().append(asking, (db) => [insertApproval(db, asked)]);
  const one = open(first.host, { hosts: [later.host], passOn: () => policy, record, minuteMs: 60_000 });
  await one.webhooks.add({ url: first.url, tellsCommand: true }, { type: "system" });
  const { id } = await one.webhooks.add({ url: later.url, tellsCommand: true }, { type: "system" });
  policy.webhooks = [id];
  one.events.publish({ type: "approval", event: "asked", approval: asked });
  await first.next();
  await vi.waitFor(async () => expect((await findNotices(record.db, asked.id)).toldAt).not.toBeNull());
  one.webhooks.close();

  // The next gateway asks again what still waits; its five minutes are over.
  const inSixMinutes = () => Date.now() + 6 * 60_000;
  const two = open(first.host, {
    hosts: [later.host],
    passOn: () => policy,
    record,
    minuteMs: 60_000,
    now: inSixMinutes,
  });
  two.events.publish({ type: "approval", event: "asked", approval: asked });
  await later.next();
  await vi.waitFor(async () => expect((await findNotices(record.db, asked.id)).passedOnAt).not.toBeNull());
  two.webhooks.close();

  const three = open(first.host, {
    hosts: [later.host],
    passOn: () => policy,
    record,
    minuteMs: 60_000,
    now: inSixMinutes,
  });
  three.events.publish({ type: "approval", event: "asked", approval: asked });
  // Only this one, of another question, is delivered now.
  const other = pendingApproval("apr-8", Date.now());
  three.events.publish({ type: "approval", event: "asked", approval: other });
  expect((await later.next()).headers["webhook-id"]).toBe(`apr-8.${id}.passed-on`);
  await first.next();
  expect([first.received(), later.received()]).toEqual([2, 2]);
});

test("W10 a policy that begins to pass on holds for what waits already", async () => {
  const receiver = await listen([200, 200]);
  const policy = { afterMinutes: null as number | null, webhooks: [] as string[] };
  const { webhooks, events } = open(receiver.host, { passOn: () => policy });
  await webhooks.add({ url: receiver.url, tellsCommand: true }, { type: "system" });
  events.publish({ type: "approval", event: "asked", approval });
  await receiver.next();

  policy.afterMinutes = 1;
  events.publish({ type: "policy" });

  expect((await receiver.next()).headers["webhook-id"]).toMatch(/^apr-1\..*passed-on$/);
});

test("W10 what was answered is not passed on", async () => {
  const receiver = await listen([200, 200]);
  const policy = { afterMinutes: 10_000, webhooks: [] };
  const { webhooks, events } = open(receiver.host, { passOn: () => policy });
  await webhooks.add({ url: receiver.url, tellsCommand: true }, { type: "system" });
  events.publish({ type: "approval", event: "asked", approval });
  await receiver.next();

  events.publish({ type: "approval", event: "settled", approval });
  policy.afterMinutes = 0; // messages that are still waiting would be due at once
  events.publish({ type: "policy" });
  const other = { ...approval, id: "apr-2" } as Approval;
  events.publish({ type: "approval", event: "asked", approval: other });

  const ids = [await receiver.next(), await receiver.next()].map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([expect.stringMatching(/^apr-2\./), expect.stringMatching(/^apr-2\./)]);
  expect(receiver.received()).toBe(3);
});

function open(
  internalHost: string,
  {
    hosts = [],
    passOn = () => ({ afterMinutes: null, webhooks: [] }),
    record = openTestRecord(),
    minuteMs = 20,
    now = Date.now,
  }: {
    hosts?: string[];
    passOn?: () => { afterMinutes: number | null; webhooks: string[] };
    record?: ReturnType<typeof openTestRecord>;
    minuteMs?: number;
    now?: () => number;
  } = {},
) {
  const { db, open: openAudit } = record;
  const audit = openAudit();
  const events = new EventBus();
  const webhooks = new Webhooks({
    db,
    audit,
    events,
    agents: { list: async () => [] },
    guard: new AddressGuard([internalHost, ...hosts]),
    passOn,
    minuteMs,
    log: pino({ level: "silent" }),
    now,
    url: () => "http://127.0.0.1:7400",
    retryAfterMs: [5, 5, 5],
  });
  onTestFinished(() => webhooks.close());
  return { audit, events, webhooks };
}

function pendingApproval(id: string, createdAt: number): Approval {
  return {
    ...approval,
    id,
    commandId: "cmd-1",
    subject: { ...approval.subject, terminalId: null, cwd: "/", policyVersion: "1", env: {} },
    approvers: ["operator"],
    approversNeeded: 1,
    createdAt,
    expiresAt: null,
    state: { status: "pending" },
  } as Approval;
}

/** A receiver that answers with these codes, one after the other. */
async function listen(codes: number[]) {
  const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
  let count = 0;
  const waiting: ((message: (typeof received)[number]) => void)[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const message = { headers: request.headers, body };
      count += 1;
      const waiter = waiting.shift();
      if (waiter) waiter(message);
      else received.push(message);
      response.writeHead(codes.shift() ?? 200, { location: "http://127.0.0.1:1/" }).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const next = async () =>
    received.shift() ?? new Promise<(typeof received)[number]>((resolve) => waiting.push(resolve));
  return { host, url: `http://${host}/hooks/key`, next, received: () => count };
}
