-- Owner: packages/eventlog.

-- As in `log_shards`: rises with `offset`, so that the newest version of a position is found without visiting the old ones.
-- While this waits for the table, for instance for a dump, appends would wait behind it: rather it fails, and is to be run again.
SET LOCAL lock_timeout = '10s';
ALTER TABLE log_positions ADD COLUMN slot bigint NOT NULL DEFAULT 0, DROP CONSTRAINT log_positions_pkey, ADD PRIMARY KEY (consumer, shard, slot);

-- The key does not keep a consumer to one row a shard any more. Positions are inserted when a group or a shard is new, by one at a time:
-- a second row is left out, as ON CONFLICT DO NOTHING did.
CREATE FUNCTION log_positions_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock('log_positions'::regclass::oid::bigint);
  IF EXISTS (SELECT FROM log_positions p WHERE p.consumer = NEW.consumer AND p.shard = NEW.shard) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER log_positions_once BEFORE INSERT ON log_positions FOR EACH ROW EXECUTE FUNCTION log_positions_once();
