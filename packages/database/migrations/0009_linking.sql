-- Owner: packages/connections.

ALTER TABLE link_sessions
  -- Who started the last flow: a page of ours is where its browser comes back to.
  ADD COLUMN started_from text NOT NULL DEFAULT 'api' CHECK (started_from IN ('api', 'page')),
  -- The challenge of a provider that wants a code: what it wants to see again and the user name, sealed; how the code travels; until when.
  ADD COLUMN mfa_ticket bytea,
  ADD COLUMN mfa_method text,
  ADD COLUMN mfa_hint text,
  ADD COLUMN mfa_expires_at timestamptz,
  ADD COLUMN mfa_attempts integer NOT NULL DEFAULT 0,
  -- How the last try failed, for whoever asks for the state of the session.
  ADD COLUMN last_error_type text;

ALTER TABLE connections
  -- The name under which the user knows the account, where it is not the provider's id: user name, e-mail address.
  ADD COLUMN external_user_id text,
  -- Set: made-up data of a sandbox team. When the next are due, and up to when they are there.
  ADD COLUMN demo_due_at timestamptz,
  ADD COLUMN demo_filled_to timestamptz;
CREATE INDEX connections_demo_due ON connections (demo_due_at) WHERE demo_due_at IS NOT NULL;

-- Where the consent was sent back to: some providers want to see it again with every refresh.
ALTER TABLE connection_tokens ADD COLUMN redirect_url text;

-- When a user's data were refreshed on request; no more than the last hour is kept.
CREATE TABLE user_refreshes (
  user_id uuid NOT NULL,
  refreshed_at timestamptz NOT NULL
);
CREATE INDEX user_refreshes_by_user ON user_refreshes (user_id, refreshed_at);
