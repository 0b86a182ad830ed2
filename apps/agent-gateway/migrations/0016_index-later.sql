-- Words are put into the index after the row, and together for many rows: a third of what a row cost was its words.
-- The number of the last row that is in the index is kept with it, in the same transaction.
DROP TRIGGER audit_events_to_search;
--> statement-breakpoint
INSERT INTO meta (key, value) SELECT 'audit-indexed-seq', coalesce(max(seq), 0) FROM audit_events WHERE true
  ON CONFLICT (key) DO UPDATE SET value = excluded.value;
--> statement-breakpoint
-- A row that is not in the index yet comes into it as it is then: without what was erased.
DROP TRIGGER audit_events_redacted;
--> statement-breakpoint
CREATE TRIGGER audit_events_redacted AFTER UPDATE ON audit_events
WHEN OLD.seq <= coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'audit-indexed-seq'), 0) BEGIN
  DELETE FROM audit_search WHERE rowid = OLD.seq;
  INSERT INTO audit_search (rowid, text) VALUES (
    NEW.seq, concat_ws(' ', NEW.type, json_extract(NEW.actor, '$.id'), NEW.command_id, NEW.terminal_id)
  );
END;
--> statement-breakpoint
DROP TRIGGER audit_events_from_search;
--> statement-breakpoint
CREATE TRIGGER audit_events_from_search AFTER DELETE ON audit_events
WHEN OLD.seq <= coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'audit-indexed-seq'), 0) BEGIN
  DELETE FROM audit_search WHERE rowid = OLD.seq;
END;
