-- Owner: packages/store.
-- Works with: 0084.

-- Closed days of frequent samples, packed: up to 1,500 samples of one series of a source in one row, of one UTC day. A piece owns its range of
-- times: no row of `samples` lies in it, and no two pieces of a series overlap. The format: packages/store/PACKED.md.
CREATE TABLE sample_pieces (
  user_source_id integer NOT NULL,
  series smallint NOT NULL,
  format smallint NOT NULL CONSTRAINT sample_pieces_format_known CHECK (format = 1),
  from_ts timestamptz NOT NULL,
  to_ts timestamptz NOT NULL,
  version bigint,
  value double precision,
  value2 double precision,
  count integer NOT NULL CHECK (count > 0),
  tick_ms integer NOT NULL,
  step integer,
  length integer,
  tz_offset integer,
  context_id integer,
  value_scale integer,
  value_base integer,
  tz_origin smallint,
  steps1 "char"[],
  steps4 integer[],
  values1 "char"[],
  values2 smallint[],
  values4 integer[],
  values8 double precision[],
  second_values double precision[],
  lengths integer[],
  tz_offsets integer[],
  tz_origins smallint[],
  context_ids integer[],
  versions bigint[],
  extra jsonb,
  extras jsonb[],
  PRIMARY KEY (user_source_id, series, from_ts)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- The samples of a piece, in order of time.
CREATE FUNCTION samples_of_piece(p sample_pieces)
RETURNS TABLE (ts timestamptz, version bigint, value double precision, value2 double precision, end_ts timestamptz, tz_offset integer,
  tz_origin smallint, context_id integer, extra jsonb)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT t.ts, coalesce(t.version, p.version),
    coalesce((coalesce(t.value1::integer + 128, t.value2 + 32768, t.value4)::double precision + p.value_base) / p.value_scale, t.value8, p.value),
    coalesce(t.second_value, p.value2),
    t.ts + coalesce(t.length, p.length)::double precision * p.tick_ms * interval '1 millisecond',
    coalesce(t.tz_offset, p.tz_offset), coalesce(t.tz_origin, p.tz_origin), coalesce(t.context_id, p.context_id), coalesce(t.extra, p.extra)
  FROM (
    SELECT u.*, p.from_ts + p.tick_ms * interval '1 millisecond' * coalesce(u.nth * p.step,
      sum(coalesce(u.step1::integer + 128, u.step4)) OVER (ROWS UNBOUNDED PRECEDING)) AS ts
    FROM (
      SELECT generate_series(0, p.count - 1)::bigint AS nth, unnest(p.steps1) AS step1, unnest(p.steps4) AS step4, unnest(p.values1) AS value1,
        unnest(p.values2) AS value2, unnest(p.values4) AS value4, unnest(p.values8) AS value8, unnest(p.second_values) AS second_value,
        unnest(p.lengths) AS length, unnest(p.tz_offsets) AS tz_offset, unnest(p.tz_origins) AS tz_origin,
        unnest(p.context_ids) AS context_id, unnest(p.versions) AS version, unnest(p.extras) AS extra) u
  ) t
$$;

-- The samples of a series of a source between two times, both included, that are rows.
CREATE FUNCTION sample_rows(of_source integer, of_series smallint, from_at timestamptz, to_at timestamptz)
RETURNS TABLE (ts timestamptz, version bigint, value double precision, value2 double precision, end_ts timestamptz, tz_offset integer,
  tz_origin smallint, context_id integer, extra jsonb)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra FROM samples s
  WHERE s.user_source_id = of_source AND s.series = of_series AND s.ts >= from_at AND s.ts <= to_at
$$;

-- The pieces that have a part of this time.
CREATE FUNCTION pieces_between(of_source integer, of_series smallint, from_at timestamptz, to_at timestamptz) RETURNS SETOF sample_pieces
LANGUAGE sql STABLE PARALLEL SAFE ROWS 30 AS $$
  SELECT p.* FROM sample_pieces p
  WHERE p.user_source_id = of_source AND p.series = of_series AND p.from_ts > from_at - interval '1 day' AND p.from_ts <= to_at
    AND p.to_ts >= from_at
$$;

-- The samples of this time in either form. In no order.
CREATE FUNCTION stored_samples(of_source integer, of_series smallint, from_at timestamptz, to_at timestamptz)
RETURNS TABLE (ts timestamptz, version bigint, value double precision, value2 double precision, end_ts timestamptz, tz_offset integer,
  tz_origin smallint, context_id integer, extra jsonb)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra
  FROM sample_rows(of_source, of_series, from_at, to_at) s
  UNION ALL
  SELECT s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra
  FROM pieces_between(of_source, of_series, from_at, to_at) p CROSS JOIN LATERAL samples_of_piece(p) s
  WHERE s.ts >= from_at AND s.ts <= to_at
$$;

-- The first `at_most` of them, in order of time. Decodes only the pieces that have these.
CREATE FUNCTION first_stored_samples(of_source integer, of_series smallint, from_at timestamptz, to_at timestamptz, at_most bigint)
RETURNS TABLE (ts timestamptz, version bigint, value double precision, value2 double precision, end_ts timestamptz, tz_offset integer,
  tz_origin smallint, context_id integer, extra jsonb)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1000 AS $$
  SELECT * FROM (
    (SELECT s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra FROM samples s
     WHERE s.user_source_id = of_source AND s.series = of_series AND s.ts >= from_at AND s.ts <= to_at ORDER BY s.ts LIMIT at_most)
    UNION ALL
    (SELECT s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra
     FROM sample_pieces p CROSS JOIN LATERAL samples_of_piece(p) s
     WHERE p.user_source_id = of_source AND p.series = of_series AND p.from_ts > from_at - interval '1 day' AND p.to_ts >= from_at
       -- Pieces from `from_at` on lie wholly behind it, so these have `at_most` samples.
       AND p.from_ts <= coalesce((
         SELECT c.from_ts FROM (
           SELECT q.from_ts, sum(q.count) OVER (ORDER BY q.from_ts) AS total FROM sample_pieces q
           WHERE q.user_source_id = of_source AND q.series = of_series AND q.from_ts >= from_at AND q.from_ts <= to_at) c
         WHERE c.total >= at_most ORDER BY c.from_ts LIMIT 1), to_at)
       AND s.ts >= from_at AND s.ts <= to_at
     ORDER BY s.ts LIMIT at_most)
  ) s ORDER BY s.ts LIMIT at_most
$$;

-- The times of the first and last sample of a series of a source; null without samples.
CREATE FUNCTION stored_extent(of_source integer, of_series smallint) RETURNS TABLE (first_ts timestamptz, last_ts timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT
    least((SELECT s.ts FROM samples s WHERE s.user_source_id = of_source AND s.series = of_series ORDER BY s.ts LIMIT 1),
      (SELECT p.from_ts FROM sample_pieces p WHERE p.user_source_id = of_source AND p.series = of_series ORDER BY p.from_ts LIMIT 1)),
    greatest((SELECT s.ts FROM samples s WHERE s.user_source_id = of_source AND s.series = of_series ORDER BY s.ts DESC LIMIT 1),
      (SELECT p.to_ts FROM sample_pieces p WHERE p.user_source_id = of_source AND p.series = of_series ORDER BY p.from_ts DESC LIMIT 1))
$$;

-- Every stored sample, for operators and tests.
CREATE VIEW all_samples AS
  SELECT s.user_source_id, s.series, s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra FROM samples s
  UNION ALL
  SELECT p.user_source_id, p.series, s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra
  FROM sample_pieces p CROSS JOIN LATERAL samples_of_piece(p) s;

-- Where the last run of the job that packs samples stopped.
CREATE TABLE sample_packing (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  user_source_id integer NOT NULL,
  series smallint NOT NULL
);

-- Called before samples are packed: programs that do not know packed samples are refused from then on.
CREATE FUNCTION require_sample_pieces() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE schema_migrations SET lowest = NULL WHERE name LIKE '%\_sample\_pieces' AND lowest IS NOT NULL
$$;
REVOKE EXECUTE ON FUNCTION require_sample_pieces() FROM PUBLIC;
