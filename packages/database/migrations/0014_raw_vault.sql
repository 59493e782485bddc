-- Owner: packages/ingest.

-- Responses and pushes of providers as received, sealed, so that they can be normalised again after a mapper was fixed: one row
-- contains the responses that belong to one page. A run is one reading of a window, or the data of one push for one connection.
CREATE TABLE raw_answers (
  run_id uuid NOT NULL,
  part integer NOT NULL,
  -- Of the run's start: its parts are dropped together.
  day date NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  provider text NOT NULL,
  source text NOT NULL CHECK (source IN ('pull', 'push')),
  -- Of the window that was read; null for a push.
  window_id bigint,
  -- Of the connector; for a push its collections, separated by commas.
  pull text NOT NULL,
  lane text NOT NULL CHECK (lane IN ('live', 'backfill')),
  start_date date NOT NULL,
  end_date date NOT NULL,
  -- The last part of a completed reading. Without one it was interrupted, and was read again.
  ends_run boolean NOT NULL,
  -- The highest of its responses.
  version bigint NOT NULL,
  answers integer NOT NULL,
  -- Before they were compressed and sealed.
  raw_bytes bigint NOT NULL,
  -- Compressed, then sealed for this run, part and user.
  body bytea NOT NULL,
  -- By the clock of the database: of two pushes under one version the later one counts, whichever processes stored them.
  kept_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run_id, part, day)
) PARTITION BY RANGE (day);
-- Sealed data cannot be compressed.
ALTER TABLE raw_answers ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX raw_answers_by_user ON raw_answers (user_id, provider, version);
CREATE TABLE raw_answers_default PARTITION OF raw_answers DEFAULT;
