-- Owner: packages/intake.

-- Blood pressures of which only the systolic or the diastolic value has arrived: iPhones send the two in separate batches.
CREATE TABLE phone_pressures (
  user_id uuid NOT NULL,
  provider text NOT NULL,
  source_type text NOT NULL,
  app_id text NOT NULL,
  at timestamptz NOT NULL,
  team_id uuid NOT NULL,
  systolic double precision,
  diastolic double precision,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, provider, source_type, app_id, at)
);

-- Of packages/connections: the sources that a team prefers in merged reads, by resource, the best first; `default` is the order of all others.
ALTER TABLE teams ADD COLUMN source_order jsonb NOT NULL DEFAULT '{}';
