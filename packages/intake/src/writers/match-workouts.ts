import type { CanonicalRecord, Summary } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { PhoneItemRef, PhoneWriter } from '@pulsewire/providers';
import { readSummariesAt, type SummaryAt } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { fillGaps } from './fill-gaps.ts';
import { betterApp, compareApps, isSameDevice, writerOfBoth } from './same-writer.ts';

/** Phones and exports cut or round the fraction of a second. */
const toleranceMs = 1000;
/** Of shorter workouts, such as parts of a circuit, two may be as near to each other. */
const tolerantFromMs = 60_000;

/** The records of a batch under the ids of what is stored of the same workouts. */
export interface MatchedWorkouts {
  readonly records: readonly CanonicalRecord[];
  readonly refs: readonly PhoneItemRef[];
  /** Names and bundle ids that turned out to be of one writer. */
  readonly learnt: readonly PhoneWriter[];
}

type Known = Omit<SummaryAt, 'hasStream'>;

const endOf = (data: Known['data']) => Date.parse(String(data['time_end']));
const sportOf = (data: Known['data']) => (data['sport'] as { readonly slug?: unknown } | null)?.slug;

/** Whether a stored workout is this one: of the same device, start and end, and of the same writer or, where that is unclear, sport. */
function isSame(workout: Summary, stored: Known, writers: readonly PhoneWriter[]): boolean {
  const endMs = endOf(workout.data);
  const apartMs = endMs - workout.at >= tolerantFromMs ? toleranceMs : 0;
  if (Math.abs(workout.at - stored.atMs) > apartMs || Math.abs(endMs - endOf(stored.data)) > apartMs) return false;
  if (!isSameDevice(workout.source.type, stored.source.type)) return false;
  const apps = compareApps(workout.source.appId ?? null, stored.source.appId ?? null, writers);
  return apps === 'same' || (apps === 'unclear' && sportOf(workout.data) === sportOf(stored.data));
}

/** The workout as the stored one, whose identity and times it keeps, and whose values where it has none itself. */
function mergedInto(workout: Summary, stored: Known): Summary {
  const merged = fillGaps(workout, stored);
  const { provider_id: providerId, time_start: start, time_end: end } = stored.data;
  return {
    ...merged,
    id: stored.id,
    at: stored.atMs,
    source: {
      ...workout.source,
      appId: betterApp(workout.source.appId ?? null, stored.source.appId ?? null),
      type: workout.source.type === 'unknown' ? stored.source.type : workout.source.type,
    },
    data: { ...merged.data, provider_id: providerId, time_start: start, time_end: end },
  };
}

/**
 * Finds the stored workouts that those of a batch are: a phone and an export, and earlier versions, name their writer in different ways. A
 * workout that is stored several times remains once. Only for HealthKit, whose workouts never change. The caller holds the user's lock.
 */
export async function matchWorkouts(
  tx: Tx,
  owner: PhoneOwner,
  records: readonly CanonicalRecord[],
  refs: readonly PhoneItemRef[],
  writers: readonly PhoneWriter[],
): Promise<MatchedWorkouts> {
  const isWorkout = (record: CanonicalRecord): record is Summary => record.kind === 'summary' && record.resource === 'workouts';
  const workouts = records.filter(isWorkout);
  if (owner.provider !== 'apple_health_kit' || workouts.length === 0) return { records, refs, learnt: [] };
  const instants = workouts.flatMap(({ at }) => [at - toleranceMs, at, at + toleranceMs]);
  const stored = await readSummariesAt(tx, { ...owner, resource: 'workouts', instants });
  const known = new Map<string, Known>(stored.toSorted((a, b) => Number(b.hasStream) - Number(a.hasStream)).map((one) => [one.id, one]));
  const idOf = new Map<string, string>();
  const gone = new Set<string>();
  const learnt: PhoneWriter[] = [];
  const matched = new Map<string, Summary>();
  for (const workout of workouts) {
    const [kept, ...others] = [...known.values()].filter((one) => isSame(workout, one, writers));
    const merged = kept ? mergedInto(workout, kept) : workout;
    for (const { id } of others) {
      known.delete(id);
      matched.delete(id);
      gone.add(id);
    }
    const both = kept && writerOfBoth(workout.source, kept.source);
    if (both) learnt.push(both);
    idOf.set(workout.id, merged.id);
    matched.set(merged.id, merged);
    const { id, source, at: atMs, calendarDate, data, offsetFrom } = merged;
    known.set(id, { id, source, atMs, calendarDate, data, offsetFrom });
  }
  const removals = [...gone].map((id): CanonicalRecord => ({ kind: 'summary_removal', resource: 'workouts', id }));
  const others = records.flatMap((record): CanonicalRecord[] => {
    if (isWorkout(record)) return [];
    if (record.kind !== 'stream') return [record];
    const workout = matched.get(idOf.get(record.workoutId) ?? '');
    return [
      workout ? { ...record, workoutId: workout.id, providerId: String(workout.data['provider_id']), source: workout.source } : record,
    ];
  });
  return {
    records: [...matched.values(), ...others, ...removals],
    refs: refs.map((ref) => (ref.summaryId === null ? ref : { ...ref, summaryId: idOf.get(ref.summaryId) ?? ref.summaryId })),
    learnt,
  };
}
