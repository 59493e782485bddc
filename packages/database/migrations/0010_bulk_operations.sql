-- Owner: packages/connections.

-- Bulk import, export, pause and historical triggers are off until an operator switches them on for a team.
ALTER TABLE teams ADD COLUMN bulk_operations boolean NOT NULL DEFAULT false;

CREATE TABLE bulk_operations (
  operation_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('link_bulk_import', 'link_bulk_historical_trigger')),
  -- Null only while the body is still coming in: it may name its provider last.
  provider text,
  -- `receiving` is known to nobody outside: what is cut off there is as if it had never been sent.
  status text NOT NULL CHECK (status IN ('receiving', 'in_progress', 'success', 'failure', 'aborted')),
  total integer NOT NULL DEFAULT 0,
  processed integer NOT NULL DEFAULT 0,
  -- Jobs in a row that broke without getting anywhere.
  failures integer NOT NULL DEFAULT 0,
  error_code text,
  -- The address that events name for artwork, as the process that took the request knows it.
  logo_base_url text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- When the upload or the work moved last: what stands still is swept, or asked for again.
  moved_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX bulk_operations_by_team ON bulk_operations (team_id, started_at DESC, operation_id DESC);
CREATE INDEX bulk_operations_open ON bulk_operations (moved_at) WHERE status IN ('receiving', 'in_progress');
CREATE INDEX bulk_operations_ended ON bulk_operations (ended_at) WHERE ended_at IS NOT NULL;

-- One row per recipe or user, in the order of the request. Tokens and the provider's id go when it is worked on; the outcome stays.
CREATE TABLE bulk_items (
  operation_id uuid NOT NULL,
  item integer NOT NULL,
  user_id uuid NOT NULL,
  provider_user_id text,
  access_token bytea,
  refresh_token bytea,
  -- Null: the tokens do not expire.
  expires_at timestamptz,
  scopes text[],
  outcome text CHECK (outcome IN ('imported', 'replaced', 'triggered', 'failed')),
  reason text,
  PRIMARY KEY (operation_id, item)
) WITH (fillfactor = 80);
CREATE INDEX bulk_items_open ON bulk_items (operation_id, item) WHERE outcome IS NULL;
CREATE INDEX bulk_items_by_user ON bulk_items (user_id);

-- Historical pulls that wait for their turn: each provider takes so many at a time of one team's application.
CREATE TABLE bulk_turns (
  turn_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id uuid NOT NULL,
  provider text NOT NULL,
  connection_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  -- The item that ends with this turn; null when the turn only follows from it, as after an import.
  item integer,
  queued_at timestamptz NOT NULL,
  started_at timestamptz,
  -- The history is complete, or was never planned: the place is free for the next one.
  finished_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX bulk_turns_waiting ON bulk_turns (team_id, provider, turn_id) WHERE started_at IS NULL;
CREATE INDEX bulk_turns_started ON bulk_turns (team_id, provider, started_at) WHERE started_at IS NOT NULL;
CREATE INDEX bulk_turns_by_operation ON bulk_turns (operation_id) WHERE started_at IS NULL;

-- Exports page through a provider's connections by user.
CREATE INDEX connections_by_provider ON connections (team_id, provider, user_id);
