-- Owner: packages/eventlog.

-- Events that a consumer of the log could not process, set aside so that the others continue. The event itself stays in the log.
CREATE TABLE log_poison (
  consumer text NOT NULL,
  shard smallint NOT NULL,
  "offset" bigint NOT NULL,
  day date NOT NULL,
  event_id uuid,
  event_type text,
  -- Stable code, and the place in the event: never a value.
  reason text NOT NULL,
  detail text NOT NULL DEFAULT '',
  set_aside_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, shard, "offset")
);
