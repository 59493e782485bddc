import type { Sql } from '@pulsewire/database';

// The rows of `log_shards` and `log_positions` change with every append and every recorded batch. While any session holds an old snapshot,
// Postgres keeps all their versions, and a lookup by shard alone visits each of them. These lookups start at the newest slot, which has a
// few dozen versions. A scan of so small a table looks cheaper to the planner, and would visit all of them as well: `log_by_index` makes it
// look expensive, and is never called, because no slot is below 0. `shard` is the name of a column of another table, or a constant.

/** Offsets that share a slot, as a number of bits. A longer slot means more versions to visit, a shorter one more entries in the index. */
const slotBits = 6;

/** The slot of an offset. */
export const slotOf = (sql: Sql, offset: string) => sql.unsafe(`((${offset}) >> ${slotBits})`);

const byIndex = (row: string) => `(${row}.slot >= 0 OR log_by_index(${row}.shard))`;

/** The row of a shard, as a subquery. */
export const newestShard = (sql: Sql, shard: string, columns = '*') =>
  sql.unsafe(`(SELECT ${columns} FROM log_shards n WHERE n.shard = ${shard} AND ${byIndex('n')} ORDER BY n.slot DESC LIMIT 1)`);

/**
 * The condition that `s` is the row of a shard, for statements that change it. It also matches a row that another transaction moved to a
 * later slot while this one waited for the lock, because slots only rise. A row comparison allows only a nested loop over the shards as
 * join, so the locks are taken in shard order.
 */
export const isShard = (sql: Sql, shard: string) => sql`
  (s.shard, s.slot) >= (${sql.unsafe(shard)}, ${newestShard(sql, shard, 'n.slot')}) AND s.shard <= ${sql.unsafe(shard)} AND ${sql.unsafe(byIndex('s'))}`;

/** The row of a group in a shard, as a subquery. `forUpdate` locks it, in the order of the shards that it is joined to. */
export const newestPosition = (sql: Sql, group: string, shard: string, columns = '*', forUpdate = '') => sql`(
  SELECT ${sql.unsafe(columns)} FROM log_positions n
  WHERE n.consumer = ${group} AND n.shard = ${sql.unsafe(shard)} AND ${sql.unsafe(byIndex('n'))} ORDER BY n.slot DESC LIMIT 1 ${sql.unsafe(forUpdate)})`;

/** As `isShard`: the condition that `p` is the row of a group in a shard. */
export const isPosition = (sql: Sql, group: string, shard: string) => sql`
  p.consumer = ${group} AND (p.shard, p.slot) >= (${sql.unsafe(shard)}, ${newestPosition(sql, group, shard, 'n.slot')})
  AND p.shard <= ${sql.unsafe(shard)} AND ${sql.unsafe(byIndex('p'))}`;

/** The shards of the log, each once, as a subquery: from a table whose rows change only with generations. */
export const everyShard = (sql: Sql) => sql`(SELECT o.shard FROM log_generations o WHERE o.ends_at IS NULL)`;
