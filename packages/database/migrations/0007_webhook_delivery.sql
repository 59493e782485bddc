-- Owner: packages/webhooks.

ALTER TABLE webhook_endpoints
  -- per_user: one attempt under way per user, and a failing one holds back the later events of its user.
  ADD COLUMN ordering text NOT NULL DEFAULT 'none' CHECK (ordering IN ('none', 'per_user')),
  -- With per_user: of the versions of one summary that wait, only the newest is sent.
  ADD COLUMN skip_superseded boolean NOT NULL DEFAULT false,
  -- Seconds to wait before attempt 2, 3, …; null means the default schedule.
  ADD COLUMN retry_schedule integer[],
  ADD COLUMN signature text NOT NULL DEFAULT 'v1' CHECK (signature IN ('v1', 'v1a', 'both')),
  -- Encrypted, as `secret` and `previous_secrets`: the ed25519 key, and those that were replaced.
  ADD COLUMN signing_key bytea,
  ADD COLUMN previous_signing_keys bytea,
  -- The version of webhook_config that the last change of routing made: a dispatcher reads only what is newer than what it knows.
  ADD COLUMN config_version bigint NOT NULL DEFAULT 0;
CREATE INDEX webhook_endpoints_by_config_version ON webhook_endpoints (config_version);

ALTER TABLE webhook_config
  -- The version at which an endpoint was removed last, and at which a team's switches were changed last.
  ADD COLUMN removed_at_version bigint NOT NULL DEFAULT 0,
  ADD COLUMN teams_at_version bigint NOT NULL DEFAULT 0;

DROP TRIGGER webhook_endpoints_changed ON webhook_endpoints;
DROP TRIGGER webhook_team_switches_changed ON teams;
DROP FUNCTION webhook_config_changed();

-- After the rows and not before them: whoever changes endpoints locks the rows first and the version last, so nobody waits in a circle.
-- The version stays locked until the commit, so versions are visible in their order.
CREATE FUNCTION webhook_endpoint_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_config SET version = version + 1;
  UPDATE webhook_endpoints SET config_version = (SELECT version FROM webhook_config) WHERE endpoint_id = NEW.endpoint_id;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_endpoints_changed
  AFTER INSERT OR UPDATE OF url, filter_types, rate_limit, is_disabled, sends_svix_headers, secret, previous_secrets, headers,
    ordering, skip_superseded, retry_schedule, signature, signing_key, previous_signing_keys
  ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION webhook_endpoint_stamp();

CREATE FUNCTION webhook_endpoints_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_config SET version = version + 1, removed_at_version = version + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_endpoints_removed
  AFTER DELETE ON webhook_endpoints FOR EACH STATEMENT EXECUTE FUNCTION webhook_endpoints_removed();

CREATE FUNCTION webhook_teams_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_config SET version = version + 1, teams_at_version = version + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_team_switches_changed
  AFTER UPDATE OF push_historical_data, contract_date ON teams
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_teams_changed();

ALTER TABLE webhook_pending
  -- 0: retries, and what was parked. 1: replays, which come last.
  ADD COLUMN lane smallint NOT NULL DEFAULT 0,
  ADD COLUMN replay_id uuid,
  ADD COLUMN user_id uuid,
  ADD COLUMN event_type text,
  -- Rows of one endpoint and user go one after the other, by their place in the log; those behind the first are due at 'infinity'
  -- until it is settled.
  ADD COLUMN is_ordered boolean NOT NULL DEFAULT false,
  -- With skip_superseded: resource and id of the summary. A row is superseded by a later one of its key.
  ADD COLUMN object_key text;
DROP INDEX webhook_pending_due;
-- Leases are no part of it: taking and ending one stays a heap-only update.
CREATE INDEX webhook_pending_due ON webhook_pending (endpoint_id, lane, due_at);
CREATE INDEX webhook_pending_ordered ON webhook_pending (endpoint_id, user_id, "offset", event_id) WHERE is_ordered;
CREATE INDEX webhook_pending_objects ON webhook_pending (endpoint_id, object_key, "offset") WHERE object_key IS NOT NULL;
CREATE INDEX webhook_pending_replays ON webhook_pending (replay_id) WHERE replay_id IS NOT NULL;

-- Attempts of an event, whatever the endpoint: the order of the log, so new entries fall on few pages.
CREATE INDEX webhook_attempts_by_address ON webhook_attempts (shard, "offset");

-- Deliveries to be made again, or for the first time: a range of the log for one endpoint. Run by dispatchers, under a lease.
CREATE TABLE webhook_replays (
  replay_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- Both inclusive, by the time of the log.
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  user_id uuid,
  event_types text[],
  -- all: whatever matches; failed: the last attempt did not succeed; missing: there was no attempt; undelivered: one of both.
  selection text NOT NULL CHECK (selection IN ('all', 'failed', 'missing', 'undelivered')),
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'cancelled', 'failed')),
  -- Messages that matched, that became rows, and what became of those.
  total bigint NOT NULL DEFAULT 0,
  enqueued bigint NOT NULL DEFAULT 0,
  delivered bigint NOT NULL DEFAULT 0,
  exhausted bigint NOT NULL DEFAULT 0,
  -- Where the runner goes on; null: it has not begun.
  progress jsonb,
  lease_owner text,
  lease_until timestamptz,
  error text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX webhook_replays_by_endpoint ON webhook_replays (team_id, endpoint_id, created_at, replay_id);
CREATE INDEX webhook_replays_running ON webhook_replays (lease_until) WHERE status = 'running';

-- A team reads its own part of the log: in order, shard by shard, and one message by its id.
CREATE INDEX log_events_by_team ON log_events (team_id, shard, "offset");
CREATE INDEX log_events_by_id ON log_events (event_id);

-- Messages that a team asked for to try an endpoint. They are no events and not in the log; their pending rows have shard -1.
CREATE TABLE webhook_test_events (
  event_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_type text NOT NULL,
  created_at timestamptz NOT NULL
);
