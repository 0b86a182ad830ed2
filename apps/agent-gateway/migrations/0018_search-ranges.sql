-- Times go up with the rows, but for moments at which the clock was set back. With those known, a range of times is a
-- range of rows, which takes no sorting.
INSERT INTO meta (key, value)
  SELECT 'audit-clock-jumps', json_group_array(seq) FROM (
    SELECT seq FROM (SELECT seq, at, lag(at) OVER (ORDER BY seq) AS before FROM audit_events) WHERE at < before - 60000 ORDER BY seq
  ) WHERE true
  ON CONFLICT (key) DO UPDATE SET value = excluded.value;
--> statement-breakpoint
CREATE INDEX audit_events_verdict ON audit_events (json_extract(detail, '$.decision'), seq) WHERE type = 'command.judged';
