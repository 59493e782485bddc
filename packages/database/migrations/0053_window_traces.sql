-- Owner: packages/ingest.

-- Identifies the last run of a window in logs, traces and the events that it caused.
ALTER TABLE pull_windows ADD COLUMN trace_id text;
