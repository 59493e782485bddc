/** A hot row of the log, with its current update and the former one, which looked the row up only by its shard. */
export interface HotRow {
  readonly what: string;
  /** Creates the tables of the former statements. */
  readonly prepare: string;
  readonly now: string;
  readonly before: string;
}

const timeline = `CASE WHEN s.timeline IS NULL THEN true ELSE s.timeline = left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END`;
const newest = (table: string, columns: string, where: string) =>
  `(SELECT ${columns} FROM ${table} n WHERE ${where} AND (n.slot >= 0 OR log_by_index(n.shard)) ORDER BY n.slot DESC LIMIT 1)`;
const newestShard = (columns: string) => newest('log_shards', columns, 'n.shard = w.shard');
const positionKey = `consumer = 'bench' AND n.shard = w.shard`;

/** The part of an append that raises a shard's counter. */
const counter: HotRow = {
  what: 'counter of a shard',
  prepare: `
    CREATE TABLE old_shards (LIKE log_shards INCLUDING DEFAULTS, PRIMARY KEY (shard))
      WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
    INSERT INTO old_shards SELECT * FROM log_shards`,
  now: `
    UPDATE log_shards s SET next_offset = s.next_offset + w.n, slot = (s.next_offset + w.n) >> 6,
      day = greatest(s.day, least((clock_timestamp() AT TIME ZONE 'UTC')::date, (SELECT c.day + 3 FROM calendar c)))
    FROM unnest(shards, counts) AS w(shard, n)
    WHERE s.shard = w.shard AND s.slot >= ${newestShard('n.slot')} AND (s.slot >= 0 OR log_by_index(s.shard)) AND s.shard_count = 64 AND ${timeline}`,
  before: `
    WITH locked AS MATERIALIZED (SELECT shard FROM old_shards WHERE shard = ANY(shards))
    UPDATE old_shards s SET next_offset = s.next_offset + w.n, day = log_day(s.day)
    FROM unnest(shards, counts) AS w(shard, n) JOIN locked USING (shard)
    WHERE s.shard = w.shard AND s.shard_count = 64 AND ${timeline}`,
};

const mayMove = `p."offset" < s.next_offset AND w.epoch >> 32 = s.fence AND ${timeline}`;

/** How a consumer updates its position in a shard for each batch. */
const position: HotRow = {
  what: 'position of a consumer',
  prepare: `
    INSERT INTO log_positions (consumer, shard, "offset", day, owner) SELECT 'bench', shard, 0, day, 'one' FROM log_shards;
    CREATE TABLE old_positions (LIKE log_positions INCLUDING DEFAULTS, PRIMARY KEY (consumer, shard))
      WITH (fillfactor = 20, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
    INSERT INTO old_positions SELECT * FROM log_positions`,
  now: `
    UPDATE log_positions p SET "offset" = p."offset" + 1, slot = (p."offset" + 1) >> 6, day = p.day
    FROM unnest(shards, epochs) AS w(shard, epoch)
    WHERE p.consumer = 'bench' AND p.shard = w.shard AND p.slot >= ${newest('log_positions', 'n.slot', positionKey)} AND (p.slot >= 0 OR log_by_index(p.shard))
      AND p.owner = 'one' AND p.epoch = w.epoch AND EXISTS (SELECT FROM ${newestShard('*')} s WHERE ${mayMove})`,
  before: `
    UPDATE old_positions p SET "offset" = p."offset" + 1, day = p.day
    FROM unnest(shards, epochs) AS w(shard, epoch) JOIN old_shards s ON s.shard = w.shard
    WHERE p.consumer = 'bench' AND p.shard = w.shard AND p.owner = 'one' AND p.epoch = w.epoch AND ${mayMove}`,
};

/** A heartbeat: unchanged, because it runs only once a second. */
export const heartbeat = `
  INSERT INTO log_members (consumer, member, seen_at) VALUES ('bench', 'one', clock_timestamp())
  ON CONFLICT (consumer, member) DO UPDATE SET seen_at = clock_timestamp()`;

export const hotRows: readonly HotRow[] = [counter, position];
