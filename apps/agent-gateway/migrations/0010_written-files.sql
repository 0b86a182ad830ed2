CREATE TABLE `written_files` (
	`agent_id` text NOT NULL,
	`workspace` text NOT NULL,
	`kind` text NOT NULL,
	`path` text NOT NULL,
	`known` text NOT NULL,
	PRIMARY KEY(`agent_id`, `workspace`, `kind`, `path`)
);
