import { asc, eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { change, type Queries, queriesOf, rowOf, rowsOf } from "../queries.ts";

export type WebhookRow = Queries["webhooks"]["$inferSelect"];

export async function insertWebhook(db: Db, row: WebhookRow): Promise<void> {
  const { orm, webhooks } = queriesOf(db);
  await change(orm.insert(webhooks).values(row));
}

export async function listWebhooks(db: Db): Promise<WebhookRow[]> {
  const { orm, webhooks } = queriesOf(db);
  return rowsOf(orm.select().from(webhooks).orderBy(asc(webhooks.createdAt)));
}

export async function deleteWebhook(db: Db, id: string): Promise<WebhookRow | undefined> {
  const { orm, webhooks } = queriesOf(db);
  return rowOf(orm.delete(webhooks).where(eq(webhooks.id, id)).returning());
}
