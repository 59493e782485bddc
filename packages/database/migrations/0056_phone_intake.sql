-- Owner: packages/intake.

-- A phone that was signed in by its team's backend. Only a hash of its refresh token is stored; the previous one is accepted too until the
-- current one has been used, because the response with the current one may have been lost.
CREATE TABLE phone_sessions (
  session_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  app_id text NOT NULL,
  refresh_hash bytea,
  former_hash bytea,
  created_at timestamptz NOT NULL,
  refreshed_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX phone_sessions_refresh ON phone_sessions (refresh_hash);
CREATE INDEX phone_sessions_former ON phone_sessions (former_hash);
CREATE INDEX phone_sessions_user ON phone_sessions (user_id);

-- What phones sent, as received (compressed, then sealed), with the outcome. Processed in the order of versions, one at a time per user.
CREATE TABLE phone_batches (
  batch_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  version bigint NOT NULL,
  body bytea NOT NULL,
  body_bytes integer NOT NULL,
  state text NOT NULL CHECK (state IN ('received', 'done', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  finished_at timestamptz,
  error_code text,
  left_out jsonb
);
CREATE INDEX phone_batches_open ON phone_batches (version) WHERE state = 'received';
CREATE INDEX phone_batches_open_user ON phone_batches (user_id, version) WHERE state = 'received';
CREATE INDEX phone_batches_user ON phone_batches (user_id);
CREATE INDEX phone_batches_received ON phone_batches (received_at);

-- Sleep as phones send it: spans of one stage each, from which whole nights are built.
CREATE TABLE phone_sleep_segments (
  user_id uuid NOT NULL,
  provider text NOT NULL,
  source_type text NOT NULL,
  app_id text NOT NULL,
  start_at timestamptz NOT NULL,
  stage text NOT NULL,
  team_id uuid NOT NULL,
  end_at timestamptz NOT NULL,
  tz_offset integer,
  score smallint,
  item_id text NOT NULL,
  PRIMARY KEY (user_id, provider, source_type, app_id, start_at, stage)
);
CREATE INDEX phone_sleep_segments_item ON phone_sleep_segments (user_id, item_id);

-- The records of a phone's items, for items that a person may delete individually.
CREATE TABLE phone_items (
  user_id uuid NOT NULL,
  provider text NOT NULL,
  item_id text NOT NULL,
  team_id uuid NOT NULL,
  resource text NOT NULL,
  sub_kind text NOT NULL,
  source_type text NOT NULL,
  at timestamptz NOT NULL,
  summary_id uuid,
  PRIMARY KEY (user_id, provider, item_id)
);
