-- Owner: packages/connections.

-- Teams that were erased, by their ids alone: a restored backup brings back those that were erased after it was made, with their keys.
CREATE TABLE team_erasures (
  team_id uuid PRIMARY KEY,
  erased_at timestamptz NOT NULL
);
