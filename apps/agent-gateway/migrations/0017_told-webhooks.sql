ALTER TABLE `approvals` ADD `told_at` integer;--> statement-breakpoint
ALTER TABLE `approvals` ADD `passed_on_at` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `name` text DEFAULT '' NOT NULL;