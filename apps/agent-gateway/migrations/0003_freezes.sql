CREATE TABLE `freezes` (
	`scope` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL
);
