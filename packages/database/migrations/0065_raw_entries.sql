-- Owner: packages/store.

-- The part of a provider's response that a summary was mapped from, compressed and sealed; only for teams with `provider_raw_data`. An entry
-- ends with its summary, however that is removed.
CREATE TABLE raw_entries (
  summary_id uuid PRIMARY KEY REFERENCES summaries (id) ON DELETE CASCADE,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- What the provider's JSON says about the device, sealed; only for teams with `provider_raw_data`.
ALTER TABLE devices ADD COLUMN raw bytea;
