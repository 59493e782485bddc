-- Owner: packages/ingest.

-- What was stored under this version or an older one was not read through this connection, and may be of another account of the user:
-- a complete answer that lacks it says nothing of it.
ALTER TABLE pull_plans ADD COLUMN reads_since bigint NOT NULL DEFAULT 0;

-- Users of whom windows of a removed connection are on record may have data of another account.
UPDATE pull_plans p SET reads_since = (SELECT last_value FROM receipt_versions)
WHERE EXISTS (
  SELECT 1 FROM pull_windows w
  WHERE w.user_id = p.user_id AND NOT EXISTS (SELECT 1 FROM connections c WHERE c.connection_id = w.connection_id)
);
