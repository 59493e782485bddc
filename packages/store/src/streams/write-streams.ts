import { uuidv7 } from '@pulsewire/kernel';
import { dailyEventType, packStream, renderSource, type WorkoutStream, type WorkoutStreamStored } from '@pulsewire/contract';
import { byteaArray, plainArray, textArray, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import type { RecordBatch } from '../model/types.ts';
import { packStored } from './pack-stored.ts';

/** The event's data: where the stream can be read, never the stream. */
function storedEvent(userId: string, { workoutId, providerId, sport, source }: WorkoutStream): WorkoutStreamStored {
  return {
    user_id: userId,
    workout_id: workoutId,
    provider_id: providerId,
    message: `Stream stored. Read it at /v2/timeseries/workouts/${workoutId}/stream`,
    ...(sport && { sport }),
    source: renderSource(source),
  };
}

interface PackedStream extends WorkoutStream {
  readonly packed: Buffer;
}

function asTable({ sql }: Tx, streams: readonly PackedStream[]) {
  return sql`(
    SELECT u.id, u.provider_id, u.sport::jsonb AS sport, u.source::jsonb AS source, u.packed, u.ord
    FROM unnest(
      ${plainArray(streams.map(({ workoutId }) => workoutId))}::uuid[], ${textArray(streams.map(({ providerId }) => providerId))}::text[],
      ${textArray(streams.map(({ sport }) => sport && JSON.stringify(sport)))}::text[], ${textArray(streams.map(({ source }) => JSON.stringify(source)))}::text[],
      ${byteaArray(streams.map(({ packed }) => packed))}::bytea[]
    ) WITH ORDINALITY AS u(id, provider_id, sport, source, packed, ord)
  ) AS i`;
}

/** The workouts among these that were deleted, with their streams, after this version. */
async function removedSince({ sql }: Tx, { owner, version }: RecordBatch, ids: string): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    SELECT DISTINCT r.id FROM (
      SELECT unnest(ids) AS id FROM summary_receipts
      WHERE user_id = ${owner.userId} AND version > ${version.toString()}::bigint AND is_removal AND ids && ${ids}::uuid[]
    ) r`;
  return new Set(rows.map(({ id }) => id));
}

interface StreamsWritten {
  /** New or different; each of these emits an event. */
  readonly written: number;
  /** Different, and received before what is stored or before its workout was removed. */
  readonly older: number;
}

/** Writes streams by workout; the latest received wins. */
export async function writeStreams(tx: Tx, emit: Emit, batch: RecordBatch, received: readonly WorkoutStream[]): Promise<StreamsWritten> {
  const { sql } = tx;
  const { owner } = batch;
  const version = batch.version.toString();
  const streams = [...new Map(received.map((stream) => [stream.workoutId, stream])).values()].map((stream): PackedStream => ({
    ...stream,
    packed: packStream(stream.data),
  }));
  const ids = plainArray(streams.map(({ workoutId }) => workoutId));
  await packStored(tx, ids);
  const differing = await sql<{ ord: string; is_new: boolean; is_older: boolean | null }[]>`
    SELECT i.ord, s.workout_id IS NULL AS is_new, s.version > ${version}::bigint AS is_older FROM ${asTable(tx, streams)} LEFT JOIN workout_streams s ON s.workout_id = i.id
    WHERE s.workout_id IS NULL OR (s.user_id = ${owner.userId}
      AND (s.packed, s.sport, s.source, s.provider_id) IS DISTINCT FROM (i.packed, i.sport, i.source, i.provider_id))`;
  // An equal stream was received again: a response received in between must not overwrite it.
  await sql`UPDATE workout_streams SET version = ${version}::bigint WHERE workout_id = ANY(${ids}::uuid[]) AND user_id = ${owner.userId} AND version < ${version}::bigint`;
  const changes = differing.filter(({ is_older: isOlder }) => isOlder !== true);
  const gone = changes.some(({ is_new }) => is_new) ? await removedSince(tx, batch, ids) : new Set<string>();
  const wanted = changes.filter(({ ord }) => !gone.has(streams[Number(ord) - 1]?.workoutId ?? ''));
  const older = differing.length - wanted.length;
  if (wanted.length === 0) return { written: 0, older };
  const changed = wanted.map(({ ord }) => streams[Number(ord) - 1] as PackedStream);
  await sql`
    INSERT INTO workout_streams (workout_id, team_id, user_id, provider_id, sport, source, packed, version, created_at, updated_at)
    SELECT i.id, ${owner.teamId}::uuid, ${owner.userId}::uuid, i.provider_id, i.sport, i.source, i.packed, ${version}::bigint, clock_timestamp(), clock_timestamp()
    FROM ${asTable(tx, changed)}
    ON CONFLICT (workout_id) DO UPDATE SET provider_id = excluded.provider_id, sport = excluded.sport, source = excluded.source,
      packed = excluded.packed, data = NULL, version = excluded.version, updated_at = excluded.updated_at`;
  for (const [index, stream] of changed.entries()) {
    emit({
      eventId: uuidv7(),
      eventType: dailyEventType('workout_stream', wanted[index]?.is_new === true ? 'created' : 'updated'),
      ...owner,
      origin: batch.origin,
      traceId: batch.traceId,
      body: { kind: 'json', json: JSON.stringify(storedEvent(owner.userId, stream)) },
    });
  }
  return { written: changed.length, older };
}
