-- Owner: packages/intake.

-- The ids of items that became frequent samples, so that one can be deleted by its id: for each batch and series one packed list
-- (packages/intake/src/items/sample-ids.ts).
CREATE TABLE phone_sample_ids (
  block bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  team_id uuid NOT NULL,
  version bigint NOT NULL,
  resource text NOT NULL,
  source_type text NOT NULL,
  has_parents boolean NOT NULL,
  ids bytea NOT NULL
);
CREATE INDEX phone_sample_ids_user ON phone_sample_ids (user_id, provider, version);
