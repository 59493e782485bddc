-- Owner: packages/intake.

-- The zone of a source on a local day, as phones name it with single readings: that of the last reading (`at`).
CREATE TABLE phone_day_zones (
  user_id uuid NOT NULL,
  provider text NOT NULL,
  source_type text NOT NULL,
  day date NOT NULL,
  team_id uuid NOT NULL,
  zone text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (user_id, provider, source_type, day)
);
