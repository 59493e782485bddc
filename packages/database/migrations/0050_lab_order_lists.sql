-- Owner: packages/labs.
-- Filters of order lists that few orders pass: without these a page reads all orders of a team.
CREATE INDEX lab_orders_by_interpretation ON lab_orders (team_id, interpretation, created_at DESC) WHERE user_id IS NOT NULL AND interpretation IS NOT NULL;
CREATE INDEX lab_orders_by_activation ON lab_orders (team_id, activate_by) WHERE user_id IS NOT NULL AND activate_by IS NOT NULL;
-- With the id, so that a page needs no sorting.
DROP INDEX lab_orders_by_status;
CREATE INDEX lab_orders_by_status ON lab_orders (team_id, status, created_at DESC, order_id DESC) WHERE user_id IS NOT NULL;
