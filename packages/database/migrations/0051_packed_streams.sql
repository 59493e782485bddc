-- Owner: packages/store.

-- Streams as packed columns, a fifth of their jsonb. Rows written before keep `data` until they are written again or the scheduler packs them;
-- where both are set, a process of an earlier version wrote `data` last. Such a process reads a packed stream as absent.
ALTER TABLE workout_streams ADD COLUMN packed bytea, ALTER COLUMN data DROP NOT NULL;

-- Empty once every stream is packed.
CREATE INDEX workout_streams_unpacked ON workout_streams (workout_id) WHERE data IS NOT NULL;
