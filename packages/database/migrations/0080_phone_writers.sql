-- Owner: packages/intake.

-- The writers of a user's HealthKit data, as the phone names them: by bundle id, display name and kind of device. An export states the name
-- only, so what it holds of a writer is stored under the identity that the phone gave it.
CREATE TABLE phone_writers (
  user_id uuid NOT NULL,
  provider text NOT NULL,
  name text NOT NULL,
  app_id text NOT NULL,
  source_type text NOT NULL,
  team_id uuid NOT NULL,
  PRIMARY KEY (user_id, provider, name, app_id, source_type)
);
