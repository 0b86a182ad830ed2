CREATE TABLE `conversation_shells` (
	`terminal_id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversation_shells_of` ON `conversation_shells` (`agent_id`,`conversation_id`);--> statement-breakpoint
ALTER TABLE `agents` ADD `workspace` text;