-- Owner: packages/connections.

-- A user's account at a provider that is ending, and the account at its successor that belongs to the same person, where the successor has
-- only a part of the data: both stay connected, and each resource that both have is divided by days. Outlives both connections.
CREATE TABLE resource_handovers (
  team_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  from_provider text NOT NULL,
  from_account text NOT NULL,
  to_provider text NOT NULL,
  to_account text NOT NULL,
  -- By resource: the days that are read from the successor, all others are read from the ending provider. A list of
  -- {"from": {"day", "ms"}, "to": {"day", "ms"} or null}; null: it was not yet compared what both have stored.
  days jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, from_provider, from_account)
);
