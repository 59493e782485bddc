-- Owner: packages/store.

-- Versions order receipts. Drawn when an answer has arrived; never a process clock.
CREATE SEQUENCE receipt_versions AS bigint CACHE 1;

CREATE TABLE sources (
  user_source_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  source_type text NOT NULL,
  UNIQUE (user_id, provider, source_type)
);

-- A resource, or a resource with its required sub-kind, as a small number.
CREATE TABLE series (
  series smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  resource text NOT NULL,
  sub_kind text NOT NULL DEFAULT '',
  UNIQUE (resource, sub_kind)
);

-- What travels with a sample besides its identity: app, device, sport, workout.
CREATE TABLE source_contexts (
  context_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_source_id integer NOT NULL,
  app_id text, device_id uuid, sport text, workout_id uuid,
  UNIQUE NULLS NOT DISTINCT (user_source_id, app_id, device_id, sport, workout_id)
);

CREATE TABLE samples (
  user_source_id integer NOT NULL,
  series smallint NOT NULL,
  tz_offset integer,
  ts timestamptz NOT NULL,
  version bigint NOT NULL,
  value double precision,
  end_ts timestamptz,
  value2 double precision,
  context_id integer,
  extra jsonb,
  PRIMARY KEY (user_source_id, series, ts)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- A batch that found rows already there leaves one row here: these keys were received at this version.
-- Without it an older answer, written late, would win over a value that was received again meanwhile.
-- No keys: every row that there is between the two times. A row that is made there later under an older version
-- cuts such a range in two, so the statement stays true.
CREATE TABLE sample_receipts (
  user_source_id integer NOT NULL,
  series smallint NOT NULL,
  version bigint NOT NULL,
  day date NOT NULL,
  from_ts timestamptz NOT NULL,
  to_ts timestamptz NOT NULL,
  keys bytea
) PARTITION BY RANGE (day);
CREATE INDEX sample_receipts_by_version ON sample_receipts (user_source_id, series, version);
CREATE TABLE sample_receipts_default PARTITION OF sample_receipts DEFAULT;

CREATE TABLE summaries (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  resource text NOT NULL,
  provider text NOT NULL,
  source jsonb NOT NULL,
  calendar_date date,
  at timestamptz NOT NULL,
  data jsonb NOT NULL,
  version bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX summaries_by_day ON summaries (user_id, resource, calendar_date);
CREATE INDEX summaries_by_instant ON summaries (user_id, resource, at);

CREATE TABLE summary_receipts (
  user_id uuid NOT NULL,
  version bigint NOT NULL,
  day date NOT NULL,
  ids uuid[] NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX summary_receipts_by_version ON summary_receipts (user_id, version);
CREATE TABLE summary_receipts_default PARTITION OF summary_receipts DEFAULT;
