-- Owner: packages/connections.

-- Whether the person confirms every OAuth link of the team on our page, also one that the team's server has started with its key.
ALTER TABLE teams ADD COLUMN confirm_links boolean NOT NULL DEFAULT false;

-- The confirmation that made the connection of the session: the same answer, sent twice, hears of the same success.
ALTER TABLE link_sessions ADD COLUMN consent_id uuid;

-- Tokens of OAuth links that a person has not confirmed yet. They are used for nothing but a connection or their revocation:
-- whoever deletes a row stores the connection, or leaves the tokens in `deregistrations`, in the same transaction.
CREATE TABLE link_consents (
  consent_id uuid PRIMARY KEY,
  session_id uuid NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  -- Null where the token answer does not say.
  provider_user_id text,
  application text NOT NULL,
  -- A keyed hash of the authorization code: the same callback, loaded again, finds what it brought.
  code_hash bytea NOT NULL,
  -- The token answer, sealed.
  token_answer bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (session_id, code_hash)
);
CREATE INDEX link_consents_by_expiry ON link_consents (expires_at);
CREATE INDEX link_consents_by_user ON link_consents (user_id);
