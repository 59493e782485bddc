-- Owner: packages/database.

-- A value that only the right key gives, for each encryption key in use: a process that was started with another key
-- under the same id must not seal anything with it.
CREATE TABLE encryption_key_checks (
  key_id smallint PRIMARY KEY,
  check_value bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
