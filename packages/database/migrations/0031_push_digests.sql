-- Owner: packages/ingest.

-- Recently accepted signed calls of providers, by a hash of signature and body: an equal one is a repetition, or a replay by an attacker
-- who captured it, and is not processed again.
CREATE TABLE push_digests (
  provider text NOT NULL,
  digest bytea NOT NULL,
  -- Equal calls that were worked on since `since`.
  calls integer NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (provider, digest)
);
CREATE INDEX push_digests_by_time ON push_digests USING brin (since);
