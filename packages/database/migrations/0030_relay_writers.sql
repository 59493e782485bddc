-- Owner: packages/eventlog.

-- Who may have records of a shard under way to Kafka: the relay's member, and the producer id under which it writes. Whoever takes the shard
-- over ends that producer in the shard's partition first. A member that gives a shard back with nothing under way deletes its row.
CREATE TABLE relay_writers (
  shard smallint PRIMARY KEY,
  member text NOT NULL,
  producer_id bigint NOT NULL
);
