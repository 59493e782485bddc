-- Owner: packages/eventlog.

-- Identity of the counter table: a dump that is loaded makes another table, also in the same cluster.
ALTER TABLE log_installation ADD COLUMN shards_oid oid;
UPDATE log_installation SET shards_oid = 'log_shards'::regclass::oid;
