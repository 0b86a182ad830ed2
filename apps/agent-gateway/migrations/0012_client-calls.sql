CREATE TABLE `client_calls` (
	`command_id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`client` text NOT NULL,
	`session` text NOT NULL,
	`call_id` text,
	`line` text NOT NULL,
	`cwd` text NOT NULL,
	`opened_at` integer NOT NULL,
	`reported_at` integer
);
--> statement-breakpoint
CREATE INDEX `client_calls_session` ON `client_calls` (`agent_id`,`client`,`session`,`opened_at`);