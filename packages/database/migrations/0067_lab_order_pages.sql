-- Owner: packages/labs.

-- Whether the order's user is deleted, and not erased yet: such orders are not listed. Written by a trigger, in the transaction of the
-- deletion, so that a list needs no join with users.
ALTER TABLE lab_orders ADD COLUMN is_hidden boolean NOT NULL DEFAULT false;

CREATE FUNCTION lab_orders_user_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lab_orders SET is_hidden = NEW.deleted_at IS NOT NULL WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER lab_orders_user_changed AFTER UPDATE OF deleted_at ON users FOR EACH ROW
  WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION lab_orders_user_changed();

UPDATE lab_orders o SET is_hidden = true FROM users u WHERE u.user_id = o.user_id AND u.deleted_at IS NOT NULL;

-- A page and its total are found in an index alone, whichever filters are combined; only the orders of the page are read from the table.
DROP INDEX lab_orders_by_team;
CREATE INDEX lab_orders_by_team ON lab_orders (team_id, created_at DESC, order_id DESC)
  INCLUDE (method, status, interpretation, activate_by, updated_at) WHERE user_id IS NOT NULL AND NOT is_hidden;
-- The newest first, because that is nearly the order of a page: sorting them costs least.
DROP INDEX lab_orders_by_update;
CREATE INDEX lab_orders_by_update ON lab_orders (team_id, updated_at DESC)
  INCLUDE (created_at, order_id, method, status, interpretation, activate_by) WHERE user_id IS NOT NULL AND NOT is_hidden;
-- Backwards it also gives the newest orders of a status.
DROP INDEX lab_orders_by_status;
CREATE INDEX lab_orders_by_status ON lab_orders (team_id, status, created_at, order_id)
  INCLUDE (method, interpretation, activate_by, updated_at) WHERE user_id IS NOT NULL AND NOT is_hidden;
DROP INDEX lab_orders_by_interpretation;
CREATE INDEX lab_orders_by_interpretation ON lab_orders (team_id, interpretation, created_at DESC, order_id DESC)
  INCLUDE (method, status, activate_by, updated_at) WHERE user_id IS NOT NULL AND NOT is_hidden AND interpretation IS NOT NULL;
DROP INDEX lab_orders_by_activation;
CREATE INDEX lab_orders_by_activation ON lab_orders (team_id, activate_by)
  INCLUDE (created_at, order_id, method, status, interpretation, updated_at) WHERE user_id IS NOT NULL AND NOT is_hidden AND activate_by IS NOT NULL;

ALTER TABLE lab_orders SET (
  -- Starting workers takes longer than the longest of these scans.
  parallel_workers = 0,
  -- Pages that were changed since the last vacuum have to be read.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
