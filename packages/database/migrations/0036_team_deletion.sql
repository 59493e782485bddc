-- Owner: packages/connections.

-- Set: scheduled for deletion. Keys end at once, users are deleted like by the API, and the rest goes when the grace period is over.
ALTER TABLE teams ADD COLUMN deleted_at timestamptz;
-- Set while a deletion is being taken back, so that it can go on where it was cut off.
ALTER TABLE teams ADD COLUMN undo_started_at timestamptz;
