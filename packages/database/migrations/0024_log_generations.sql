-- Owner: packages/eventlog.

-- What identifies this installation of the log. `installation_id` and `mac_key` mark the records on Kafka as its own.
-- `system_identifier` is that of the Postgres cluster that the log was last written on; null where the server does not tell.
CREATE TABLE log_installation (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  installation_id uuid NOT NULL DEFAULT gen_random_uuid(),
  mac_key bytea NOT NULL DEFAULT decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
  system_identifier text
);

-- Repeated in each counter row, because an append sees the newest version of a row it has waited for, and only of that row.
-- `fence`: raised by a generation that follows a loss of history; a consumer's lease from before it is void.
-- `timeline`: WAL timeline that the generation was started on; null where the server does not tell.
ALTER TABLE log_shards
  ADD COLUMN shard_count smallint NOT NULL DEFAULT 64,
  ADD COLUMN fence integer NOT NULL DEFAULT 0,
  ADD COLUMN timeline text;

-- The range of offsets of each generation in each shard. `ends_at` is null in the current one.
CREATE TABLE log_generations (
  generation integer NOT NULL,
  shard smallint NOT NULL,
  begins_at bigint NOT NULL,
  ends_at bigint,
  shard_count smallint NOT NULL,
  reason text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (shard, generation)
);
INSERT INTO log_generations (generation, shard, begins_at, shard_count, reason) SELECT 1, shard, 0, 64, 'first' FROM log_shards;

INSERT INTO log_installation DEFAULT VALUES;
-- Some managed servers have neither function: there an operator starts a generation after a failover.
DO $$
BEGIN
  UPDATE log_installation SET system_identifier = (SELECT system_identifier FROM pg_control_system())::text;
EXCEPTION WHEN OTHERS THEN NULL;
END $$;
DO $$
BEGIN
  UPDATE log_shards SET timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
EXCEPTION WHEN OTHERS THEN NULL;
END $$;
