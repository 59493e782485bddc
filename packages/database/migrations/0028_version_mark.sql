-- Owner: packages/store.

-- A version that was surely drawn. Sequences are not part of logical replication, and a restore can set one back: a version that is
-- not above this mark would lose against everything stored.
CREATE TABLE receipt_version_mark (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  version bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO receipt_version_mark (version) SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM receipt_versions;
