-- Owner: packages/eventlog.

-- One counter per shard. Updated last in a transaction, so offsets are dense and in commit order.
-- The day rises with the counter under the same lock: within a shard it never falls, and readers may prune partitions by it.
CREATE TABLE log_shards (
  shard smallint PRIMARY KEY,
  next_offset bigint NOT NULL DEFAULT 0,
  day date NOT NULL DEFAULT '2020-01-01'
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
INSERT INTO log_shards (shard) SELECT generate_series(0, 63);

CREATE TABLE log_events (
  shard smallint NOT NULL,
  "offset" bigint NOT NULL,
  day date NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid,
  client_user_id text,
  is_historical boolean NOT NULL,
  trace_id text,
  written_at bigint NOT NULL,
  json text,
  packed bytea,
  PRIMARY KEY (shard, "offset", day)
) PARTITION BY RANGE (day);
-- Catches what would otherwise fail a write when nobody made tomorrow's partition.
CREATE TABLE log_events_default PARTITION OF log_events DEFAULT;

CREATE TABLE log_members (
  consumer text NOT NULL,
  member text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, member)
);

-- A consumer's position in a shard, and the member that may move it. The lease is the member's row above:
-- one small update keeps any number of shards, and a shard whose owner was not seen lately is free.
CREATE TABLE log_positions (
  consumer text NOT NULL,
  shard smallint NOT NULL,
  "offset" bigint NOT NULL,
  day date NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,
  owner text,
  PRIMARY KEY (consumer, shard)
) WITH (fillfactor = 20, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
