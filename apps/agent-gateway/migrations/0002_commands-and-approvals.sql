CREATE TABLE `approval_votes` (
	`approval_id` text NOT NULL,
	`person_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`approval_id`, `person_id`),
	FOREIGN KEY (`approval_id`) REFERENCES `approvals`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`command_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`terminal_id` text,
	`text` text NOT NULL,
	`cwd` text NOT NULL,
	`policy_version` text NOT NULL,
	`verdict` text NOT NULL,
	`approvers_needed` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`status` text NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `approvals_status` ON `approvals` (`status`);--> statement-breakpoint
CREATE TABLE `commands` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`terminal_id` text NOT NULL,
	`line` text NOT NULL,
	`opened_at` integer NOT NULL,
	`closed_at` integer,
	`outcome` text
);
--> statement-breakpoint
CREATE INDEX `commands_terminal` ON `commands` (`terminal_id`);--> statement-breakpoint
CREATE INDEX `commands_closed` ON `commands` (`closed_at`);--> statement-breakpoint
CREATE TABLE `grants` (
	`approval_id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`text` text NOT NULL,
	`cwd` text NOT NULL,
	`policy_version` text NOT NULL,
	`terminal_id` text,
	`expires_at` integer,
	FOREIGN KEY (`approval_id`) REFERENCES `approvals`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `grants_agent` ON `grants` (`agent_id`);