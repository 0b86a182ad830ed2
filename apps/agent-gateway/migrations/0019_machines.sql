CREATE TABLE `machine_terminals` (
	`terminal_id` text PRIMARY KEY NOT NULL,
	`machine` text NOT NULL,
	`info` text,
	`opened_at` integer NOT NULL,
	`closed_at` integer,
	`copied_at` integer
);
--> statement-breakpoint
CREATE INDEX `machine_terminals_open` ON `machine_terminals` (`machine`,`closed_at`);--> statement-breakpoint
CREATE TABLE `machines` (
	`name` text PRIMARY KEY NOT NULL,
	`public_key` text,
	`token_key` text,
	`token_expires_at` integer,
	`host_id` text,
	`facts` text,
	`created_at` integer NOT NULL,
	`joined_at` integer,
	`seen_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `machines_public_key_unique` ON `machines` (`public_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `machines_token_key_unique` ON `machines` (`token_key`);--> statement-breakpoint
ALTER TABLE `agents` ADD `machines` text DEFAULT 'gateway' NOT NULL;