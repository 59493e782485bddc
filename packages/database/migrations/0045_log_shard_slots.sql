-- Owner: packages/eventlog.

-- Always true. On paper it is so expensive that the planner looks a row up by index before it evaluates this: a scan of a table
-- of 64 rows looks cheaper, and reads every version of every row while somebody holds an old snapshot.
CREATE FUNCTION log_by_index(shard smallint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN true;
END $$;

-- Rises with `next_offset`, once in 64 offsets. Under an old snapshot a shard has many versions of its row. The newest is found at the
-- end of the shard's part of the index, after those of one slot at most; a look-up by shard alone would visit all of them.
-- Processes of an earlier version leave the slot as it is: their appends are right, and as slow under an old snapshot as before.
-- While this waits for the table, for instance for a dump, appends would wait behind it: rather it fails, and is to be run again.
SET LOCAL lock_timeout = '10s';
ALTER TABLE log_shards ADD COLUMN slot bigint NOT NULL DEFAULT 0, DROP CONSTRAINT log_shards_pkey, ADD PRIMARY KEY (shard, slot);
