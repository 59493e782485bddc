-- Owner: packages/ingest.

-- An object that a push named and that is read by itself; '' for windows of days. Its days are those on which it was announced.
ALTER TABLE pull_windows ADD COLUMN object_id text NOT NULL DEFAULT '';
ALTER TABLE pull_windows DROP CONSTRAINT pull_windows_connection_id_pull_lane_start_date_end_date_key;
CREATE UNIQUE INDEX pull_windows_once ON pull_windows (connection_id, pull, lane, start_date, end_date, object_id);

-- What a whole application has subscribed to at a provider: one row for each application, the platform's or a team's.
CREATE TABLE app_subscriptions (
  provider text NOT NULL,
  -- 'platform' or a team's id.
  owner text NOT NULL,
  state jsonb NOT NULL DEFAULT '{}',
  -- Sealed: with what the provider signs.
  secret bytea,
  -- null: never made. Looked at again from then on.
  renew_at timestamptz,
  error_code text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (provider, owner)
);
CREATE INDEX app_subscriptions_due ON app_subscriptions (due_at);
