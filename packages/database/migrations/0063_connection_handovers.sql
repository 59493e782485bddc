-- Owner: packages/connections.

-- A user's account at a provider that is ending, and the account at its successor that belongs to the same person: days before `on_day`
-- are read from the former, the others from the latter. Kept after both connections have ended, so that linking again reads no day twice.
CREATE TABLE connection_handovers (
  team_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  from_provider text NOT NULL,
  from_account text NOT NULL,
  to_provider text NOT NULL,
  to_account text NOT NULL,
  -- First local day of the successor, and the instant at which it began.
  on_day date NOT NULL,
  at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, from_provider, from_account),
  UNIQUE (user_id, to_provider, to_account)
);
CREATE INDEX connection_handovers_by_at ON connection_handovers (at);
