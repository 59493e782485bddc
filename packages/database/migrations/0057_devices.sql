-- Owner: packages/store.

-- Devices that recorded a user's data, as far as providers name them. The id is derived from user, provider and the provider's own id.
CREATE TABLE devices (
  device_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  source_type text NOT NULL,
  app_id text,
  manufacturer text,
  model text,
  version text,
  -- The provider's id of the device.
  external_id text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX devices_by_user ON devices (user_id);
