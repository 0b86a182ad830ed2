-- A row keeps its place, its hash and everything but its detail. That may go, once a row on record says so.
DROP TRIGGER audit_events_no_update;
--> statement-breakpoint
CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
WHEN NOT (
  NEW.seq = OLD.seq AND NEW.at = OLD.at AND NEW.type = OLD.type AND NEW.actor = OLD.actor
  AND NEW.command_id IS OLD.command_id AND NEW.terminal_id IS OLD.terminal_id AND NEW.hash = OLD.hash
  AND NEW.detail = '{"redacted":true}'
  AND EXISTS (
    SELECT 1 FROM audit_events AS redaction, json_each(redaction.detail, '$.rows') AS covered
    WHERE redaction.type = 'audit.redacted' AND redaction.seq > OLD.seq AND json_extract(covered.value, '$.seq') = OLD.seq
  )
) BEGIN
  SELECT RAISE(ABORT, 'the record is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_events_redacted AFTER UPDATE ON audit_events BEGIN
  DELETE FROM audit_search WHERE rowid = OLD.seq;
  INSERT INTO audit_search (rowid, text) VALUES (
    NEW.seq, concat_ws(' ', NEW.type, json_extract(NEW.actor, '$.id'), NEW.command_id, NEW.terminal_id)
  );
END;
