-- The record is append-only: triggers refuse every change but two, and so do privileges. Rows that a signed seal replaces may be
-- deleted, and the detail of a row may be erased once a later row declares it. Both go through functions that run as
-- belay_retention, a role that can do nothing else. It exists before this migration runs.
CREATE FUNCTION belay_guard_record() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.seq <= coalesce((SELECT value::bigint FROM meta WHERE key = 'audit-sealed-seq'), 0) THEN
      RETURN OLD;
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF NEW.seq = OLD.seq AND NEW.at = OLD.at AND NEW.type = OLD.type AND NEW.actor = OLD.actor
      AND NEW.command_id IS NOT DISTINCT FROM OLD.command_id AND NEW.terminal_id IS NOT DISTINCT FROM OLD.terminal_id
      AND NEW.hash = OLD.hash AND NEW.detail = '{"redacted":true}' AND NEW.decision IS NULL AND NEW.runs IS NULL
      AND EXISTS (
        SELECT 1 FROM audit_events AS redaction, json_array_elements(redaction.detail::json -> 'rows') AS covered
        WHERE redaction.type = 'audit.redacted' AND redaction.seq > OLD.seq AND (covered ->> 'seq')::bigint = OLD.seq
      ) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the record is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION belay_guard_record();
--> statement-breakpoint
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION belay_guard_record();
--> statement-breakpoint
CREATE FUNCTION belay_erase_details(seqs bigint[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE audit_events SET detail = '{"redacted":true}', decision = NULL, runs = NULL,
    words = ' ' || trim(regexp_replace(lower(concat_ws(' ', type, actor::json ->> 'id', command_id, terminal_id)), '[^a-z0-9]+', ' ', 'g')) || ' '
  WHERE seq = ANY (seqs);
$$;
--> statement-breakpoint
CREATE FUNCTION belay_remove_rows(up_to bigint, most integer) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH removed AS (
    DELETE FROM audit_events WHERE seq IN (SELECT seq FROM audit_events WHERE seq <= up_to ORDER BY seq LIMIT most) RETURNING 1
  )
  SELECT count(*) FROM removed;
$$;
--> statement-breakpoint
DO $$
BEGIN
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO belay_retention', current_schema());
  GRANT SELECT, UPDATE (detail, decision, runs, words), DELETE ON audit_events TO belay_retention;
  GRANT SELECT ON meta TO belay_retention;
  ALTER FUNCTION belay_erase_details(bigint[]) OWNER TO belay_retention;
  ALTER FUNCTION belay_remove_rows(bigint, integer) OWNER TO belay_retention;
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM belay_retention', current_schema());
END $$;
--> statement-breakpoint
SET LOCAL ROLE belay_retention;
--> statement-breakpoint
REVOKE ALL ON FUNCTION belay_erase_details(bigint[]), belay_remove_rows(bigint, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION belay_erase_details(bigint[]), belay_remove_rows(bigint, integer) TO SESSION_USER;
--> statement-breakpoint
RESET ROLE;
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON audit_events FROM CURRENT_USER;
