import { asc, eq } from "drizzle-orm";
import type { Db } from "../database.ts";
import { webhooks } from "../schema.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

export async function insertWebhook(db: Db, row: WebhookRow): Promise<void> {
  db.insert(webhooks).values(row).run();
}

export async function listWebhooks(db: Db): Promise<WebhookRow[]> {
  return db.select().from(webhooks).orderBy(asc(webhooks.createdAt)).all();
}

export async function deleteWebhook(db: Db, id: string): Promise<WebhookRow | undefined> {
  return db.delete(webhooks).where(eq(webhooks.id, id)).returning().get();
}
