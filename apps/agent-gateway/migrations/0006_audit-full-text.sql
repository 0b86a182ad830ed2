-- Words to search for: who, what, which command and terminal, and every text of the detail. Written with the row, or not at all.
CREATE VIRTUAL TABLE audit_search USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER audit_events_to_search AFTER INSERT ON audit_events BEGIN
  INSERT INTO audit_search (rowid, text) VALUES (
    NEW.seq,
    concat_ws(' ', NEW.type, json_extract(NEW.actor, '$.id'), NEW.command_id, NEW.terminal_id,
      (SELECT group_concat(atom, ' ') FROM json_tree(NEW.detail) WHERE type = 'text'))
  );
END;
--> statement-breakpoint
INSERT INTO audit_search (rowid, text)
  SELECT seq, concat_ws(' ', type, json_extract(actor, '$.id'), command_id, terminal_id,
    (SELECT group_concat(tree.atom, ' ') FROM json_tree(detail) AS tree WHERE tree.type = 'text'))
  FROM audit_events;
--> statement-breakpoint
CREATE TRIGGER audit_events_from_search AFTER DELETE ON audit_events BEGIN
  DELETE FROM audit_search WHERE rowid = OLD.seq;
END;
--> statement-breakpoint
-- Old rows may go once a signed seal stands for them; all others stay.
DROP TRIGGER audit_events_no_delete;
--> statement-breakpoint
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
WHEN OLD.seq > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'audit-sealed-seq'), 0) BEGIN
  SELECT RAISE(ABORT, 'the record is append-only');
END;
