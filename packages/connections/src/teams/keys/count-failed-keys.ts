import { plainArray, textArray, type Executor } from '@pulsewire/database';

/** Failures count together for so long from the first one on. */
export const failedKeysWindowMs = 60_000;

/** Unknown keys of one address. */
export interface FailedKeyCount {
  readonly address: string;
  readonly failures: number;
}

export interface FailedKeyTotal extends FailedKeyCount {
  /** ms until they count no more. */
  readonly leftMs: number;
}

/** Adds failures to what all processes have counted, and gives the totals; by the clock of the database. Each address at most once. */
export async function countFailedKeys({ sql }: Executor, counts: readonly FailedKeyCount[]): Promise<readonly FailedKeyTotal[]> {
  const isOver = sql`f.since <= excluded.since - make_interval(secs => ${failedKeysWindowMs / 1000})`;
  // In one order everywhere: two processes never wait for each other in a circle.
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

/** Removes counts that count no more; `limit` at most. Gives how many. */
export async function forgetFailedKeys({ sql }: Executor, limit: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM failed_keys WHERE address IN (
      SELECT address FROM failed_keys WHERE since <= now() - make_interval(secs => ${failedKeysWindowMs / 1000})
      ORDER BY address LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  return count;
}
