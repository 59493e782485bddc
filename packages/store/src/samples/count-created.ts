import { plainArray, type Tx } from '@pulsewire/database';
import type { SeriesNumbers } from './identify.ts';

/** Adds the created samples to the counts of their series. The caller holds the user's lock, so there are no concurrent writers. */
export async function countCreated({ sql }: Tx, counts: ReadonlyMap<SeriesNumbers, number>): Promise<void> {
  if (counts.size === 0) return;
  const keys = [...counts.keys()];
  await sql`
    INSERT INTO sample_counts AS c (user_source_id, series, created)
    SELECT n.user_source_id, n.series, sum(n.created) FROM unnest(${plainArray(keys.map(({ userSourceId }) => userSourceId))}::int[],
      ${plainArray(keys.map(({ series }) => series))}::smallint[], ${plainArray([...counts.values()])}::bigint[]) AS n(user_source_id, series, created)
    GROUP BY n.user_source_id, n.series
    ON CONFLICT (user_source_id, series) DO UPDATE SET created = c.created + excluded.created`;
}
