import type { Database } from '@pulsewire/database';

/** The role of the product's processes; observers use another one, which is not counted. */
export const workingRole = 'pulsewire_bench';

/** What Postgres has done for the working role so far. */
export interface Counters {
  /** Statements executed, BEGIN and COMMIT among them. */
  readonly statements: number;
  /** Bytes of WAL of the whole server. */
  readonly walBytes: number;
  readonly byStatement: ReadonlyMap<string, number>;
}

export async function readCounters({ sql }: Database): Promise<Counters> {
  const rows = await sql<{ query: string; calls: string }[]>`
    SELECT regexp_replace(left(query, 160), '\\s+', ' ', 'g') AS query, sum(calls)::text AS calls
    FROM pg_stat_statements WHERE userid = ${workingRole}::regrole AND toplevel GROUP BY 1`;
  const [wal] = await sql<{ bytes: string }[]>`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`;
  const byStatement = new Map(rows.map(({ query, calls }) => [query.toLowerCase() === 'begin' ? 'begin … commit' : query, Number(calls)]));
  // The extension sees only the first execution of a prepared COMMIT on a connection, so every BEGIN counts twice instead.
  byStatement.delete('commit');
  byStatement.delete('rollback');
  byStatement.set('begin … commit', 2 * (byStatement.get('begin … commit') ?? 0));
  return { statements: [...byStatement.values()].reduce((sum, calls) => sum + calls, 0), walBytes: Number(wal?.bytes ?? 0), byStatement };
}

/** The statements that were executed most between two readings, per event. */
export function topStatements(before: Counters, after: Counters, events: number, count: number): readonly string[] {
  return [...after.byStatement]
    .map(([query, calls]) => ({ query, perEvent: (calls - (before.byStatement.get(query) ?? 0)) / events }))
    .toSorted((a, b) => b.perEvent - a.perEvent)
    .slice(0, count)
    .map(({ query, perEvent }) => `${perEvent.toFixed(3)} ${query.trim().slice(0, 72)}`);
}
