-- Owner: packages/webhooks.

-- Users whose deletion was requested: until it is undone or they are erased, nothing about them is delivered or listed. Written by
-- triggers, in the transaction of the deletion.
CREATE TABLE webhook_hidden_users (
  user_id uuid PRIMARY KEY,
  -- false: the deletion was undone.
  is_hidden boolean NOT NULL,
  -- The version of webhook_config that this change made: a dispatcher reads only newer rows than it has read.
  config_version bigint NOT NULL
);
CREATE INDEX webhook_hidden_users_by_config_version ON webhook_hidden_users (config_version);

ALTER TABLE webhook_config
  -- The version at which a user was hidden or shown last.
  ADD COLUMN users_at_version bigint NOT NULL DEFAULT 0;

CREATE FUNCTION webhook_user_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Rows of webhook_pending before webhook_config, the global lock order. Deliveries that wait for the undo are due now; a row that is
  -- locked is being written, and is picked up later.
  IF NEW.deleted_at IS NULL THEN
    UPDATE webhook_pending SET due_at = clock_timestamp() WHERE (endpoint_id, event_id) IN (
      SELECT p.endpoint_id, p.event_id FROM webhook_pending p
      WHERE p.endpoint_id IN (SELECT e.endpoint_id FROM webhook_endpoints e WHERE e.team_id = NEW.team_id)
        AND p.user_id = NEW.user_id AND p.lease_owner IS NULL AND p.due_at < 'infinity'
      FOR UPDATE OF p SKIP LOCKED);
  END IF;
  UPDATE webhook_config SET version = version + 1, users_at_version = version + 1;
  INSERT INTO webhook_hidden_users (user_id, is_hidden, config_version)
  SELECT NEW.user_id, NEW.deleted_at IS NOT NULL, version FROM webhook_config
  ON CONFLICT (user_id) DO UPDATE SET is_hidden = EXCLUDED.is_hidden, config_version = EXCLUDED.config_version;
  PERFORM pg_notify('pulsewire_webhooks', 'users');
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_user_changed AFTER UPDATE OF deleted_at ON users FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION webhook_user_changed();

CREATE FUNCTION webhook_user_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_hidden_users WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_user_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION webhook_user_removed();

-- Those whose grace period is running.
UPDATE webhook_config SET version = version + 1, users_at_version = version + 1;
INSERT INTO webhook_hidden_users (user_id, is_hidden, config_version)
SELECT u.user_id, true, c.version FROM users u CROSS JOIN webhook_config c WHERE u.deleted_at IS NOT NULL;
