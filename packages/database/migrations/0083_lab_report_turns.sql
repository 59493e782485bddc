-- Owner: packages/labs.

-- When a report of a team was last claimed: the next turn is of the team that has waited longest.
CREATE TABLE lab_report_turns (
  team_id uuid PRIMARY KEY,
  claimed_at timestamptz NOT NULL
);
