import type { CanonicalRecord, WorkoutStream } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { bindParts, workoutSeries, type PhoneUser, type PhoneWorkoutPart, type WorkoutReading } from '@pulsewire/providers';
import { readSamplesWithin, readStreams } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { isWorkout, keepWorkouts, readKept, toKept, type KeptWorkout } from './kept-workouts.ts';
import { deleteParts, readParts, saveParts, type PartRecord } from './workout-parts.ts';

/** What may belong to workouts, of a batch whose samples are stored. */
export interface PartsOfBatch {
  /** Workouts, streams and removals of a batch. */
  readonly records: readonly CanonicalRecord[];
  readonly parts: readonly PhoneWorkoutPart[];
  /** Ids of items that were deleted on the phone. */
  readonly deleted: readonly string[];
}

export interface BoundWorkouts {
  /** Workouts with their figures and streams, to be stored. */
  readonly records: readonly CanonicalRecord[];
  /** How many parts wait for their workout, by reason and type. */
  readonly waiting: Readonly<Record<string, number>>;
}

/** Workouts whose readings are held at once. */
const togetherMax = 20;
const series: readonly string[] = workoutSeries;

interface Range {
  fromMs: number;
  toMs: number;
}

/** The time of all that has changed; null when nothing has. */
function touchedRange({ records, parts }: Pick<PartsOfBatch, 'records' | 'parts'>, changed: readonly PartRecord[]): Range | null {
  const range: Range = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
  const add = (fromMs: number, toMs = fromMs) => {
    range.fromMs = Math.min(range.fromMs, fromMs);
    range.toMs = Math.max(range.toMs, toMs);
  };
  for (const record of records)
    if (record.kind === 'samples' && series.includes(record.resource)) for (const { ts, end = ts } of record.samples) add(ts, end);
    else if (record.kind === 'sample_removal' && series.includes(record.resource)) for (const ts of record.ts) add(ts);
    else if (isWorkout(record)) add(record.at, toKept(record).endMs);
  for (const { startMs, endMs } of [...parts, ...changed]) add(startMs, endMs);
  return range.fromMs <= range.toMs ? range : null;
}

/** Whether something of a batch, or a part that has changed, lies in a workout of the same app. */
function touchedFilter({ records }: Pick<PartsOfBatch, 'records'>, changed: readonly PartRecord[]): (kept: KeptWorkout) => boolean {
  const sent = new Set(records.filter(isWorkout).map(({ id }) => id));
  const times = records.flatMap((record) => {
    if (record.kind === 'samples' && series.includes(record.resource)) return record.samples.map(({ ts, end = ts }) => [ts, end] as const);
    return record.kind === 'sample_removal' && series.includes(record.resource) ? record.ts.map((ts) => [ts, ts] as const) : [];
  });
  const spans = [...times, ...changed.map(({ startMs, endMs }) => [startMs, endMs] as const)].toSorted(([a], [b]) => a - b);
  // The latest end up to each place tells whether any span that began before a time reaches it.
  const ends: number[] = [];
  for (const [index, [, end]] of spans.entries()) ends.push(Math.max(end, ends[index - 1] ?? end));
  return ({ workout, startMs, endMs }) => {
    if (sent.has(workout.id)) return true;
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.[0] ?? 0) <= endMs) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (ends[low - 1] ?? 0) >= startMs;
  };
}

function readingsOf({ workout, startMs, endMs }: KeptWorkout, parts: readonly PartRecord[]): WorkoutReading[] {
  const own = parts.filter(
    ({ appId, ...part }) => appId === (workout.source.appId ?? '') && part.startMs <= endMs && part.endMs >= startMs,
  );
  return own.flatMap(({ kind, startMs: fromMs, endMs: toMs, points }) => {
    const isSpan = points.length === 1 && toMs > fromMs;
    return points.map(([at, value]) => ({ kind, value, startMs: fromMs + at, endMs: isSpan ? toMs : fromMs + at }));
  });
}

async function bindSome(
  tx: Tx,
  owner: PhoneOwner,
  user: Pick<PhoneUser, 'birthDate'>,
  some: readonly KeptWorkout[],
  streams: ReadonlyMap<string, WorkoutStream>,
): Promise<CanonicalRecord[]> {
  const windows = some.map(({ workout, startMs, endMs }) => ({ appId: workout.source.appId ?? null, fromMs: startMs, toMs: endMs }));
  const samples = await readSamplesWithin(tx, { ...owner, resources: workoutSeries, windows });
  const [fromMs, toMs] = [Math.min(...windows.map((one) => one.fromMs)), Math.max(...windows.map((one) => one.toMs))];
  const parts = await readParts(tx, owner, fromMs, toMs);
  const stored = await readStreams(tx, { ...owner, workoutIds: some.map(({ workout }) => workout.id) });
  return some.flatMap((kept, index): CanonicalRecord[] => {
    const sent = streams.get(kept.workout.id);
    const readings = [...(samples[index] ?? []), ...readingsOf(kept, parts)];
    const { workout, stream } = bindParts(user, kept.workout, kept, readings, sent?.data ?? stored.get(kept.workout.id) ?? null);
    if (!stream) return [workout];
    const { id: workoutId, source, data } = workout;
    const providerId = String(data['provider_id']);
    const sport = data['sport'] as WorkoutStream['sport'];
    return [workout, { kind: 'stream', resource: 'workout_stream', workoutId, providerId, sport, source, data: stream }];
  });
}

/** The parts of the batch that lie in no workout of their app. */
function countWaiting(parts: readonly PhoneWorkoutPart[], known: readonly KeptWorkout[]): Record<string, number> {
  const byApp = Map.groupBy(known, ({ workout }) => workout.source.appId ?? '');
  const waiting: Record<string, number> = {};
  for (const { kind, appId, startMs, endMs } of parts) {
    const isBound = (byApp.get(appId) ?? []).some((kept) => kept.startMs <= endMs && kept.endMs >= startMs);
    const key = `waits_for_workout (${kind})`;
    if (!isBound) waiting[key] = (waiting[key] ?? 0) + 1;
  }
  return waiting;
}

/**
 * Computes the figures of workouts from their parts: those that a batch holds, and those stored whose parts it brings, changes or deletes.
 * Only of Health Connect, whose workouts state their duration only. Call it after the samples of the batch were stored, under the user's lock.
 */
export async function bindWorkouts(
  tx: Tx,
  owner: PhoneOwner,
  user: Pick<PhoneUser, 'birthDate'>,
  batch: PartsOfBatch,
): Promise<BoundWorkouts> {
  const changed = [...(await saveParts(tx, owner, batch.parts)), ...(await deleteParts(tx, owner, batch.deleted))];
  const goneIds = batch.records.flatMap((record) =>
    record.kind === 'summary_removal' && record.resource === 'workouts' ? [record.id] : [],
  );
  await keepWorkouts(tx, owner, batch.records.filter(isWorkout).map(toKept), goneIds);
  const range = touchedRange(batch, changed);
  if (!range) return { records: [], waiting: {} };
  const known = await readKept(tx, owner, range.fromMs, range.toMs);
  const touched = known.filter(touchedFilter(batch, changed));
  const streams = new Map(batch.records.flatMap((record) => (record.kind === 'stream' ? [[record.workoutId, record] as const] : [])));
  const records: CanonicalRecord[] = [];
  for (let from = 0; from < touched.length; from += togetherMax)
    records.push(...(await bindSome(tx, owner, user, touched.slice(from, from + togetherMax), streams)));
  return { records, waiting: countWaiting(batch.parts, known) };
}
