-- Owner: packages/store.

-- The stream of a workout, whole. Apart from its summary: it is larger than all of them, and read alone.
CREATE TABLE workout_streams (
  workout_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider_id text NOT NULL,
  sport jsonb,
  source jsonb NOT NULL,
  data jsonb NOT NULL,
  version bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX workout_streams_by_user ON workout_streams (user_id);
