CREATE TABLE `policy_proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`approval_id` text NOT NULL,
	`rules` text NOT NULL,
	`author` text NOT NULL,
	`at` integer NOT NULL,
	`status` text NOT NULL,
	`settled_by` text,
	`settled_at` integer
);
--> statement-breakpoint
CREATE TABLE `policy_versions` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` text NOT NULL,
	`text` text,
	`at` integer NOT NULL,
	`author` text NOT NULL,
	`note` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shell_memories` (
	`terminal_id` text PRIMARY KEY NOT NULL,
	`memory` text NOT NULL
);
--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_commands` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`terminal_id` text,
	`line` text NOT NULL,
	`request` text,
	`opened_at` integer NOT NULL,
	`started_at` integer,
	`closed_at` integer,
	`outcome` text
);
--> statement-breakpoint
INSERT INTO `__new_commands`("id", "agent_id", "terminal_id", "line", "request", "opened_at", "started_at", "closed_at", "outcome") SELECT "id", "agent_id", "terminal_id", "line", NULL, "opened_at", "opened_at", "closed_at", "outcome" FROM `commands`;--> statement-breakpoint
DROP TABLE `commands`;--> statement-breakpoint
ALTER TABLE `__new_commands` RENAME TO `commands`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `commands_terminal` ON `commands` (`terminal_id`);--> statement-breakpoint
CREATE INDEX `commands_closed` ON `commands` (`closed_at`);--> statement-breakpoint
ALTER TABLE `agents` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `agents` ADD `isolation` text;--> statement-breakpoint
ALTER TABLE `agents` ADD `max_terminals` integer;--> statement-breakpoint
ALTER TABLE `agents` ADD `tool_settings` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `approvals` ADD `binding` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `approvals` ADD `approvers` text DEFAULT '["operator","admin"]' NOT NULL;--> statement-breakpoint
CREATE INDEX `approvals_command` ON `approvals` (`command_id`);--> statement-breakpoint
ALTER TABLE `grants` ADD `binding` text DEFAULT '{}' NOT NULL;