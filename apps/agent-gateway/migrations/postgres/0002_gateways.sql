CREATE TABLE "gateways" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"name" text NOT NULL,
	"public_key" text,
	"joined_at" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "gateways_number_unique" UNIQUE("number")
);
--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "sort_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "commands" ADD COLUMN "gateway" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_shells" ADD COLUMN "gateway" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "shell_memories" ADD COLUMN "gateway" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_events_sorted" ON "audit_events" USING btree ("sort_at","seq");
--> statement-breakpoint
-- Each gateway has a chain of its own, with numbers in a range of a trillion. Rows may be deleted up to the seal of their own chain;
-- a row is erased if a later row of its chain, or any row of another one, declares it.
CREATE OR REPLACE FUNCTION belay_guard_record() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  chain bigint;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    RAISE EXCEPTION 'the record is append-only';
  END IF;
  chain := (OLD.seq - 1) / 1000000000000;
  IF TG_OP = 'DELETE' THEN
    IF OLD.seq <= coalesce((
      SELECT value::bigint FROM meta WHERE key = 'audit-sealed-seq' || CASE chain WHEN 0 THEN '' ELSE ':' || chain END
    ), 0) THEN
      RETURN OLD;
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF NEW.seq = OLD.seq AND NEW.at = OLD.at AND NEW.type = OLD.type AND NEW.actor = OLD.actor
      AND NEW.command_id IS NOT DISTINCT FROM OLD.command_id AND NEW.terminal_id IS NOT DISTINCT FROM OLD.terminal_id
      AND NEW.hash = OLD.hash AND NEW.sort_at = OLD.sort_at
      AND NEW.detail = '{"redacted":true}' AND NEW.decision IS NULL AND NEW.runs IS NULL
      AND EXISTS (
        SELECT 1 FROM audit_events AS redaction, json_array_elements(redaction.detail::json -> 'rows') AS covered
        WHERE redaction.type = 'audit.redacted' AND (redaction.seq > OLD.seq OR (redaction.seq - 1) / 1000000000000 <> chain)
          AND (covered ->> 'seq')::bigint = OLD.seq
      ) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the record is append-only';
END $$;
--> statement-breakpoint
DO $$
BEGIN
  EXECUTE format('GRANT CREATE ON SCHEMA %I TO belay_retention', current_schema());
END $$;
--> statement-breakpoint
SET LOCAL ROLE belay_retention;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION belay_remove_rows(up_to bigint, most integer) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH removed AS (
    DELETE FROM audit_events WHERE seq IN (
      SELECT seq FROM audit_events
      WHERE seq > (up_to - 1) / 1000000000000 * 1000000000000 AND seq <= up_to ORDER BY seq LIMIT most
    ) RETURNING 1
  )
  SELECT count(*) FROM removed;
$$;
--> statement-breakpoint
RESET ROLE;
--> statement-breakpoint
DO $$
BEGIN
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM belay_retention', current_schema());
END $$;
