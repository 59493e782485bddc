import { plainArray, textArray, type Executor } from '@pulsewire/database';

/** Failures are counted together for this long after the first one. */
export const failedKeysWindowMs = 60_000;

/** How many unknown keys an address has sent. */
export interface FailedKeyCount {
  readonly address: string;
  readonly failures: number;
}

export interface FailedKeyTotal extends FailedKeyCount {
  /** Milliseconds until the count is reset. */
  readonly leftMs: number;
}

/** Adds failures to the counts that all processes share and returns the totals, by the database's clock. Each address at most once. */
export async function countFailedKeys({ sql }: Executor, counts: readonly FailedKeyCount[]): Promise<readonly FailedKeyTotal[]> {
  const isOver = sql`f.since <= excluded.since - make_interval(secs => ${failedKeysWindowMs / 1000})`;
  // Ordered, so that two processes cannot deadlock.
  return sql<FailedKeyTotal[]>`
    INSERT INTO failed_keys AS f (address, failures, since)
    SELECT c.address, c.failures, statement_timestamp()
    FROM unnest(${textArray(counts.map(({ address }) => address))}::text[], ${plainArray(counts.map(({ failures }) => failures))}::int[])
      AS c(address, failures)
    ORDER BY c.address
    ON CONFLICT (address) DO UPDATE SET
      failures = CASE WHEN ${isOver} THEN excluded.failures ELSE f.failures + excluded.failures END,
      since = CASE WHEN ${isOver} THEN excluded.since ELSE f.since END
    RETURNING address, failures,
      greatest(0, ${failedKeysWindowMs} - extract(epoch FROM statement_timestamp() - since) * 1000)::float8 AS "leftMs"`;
}

/** Deletes expired counts, at most `limit`, and returns how many. */
export async function deleteExpiredFailedKeys({ sql }: Executor, limit: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM failed_keys WHERE address IN (
      SELECT address FROM failed_keys WHERE since <= now() - make_interval(secs => ${failedKeysWindowMs / 1000})
      ORDER BY address LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  return count;
}
