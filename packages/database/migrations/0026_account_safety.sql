-- Owner: packages/connections.

-- Schemes of the team's own apps, in lower case: beside https and loopback http, what `redirect_url` may begin with.
ALTER TABLE teams ADD COLUMN redirect_schemes text[] NOT NULL DEFAULT '{}';

-- `client`: whoever held the link token started the flow, without a key of the team.
ALTER TABLE link_sessions DROP CONSTRAINT link_sessions_started_from_check;
ALTER TABLE link_sessions ADD CONSTRAINT link_sessions_started_from_check CHECK (started_from IN ('api', 'client', 'page'));

-- Passwords and codes that were tried lately and did not lead to a connection, one row for the account at the provider and one for
-- the user. A row is written before the provider is asked, so that attempts made at the same moment count too.
CREATE TABLE login_attempts (
  -- A keyed hash: of provider and user name, or of the user; password and code attempts have different ones.
  key bytea NOT NULL,
  attempt_id uuid NOT NULL,
  attempted_at timestamptz NOT NULL,
  PRIMARY KEY (key, attempt_id)
);
CREATE INDEX login_attempts_by_time ON login_attempts (attempted_at);
