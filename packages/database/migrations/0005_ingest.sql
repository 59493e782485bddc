-- Owner: packages/ingest.

-- One row per connection: who works on its windows now, and when they are looked at next.
-- Whoever asks for a pull updates this row first, so that a tick which is starting or ending waits and then sees the windows.
CREATE TABLE pull_plans (
  connection_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  -- The provider said when to come back: nothing of this connection runs before.
  resume_at timestamptz,
  -- The quota is nearly used up: what is left of it belongs to live pulls until then.
  backfill_resume_at timestamptz,
  next_pull_at timestamptz NOT NULL,
  next_tick_at timestamptz,
  account_due_at timestamptz NOT NULL,
  -- When the user linked last: what a provider said before holds no longer.
  linked_at timestamptz,
  -- Set when the connection can no longer be pulled; connecting again clears it.
  stopped_at timestamptz,
  -- The epoch fences a worker that was thought dead: its windows no longer carry the current one.
  lease_epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz,
  subscription text NOT NULL DEFAULT 'none' CHECK (subscription IN ('none', 'wanted', 'active', 'failed')),
  subscription_error text,
  -- When a failed subscription was last asked for again: whoever waits longest is next.
  subscription_asked_at timestamptz,
  created_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX pull_plans_due ON pull_plans (next_pull_at) WHERE stopped_at IS NULL;
CREATE INDEX pull_plans_waiting ON pull_plans (next_tick_at) WHERE next_tick_at IS NOT NULL;
CREATE INDEX pull_plans_by_user ON pull_plans (user_id);

-- Up to which local day a pull has been read with live data.
CREATE TABLE pull_cursors (
  connection_id uuid NOT NULL,
  pull text NOT NULL,
  covered_to date NOT NULL,
  PRIMARY KEY (connection_id, pull)
) WITH (fillfactor = 70);

-- Every range of days that was or will be read, with what came of it. A live window that is asked for again
-- runs again in its row: runs and counters grow, times and error code tell of the last run.
CREATE TABLE pull_windows (
  window_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  connection_id uuid NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  pull text NOT NULL,
  -- Place of the pull in its connector, which lists what is worth most for its calls first.
  rank smallint NOT NULL,
  resources text[] NOT NULL,
  lane text NOT NULL CHECK (lane IN ('live', 'backfill')),
  start_date date NOT NULL,
  end_date date NOT NULL,
  state text NOT NULL CHECK (state IN ('planned', 'running', 'done', 'failed', 'given_up')),
  -- Runs in a row that did not succeed; a pause that the provider asked for does not count.
  attempts integer NOT NULL DEFAULT 0,
  runs integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  run_epoch bigint,
  -- Something changed at the provider while the window was running: read it once more.
  is_asked_again boolean NOT NULL DEFAULT false,
  planned_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  error_code text,
  pages bigint NOT NULL DEFAULT 0,
  samples_received bigint NOT NULL DEFAULT 0,
  samples_created bigint NOT NULL DEFAULT 0,
  samples_updated bigint NOT NULL DEFAULT 0,
  summaries_received bigint NOT NULL DEFAULT 0,
  summaries_created bigint NOT NULL DEFAULT 0,
  summaries_updated bigint NOT NULL DEFAULT 0,
  quarantined bigint NOT NULL DEFAULT 0,
  UNIQUE (connection_id, pull, lane, start_date, end_date),
  CHECK (start_date <= end_date)
) WITH (fillfactor = 80);
CREATE INDEX pull_windows_open ON pull_windows (connection_id, lane, end_date) WHERE state IN ('planned', 'running', 'failed');
CREATE INDEX pull_windows_by_user ON pull_windows (team_id, user_id, end_date);

-- One historical pull per resource; completed when no backfill window that feeds the resource is open any more.
CREATE TABLE historical_pulls (
  connection_id uuid NOT NULL,
  resource text NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  start_date date NOT NULL,
  end_at timestamptz NOT NULL,
  planned_at timestamptz NOT NULL,
  completed_at timestamptz,
  PRIMARY KEY (connection_id, resource)
);
CREATE INDEX historical_pulls_by_user ON historical_pulls (user_id);

-- Parts of answers that could not be mapped: why and where, never what.
CREATE TABLE quarantine (
  window_id bigint NOT NULL,
  resource text NOT NULL,
  reason text NOT NULL,
  pointer text NOT NULL,
  connection_id uuid NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  sightings integer NOT NULL DEFAULT 1,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (window_id, resource, reason, pointer)
);
CREATE INDEX quarantine_by_user ON quarantine (team_id, user_id);

-- What providers pushed, as it came, kept before they are answered.
CREATE TABLE push_inbox (
  push_id uuid NOT NULL,
  day date NOT NULL,
  provider text NOT NULL,
  -- Whose applications signed it, 'platform' or a team's id: it is valid only for the connections made with those.
  owners text[] NOT NULL,
  -- Verified headers and query that parsing may need; no credentials.
  headers jsonb NOT NULL,
  query jsonb NOT NULL,
  -- gzip
  body bytea NOT NULL,
  -- Receipt version: data inside a push wins over what was fetched before it.
  version bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('received', 'done', 'unreadable', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  error_code text,
  notices integer,
  -- Notices that could not be read; the others of the push are worked on all the same.
  unreadable_notices integer,
  unknown_users integer,
  received_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (push_id, day)
) PARTITION BY RANGE (day);
CREATE TABLE push_inbox_default PARTITION OF push_inbox DEFAULT;
CREATE INDEX push_inbox_waiting ON push_inbox (received_at) WHERE state = 'received';
