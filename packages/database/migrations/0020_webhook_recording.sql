-- Owner: packages/webhooks.

-- The last batch that each recorder of a dispatcher committed. When the response to a COMMIT is lost, the retry finds its number here
-- and writes nothing a second time. One row per running recorder.
CREATE TABLE webhook_recorders (
  recorder_id uuid PRIMARY KEY,
  batch bigint NOT NULL,
  recorded_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Deliveries whose values Postgres rejected: set aside with the reason, so that they do not delay others.
CREATE TABLE webhook_quarantine (
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  shard smallint NOT NULL,
  "offset" bigint NOT NULL,
  log_day date NOT NULL,
  user_id uuid,
  event_type text,
  -- Of the replay that was to send it; null: none.
  replay_id uuid,
  -- SQLSTATE of the rejection.
  code text NOT NULL,
  quarantined_at timestamptz NOT NULL,
  PRIMARY KEY (endpoint_id, event_id)
);
CREATE INDEX webhook_quarantine_by_time ON webhook_quarantine (quarantined_at);

ALTER TABLE webhook_replays
  -- When a dispatcher last processed it: decides the rotation among teams.
  ADD COLUMN last_turn_at timestamptz;
