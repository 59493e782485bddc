-- Owner: packages/labs.

-- Results that match no order with certainty, until someone decides. What the lab sent is sealed.
CREATE TABLE lab_unmatched_results (
  result_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  lab_id integer NOT NULL,
  status text NOT NULL,
  decision_code text NOT NULL,
  sub_reason_codes text[] NOT NULL DEFAULT '{}',
  -- The same report is stored once.
  report_digest text NOT NULL,
  -- Users whose orders it may belong to; it is erased with any of them.
  candidate_user_ids uuid[] NOT NULL DEFAULT '{}',
  resolution_action text,
  resolved_user_id uuid,
  resolved_order_id uuid,
  -- Keyed hashes of the beginnings of the patient's names.
  name_hashes bigint[] NOT NULL DEFAULT '{}',
  details bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  reviewed_at timestamptz
);

CREATE UNIQUE INDEX lab_unmatched_results_once ON lab_unmatched_results (team_id, lab_id, report_digest);
CREATE INDEX lab_unmatched_results_by_team ON lab_unmatched_results (team_id, created_at, result_id);
CREATE INDEX lab_unmatched_results_by_user ON lab_unmatched_results USING gin (candidate_user_ids);
