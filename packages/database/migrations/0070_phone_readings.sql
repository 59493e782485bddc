-- Owner: packages/intake.

-- Readings of phones for which there is no series: resting heart rates and nutrients, from which days and meals are built. Several foods
-- of one time are told apart by their amount (`slot`); of a heart rate there is one (0).
CREATE TABLE phone_readings (
  user_id uuid NOT NULL,
  provider text NOT NULL,
  source_type text NOT NULL,
  kind text NOT NULL,
  at timestamptz NOT NULL,
  slot double precision NOT NULL,
  team_id uuid NOT NULL,
  value double precision NOT NULL,
  tz_offset integer,
  app_id text NOT NULL,
  item_id text NOT NULL,
  PRIMARY KEY (user_id, provider, source_type, at, kind, slot)
);
CREATE INDEX phone_readings_item ON phone_readings (user_id, item_id) WHERE item_id <> '';
