-- Owner: packages/ingest.

-- Histories that are not complete are looked for often, and are few.
CREATE INDEX historical_pulls_open ON historical_pulls (connection_id) WHERE completed_at IS NULL;
