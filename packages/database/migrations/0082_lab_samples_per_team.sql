-- Owner: packages/labs.

-- Sample numbers run in sequence and teams enter them, so several teams may have entered the same one: they are unique per team and account
-- at the lab. Notices of labs are looked up by the first two columns.
DROP INDEX lab_orders_by_sample;
CREATE UNIQUE INDEX lab_orders_by_sample ON lab_orders (lab_id, sample_id, team_id, lab_account_id) NULLS NOT DISTINCT
  WHERE sample_id IS NOT NULL;

-- Notices of labs that belong to no order with certainty, or cannot be applied, until the operator decides. What the lab sent is sealed.
CREATE TABLE lab_held_notices (
  notice_id uuid PRIMARY KEY,
  lab_id integer NOT NULL,
  reason text NOT NULL,
  -- The same notice is held once.
  digest text NOT NULL,
  -- Users whose orders it may belong to; it is erased with any of them.
  candidate_user_ids uuid[] NOT NULL DEFAULT '{}',
  details bytea NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX lab_held_notices_once ON lab_held_notices (lab_id, digest);
CREATE INDEX lab_held_notices_by_user ON lab_held_notices USING gin (candidate_user_ids);
