-- Owner: packages/ingest.

-- The responses of the last complete reading of a live window that changed nothing in the store: an equal reading is neither mapped nor
-- compared again. For each response its digest, the version under which it was mapped, and the one under which it was received last.
-- Processes of the version before do not know of it: they end a window with one run more, so that it no longer counts.
ALTER TABLE pull_windows
  ADD COLUMN reading bytea,
  ADD COLUMN reading_at timestamptz,
  ADD COLUMN reading_runs integer,
  ADD COLUMN reading_changes bigint,
  -- The highest version under which it was received again; null: it was not.
  ADD COLUMN seen_version bigint;

-- How often records that this pull reads were changed, by whatever path.
ALTER TABLE pull_cursors ADD COLUMN changes bigint NOT NULL DEFAULT 0;

-- The version under which these responses were received again last; null: they were not.
ALTER TABLE raw_answers ADD COLUMN seen_version bigint;
