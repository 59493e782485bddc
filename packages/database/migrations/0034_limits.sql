-- Owner: packages/connections.

-- Requests per second of the key; null: the installation's default.
ALTER TABLE api_keys ADD COLUMN rate_limit integer CHECK (rate_limit BETWEEN 1 AND 100000);

-- Token buckets of API keys, from which processes take tokens a batch at a time. After a crash of the server all are full again.
CREATE UNLOGGED TABLE api_key_buckets (
  key_id uuid PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  tokens double precision NOT NULL,
  refilled_at timestamptz NOT NULL,
  -- What the last process was given.
  granted integer NOT NULL
) WITH (fillfactor = 50);

-- Live link tokens of a team are counted before another one is made.
CREATE INDEX link_sessions_by_team ON link_sessions (team_id, expires_at);
