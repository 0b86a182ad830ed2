CREATE TABLE `agent_shares` (
	`terminal_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`by` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`terminal_id`, `agent_id`)
);
