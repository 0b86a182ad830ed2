CREATE TABLE `command_changes` (
	`command_id` text PRIMARY KEY NOT NULL,
	`workspace` text NOT NULL,
	`epoch` text NOT NULL,
	`from_seq` integer NOT NULL,
	`to_seq` integer NOT NULL,
	`ended_at` integer NOT NULL,
	`counts` text,
	`problem` text,
	`undoes` text,
	`by` text
);
--> statement-breakpoint
CREATE INDEX `command_changes_range` ON `command_changes` (`epoch`,`from_seq`,`to_seq`);