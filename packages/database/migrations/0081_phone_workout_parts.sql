-- Owner: packages/intake.

-- Android phones send a workout with its duration only, and its power, speed, cadence, ascent and energy as records of their own, in any
-- order. There is no series for them, so they are kept here: one row for each record of the phone, with its points as [ms since start_at,
-- value]. A record without an id has its time as one.
CREATE TABLE phone_workout_parts (
  user_id uuid NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL,
  app_id text NOT NULL,
  record_id text NOT NULL,
  team_id uuid NOT NULL,
  start_at timestamptz NOT NULL,
  end_at timestamptz NOT NULL,
  points jsonb NOT NULL,
  PRIMARY KEY (user_id, provider, kind, app_id, record_id)
);
CREATE INDEX phone_workout_parts_time ON phone_workout_parts (user_id, provider, start_at);
CREATE INDEX phone_workout_parts_record ON phone_workout_parts (user_id, record_id);

-- The workouts that parts belong to, as the phone has sent them: when further parts arrive, their figures are computed again.
CREATE TABLE phone_workouts (
  workout_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  team_id uuid NOT NULL,
  app_id text NOT NULL,
  start_at timestamptz NOT NULL,
  end_at timestamptz NOT NULL,
  summary jsonb NOT NULL
);
CREATE INDEX phone_workouts_time ON phone_workouts (user_id, provider, start_at);
