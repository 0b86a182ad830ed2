CREATE INDEX `audit_events_type` ON `audit_events` (`type`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_events_terminal` ON `audit_events` (`terminal_id`,`seq`);