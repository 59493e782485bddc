-- Owner: packages/webhooks.

-- When due_at was set, by the same clock: one that lies in the future shows that the clock has gone back since. Null: set before this column.
ALTER TABLE webhook_pending ADD COLUMN due_from timestamptz;

-- A trigger, because due_at is set in many places, and each has to say when.
CREATE FUNCTION webhook_pending_due_from() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.due_from := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER webhook_pending_inserted BEFORE INSERT ON webhook_pending FOR EACH ROW EXECUTE FUNCTION webhook_pending_due_from();
CREATE TRIGGER webhook_pending_due_changed BEFORE UPDATE OF due_at ON webhook_pending
  FOR EACH ROW WHEN (OLD.due_at IS DISTINCT FROM NEW.due_at) EXECUTE FUNCTION webhook_pending_due_from();
