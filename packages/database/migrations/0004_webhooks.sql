-- Owner: packages/webhooks.

CREATE TABLE webhook_endpoints (
  endpoint_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  url text NOT NULL,
  description text,
  -- Exact event types; null means all but the operational ones.
  filter_types text[],
  -- Messages per second; null means no limit.
  rate_limit integer CHECK (rate_limit > 0),
  is_disabled boolean NOT NULL DEFAULT false,
  disabled_reason text,
  sends_svix_headers boolean NOT NULL DEFAULT true,
  -- Encrypted; context `webhook_endpoint:<id>`.
  secret bytea NOT NULL,
  -- Encrypted JSON: keys that still sign beside the new one, each with the end of its time.
  previous_secrets bytea,
  -- Encrypted JSON: the team's own headers.
  headers bytea,
  sensitive_headers text[] NOT NULL DEFAULT '{}',
  -- Since when every attempt has failed; null while it works. Written by dispatchers.
  failing_since timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX webhook_endpoints_by_team ON webhook_endpoints (team_id, created_at, endpoint_id);

-- One row. A dispatcher compares the version before it routes a batch: what was committed before the events counts for them.
CREATE TABLE webhook_config (
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
  version bigint NOT NULL DEFAULT 1
);
INSERT INTO webhook_config DEFAULT VALUES;

-- Triggers, so that no writer of these columns can forget the version.
CREATE FUNCTION webhook_config_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_config SET version = version + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_endpoints_changed
  AFTER INSERT OR DELETE OR UPDATE OF url, filter_types, rate_limit, is_disabled, sends_svix_headers, secret, previous_secrets, headers
  ON webhook_endpoints FOR EACH STATEMENT EXECUTE FUNCTION webhook_config_changed();
CREATE TRIGGER webhook_team_switches_changed
  AFTER UPDATE OF push_historical_data, contract_date ON teams
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_config_changed();

-- Deliveries that are not settled by their first attempt. A row holds no body: it is read from the log by its address.
CREATE TABLE webhook_pending (
  endpoint_id uuid NOT NULL,
  -- Of the message; for a message derived by a deprecation another one than the log holds.
  event_id uuid NOT NULL,
  shard smallint NOT NULL,
  "offset" bigint NOT NULL,
  log_day date NOT NULL,
  attempts smallint NOT NULL,
  due_at timestamptz NOT NULL,
  -- Both set while an attempt is under way; a lease that has run out is free for whoever claims next.
  lease_owner text,
  lease_until timestamptz,
  PRIMARY KEY (endpoint_id, event_id)
) WITH (fillfactor = 80, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.02);
-- Leases are no part of it: taking and ending one stays a heap-only update.
CREATE INDEX webhook_pending_due ON webhook_pending (endpoint_id, due_at);

CREATE TABLE webhook_attempts (
  day date NOT NULL,
  endpoint_id uuid NOT NULL,
  attempted_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  shard smallint NOT NULL,
  "offset" bigint NOT NULL,
  log_day date NOT NULL,
  attempt smallint NOT NULL,
  outcome smallint NOT NULL,
  status smallint,
  duration_ms integer NOT NULL,
  error text,
  event_type text NOT NULL
) PARTITION BY RANGE (day);
CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT;
CREATE INDEX webhook_attempts_by_endpoint ON webhook_attempts (endpoint_id, attempted_at, event_id);
-- Failures are few, and are what people look for.
CREATE INDEX webhook_attempts_failed ON webhook_attempts (endpoint_id, attempted_at, event_id) WHERE outcome > 1;
