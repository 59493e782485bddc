-- Owner: packages/connections.

-- Users that were erased, by their ids alone: a restored backup brings back those that were erased after it was made.
CREATE TABLE erasures (
  user_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  erased_at timestamptz NOT NULL
);
