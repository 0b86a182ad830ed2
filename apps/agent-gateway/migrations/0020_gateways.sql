ALTER TABLE `commands` ADD `gateway` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `conversation_shells` ADD `gateway` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shell_memories` ADD `gateway` integer DEFAULT 0 NOT NULL;