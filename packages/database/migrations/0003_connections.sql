-- Owner: packages/connections.

CREATE TABLE teams (
  team_id uuid PRIMARY KEY,
  name text NOT NULL,
  is_sandbox boolean NOT NULL DEFAULT false,
  push_historical_data boolean NOT NULL DEFAULT true,
  provider_raw_data boolean NOT NULL DEFAULT false,
  reject_duplicate_connection boolean NOT NULL DEFAULT false,
  -- The day whose deprecations hold for this team; null follows the calendar.
  contract_date date,
  created_at timestamptz NOT NULL
);

CREATE TABLE api_keys (
  key_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX api_keys_by_team ON api_keys (team_id);

-- A team's own application at a provider. Without a row the platform's application serves.
CREATE TABLE team_oauth_credentials (
  team_id uuid NOT NULL,
  provider text NOT NULL,
  client_id text NOT NULL,
  client_secret bytea NOT NULL,
  redirect_url_override text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, provider)
);

CREATE TABLE team_scope_requirements (
  team_id uuid NOT NULL,
  provider text NOT NULL,
  must_grant text[] NOT NULL,
  PRIMARY KEY (team_id, provider)
);

CREATE TABLE users (
  user_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  client_user_id text NOT NULL,
  fallback_time_zone text,
  fallback_time_zone_source text,
  fallback_time_zone_at timestamptz,
  fallback_birth_date date,
  fallback_birth_date_source text,
  fallback_birth_date_at timestamptz,
  ingestion_start date,
  ingestion_end date,
  created_at timestamptz NOT NULL,
  -- Set: scheduled for deletion; the row and all data go when the grace period is over.
  deleted_at timestamptz
);
CREATE UNIQUE INDEX users_by_client_user_id ON users (team_id, client_user_id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_client_user_id_prefix ON users (team_id, client_user_id text_pattern_ops) WHERE deleted_at IS NULL;
CREATE INDEX users_by_age ON users (team_id, created_at DESC, user_id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_by_ingestion_end ON users (ingestion_end) WHERE ingestion_end IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE connections (
  connection_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  provider_user_id text,
  status text NOT NULL CHECK (status IN ('connected', 'error', 'paused')),
  -- Whose application the tokens belong to: they can be refreshed and revoked by that one only.
  application text NOT NULL CHECK (application IN ('team', 'platform')),
  granted_scopes text[] NOT NULL DEFAULT '{}',
  denied_scopes text[] NOT NULL DEFAULT '{}',
  account jsonb NOT NULL DEFAULT '{}',
  error_type text,
  error_message text,
  errored_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (user_id, provider)
);
CREATE INDEX connections_by_team ON connections (team_id, created_at);
CREATE INDEX connections_by_provider_user ON connections (provider, provider_user_id);

CREATE TABLE connection_tokens (
  connection_id uuid PRIMARY KEY REFERENCES connections ON DELETE CASCADE,
  access_token bytea NOT NULL,
  refresh_token bytea,
  -- With the end it gives the lifetime: how early a pair is renewed depends on it.
  issued_at timestamptz NOT NULL,
  expires_at timestamptz,
  -- Grows with every stored pair; tells a holder of an older pair that somebody refreshed meanwhile.
  token_version bigint NOT NULL,
  -- The lease of the one refresh under way. Its epoch fences a holder that woke up too late.
  lease_epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz,
  -- Set before the refresh request leaves, cleared with the stored pair: left over, the outcome of a refresh is unknown.
  refresh_sent_at timestamptz,
  -- A refresh was rejected, perhaps only because we lost the response to a rotation: not a revocation yet.
  unclear_since timestamptz,
  refusals integer NOT NULL DEFAULT 0,
  -- Tries in a row that brought no tokens, for the backoff.
  failures integer NOT NULL DEFAULT 0,
  next_refresh_at timestamptz
) WITH (fillfactor = 50);
CREATE INDEX connection_tokens_due ON connection_tokens (expires_at) WHERE refresh_token IS NOT NULL;

CREATE TABLE link_sessions (
  session_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text,
  redirect_url text,
  filter_on_providers text[],
  on_error text,
  on_close text,
  state text NOT NULL CHECK (state IN ('open', 'validated', 'pending_provider_mfa', 'success')),
  -- The provider whose flow was started last, and the sealed PKCE verifier of that flow.
  started_provider text,
  code_verifier bytea,
  -- One callback works at a time; a second one waits for the outcome of the first.
  callback_epoch bigint NOT NULL DEFAULT 0,
  callback_until timestamptz,
  consumed_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX link_sessions_by_user ON link_sessions (user_id);
CREATE INDEX link_sessions_by_expiry ON link_sessions (expires_at);

-- What is left to do at the provider after a connection is gone here: revoke, unsubscribe. Retried; blocks nobody.
CREATE TABLE deregistrations (
  connection_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  provider_user_id text,
  application text NOT NULL,
  granted_scopes text[] NOT NULL,
  account jsonb NOT NULL,
  access_token bytea NOT NULL,
  refresh_token bytea,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  last_error_code text,
  created_at timestamptz NOT NULL
);
CREATE INDEX deregistrations_due ON deregistrations (due_at);
CREATE INDEX deregistrations_by_user ON deregistrations (user_id);
