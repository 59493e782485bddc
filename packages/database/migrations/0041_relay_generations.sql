-- Owner: packages/eventlog.

-- The newest generation of a shard whose beginning the relay has published on a topic of a Kafka cluster, so that readers of a quiet shard
-- learn too which records of earlier generations were lost.
CREATE TABLE relay_generations (
  cluster_id text NOT NULL,
  topic text NOT NULL,
  shard smallint NOT NULL,
  generation integer NOT NULL,
  PRIMARY KEY (cluster_id, topic, shard)
);
