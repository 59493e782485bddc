-- Owner: packages/eventlog.

-- Kafka cluster that gave out the producer id: in another one the same id may be that of an innocent producer. Null in rows from before this
-- column: of the cluster that the relay writes to.
ALTER TABLE relay_writers ADD COLUMN cluster_id text;
