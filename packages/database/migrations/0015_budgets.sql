-- Owner: packages/ingest.

-- What all processes together have asked of a provider, by application, or by user where the provider counts users.
CREATE TABLE provider_budgets (
  provider text NOT NULL,
  -- 'platform' or a team's id; a connection's id for the limits of one user.
  owner text NOT NULL,
  connection_id uuid REFERENCES pull_plans ON DELETE CASCADE,
  state jsonb NOT NULL,
  PRIMARY KEY (provider, owner)
) WITH (fillfactor = 50);
CREATE INDEX provider_budgets_by_connection ON provider_budgets (connection_id) WHERE connection_id IS NOT NULL;
CREATE INDEX provider_budgets_of_applications ON provider_budgets (provider, owner) WHERE connection_id IS NULL;

-- A connection whose application has used its quota up waits for a turn: as a whole ('live'), or with its history alone ('backfill').
ALTER TABLE pull_plans
  ADD COLUMN waits_for text CHECK (waits_for IN ('live', 'backfill')),
  ADD COLUMN waits_owner text,
  -- Who is next: the least one. For live turns when it was served last, for backfills since when it waits.
  ADD COLUMN queue_at timestamptz,
  -- Live turns in a row for which the quota did not last.
  ADD COLUMN turns_cut smallint NOT NULL DEFAULT 0,
  ADD COLUMN turn_at timestamptz,
  ADD COLUMN turn_lane text,
  ADD COLUMN served_at timestamptz;
CREATE INDEX pull_plans_queue ON pull_plans (provider, waits_owner, waits_for, queue_at, connection_id) WHERE waits_for IS NOT NULL;
CREATE INDEX pull_plans_turns ON pull_plans (provider, waits_owner, turn_lane) WHERE turn_at IS NOT NULL;
