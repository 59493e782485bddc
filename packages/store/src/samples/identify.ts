import { AppError } from '@pulsewire/kernel';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { RecordOwner } from '../model/types.ts';
import type { SeriesBatch, SeriesKey } from '../model/series-batch.ts';

/** The small numbers under which the rows of a series are stored. */
export interface SeriesNumbers {
  readonly userSourceId: number;
  readonly series: number;
}

export type IdentifiedBatch = SeriesBatch & SeriesNumbers;

/** Looks up the numbers of sources and series and creates missing ones; returns the batches in key order. */
export async function identify<Key extends SeriesKey>(
  tx: Tx,
  owner: RecordOwner,
  batches: readonly Key[],
): Promise<readonly (Key & SeriesNumbers)[]> {
  const [sources, series] = await Promise.all([sourceNumbers(tx, owner, batches), seriesNumbers(tx, batches)]);
  const identified = batches.map((batch) => {
    const userSourceId = sources.get(`${batch.provider}\n${batch.sourceType}`);
    const number = series.get(`${batch.resource}\n${batch.subKind}`);
    if (userSourceId === undefined || number === undefined) {
      throw new AppError({ code: 'source_of_other_team', kind: 'bug', message: 'The source of these samples belongs to another team' });
    }
    return { ...batch, userSourceId, series: number };
  });
  return identified.sort((a, b) => a.userSourceId - b.userSourceId || a.series - b.series);
}

async function sourceNumbers({ sql }: Tx, owner: RecordOwner, batches: readonly SeriesKey[]): Promise<Map<string, number>> {
  const find = async () => {
    const rows = await sql<{ id: number; provider: string; source_type: string }[]>`
      SELECT user_source_id AS id, provider, source_type FROM sources WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId}`;
    return new Map(rows.map((row) => [`${row.provider}\n${row.source_type}`, row.id]));
  };
  const found = await find();
  const missing = batches.filter((batch) => !found.has(`${batch.provider}\n${batch.sourceType}`));
  if (missing.length === 0) return found;
  await sql`
    INSERT INTO sources (team_id, user_id, provider, source_type)
    SELECT DISTINCT ${owner.teamId}::uuid, ${owner.userId}::uuid, m.provider, m.source_type
    FROM unnest(${textArray(missing.map((batch) => batch.provider))}::text[], ${textArray(missing.map((batch) => batch.sourceType))}::text[]) AS m(provider, source_type)
    ORDER BY m.provider, m.source_type
    ON CONFLICT DO NOTHING`;
  return find();
}

async function seriesNumbers({ sql }: Tx, batches: readonly SeriesKey[]): Promise<Map<string, number>> {
  const resources = textArray(batches.map((batch) => batch.resource));
  const subKinds = textArray(batches.map((batch) => batch.subKind));
  const find = async () => {
    const rows = await sql<{ series: number; resource: string; sub_kind: string }[]>`
      SELECT s.series, s.resource, s.sub_kind FROM unnest(${resources}::text[], ${subKinds}::text[]) AS w(resource, sub_kind)
      JOIN series s USING (resource, sub_kind)`;
    return new Map(rows.map((row) => [`${row.resource}\n${row.sub_kind}`, row.series]));
  };
  const found = await find();
  if (batches.every((batch) => found.has(`${batch.resource}\n${batch.subKind}`))) return found;
  await sql`
    INSERT INTO series (resource, sub_kind)
    SELECT DISTINCT w.resource, w.sub_kind FROM unnest(${resources}::text[], ${subKinds}::text[]) AS w(resource, sub_kind)
    WHERE NOT EXISTS (SELECT 1 FROM series s WHERE s.resource = w.resource AND s.sub_kind = w.sub_kind)
    ORDER BY 1, 2 ON CONFLICT DO NOTHING`;
  return find();
}

/** Key of a sample's context: app, device, sport, workout; empty when it has none. */
export function contextKey(source: SeriesBatch['entries'][number]['source']): string {
  const { appId, deviceId, sport, workoutId } = source;
  return appId || deviceId || sport || workoutId ? JSON.stringify([appId ?? null, deviceId ?? null, sport ?? null, workoutId ?? null]) : '';
}

/** Numbers of the contexts of these batches, by source and context key. */
export async function contextNumbers({ sql }: Tx, batches: readonly IdentifiedBatch[]): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map<string, readonly [number, (string | null)[]]>();
  for (const batch of batches) {
    for (const { source } of batch.entries) {
      const key = contextKey(source);
      if (key !== '') wanted.set(`${batch.userSourceId}\n${key}`, [batch.userSourceId, JSON.parse(key) as (string | null)[]]);
    }
  }
  if (wanted.size === 0) return new Map();
  const rows = [...wanted.values()];
  const column = (index: number) => textArray(rows.map(([, fields]) => fields[index] ?? null));
  const ids = plainArray(rows.map(([id]) => id));
  await sql`
    INSERT INTO source_contexts (user_source_id, app_id, device_id, sport, workout_id)
    SELECT * FROM (SELECT DISTINCT * FROM unnest(${ids}::int[], ${column(0)}::text[], ${column(1)}::uuid[], ${column(2)}::text[], ${column(3)}::uuid[])
      AS w(user_source_id, app_id, device_id, sport, workout_id)) w
    WHERE NOT EXISTS (SELECT 1 FROM source_contexts c WHERE c.user_source_id = w.user_source_id
      AND (c.app_id, c.device_id, c.sport, c.workout_id) IS NOT DISTINCT FROM (w.app_id, w.device_id, w.sport, w.workout_id))
    ORDER BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING`;
  const found = await sql<
    {
      context_id: number;
      user_source_id: number;
      app_id: string | null;
      device_id: string | null;
      sport: string | null;
      workout_id: string | null;
    }[]
  >`
    SELECT * FROM source_contexts WHERE user_source_id = ANY(${ids}::int[])`;
  return new Map(
    found.map((row) => [
      `${row.user_source_id}\n${JSON.stringify([row.app_id, row.device_id, row.sport, row.workout_id])}`,
      row.context_id,
    ]),
  );
}
