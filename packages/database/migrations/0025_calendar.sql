-- Owner: packages/database.

-- The day up to which the clocks are believed. Retention goes by it, and the log gives its events no day that lies far behind it.
CREATE TABLE calendar (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  day date NOT NULL,
  moved_at timestamptz NOT NULL
);

-- The day of a shard's next event: it never falls, and rises only as far as the calendar makes plausible. A clock that jumps ahead
-- and is set right again leaves a shard a few days ahead at most. Without a calendar row every day is plausible.
CREATE FUNCTION log_day(previous date) RETURNS date LANGUAGE sql VOLATILE AS $$
  SELECT greatest(previous, least((clock_timestamp() AT TIME ZONE 'UTC')::date, (SELECT day + 3 FROM calendar)))
$$;
