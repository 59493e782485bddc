import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { roundTo } from '../../kit/values/numbers.ts';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { rawOfParts } from '../../kit/records/raw-of.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { appSource } from '../google-fit.ts';
import { amountAt } from '../read-point.ts';
import { sportSlug } from '../sports.ts';
import { firstPoint } from './map-activity.ts';
import type { Session } from './read-session.ts';

/** Responses with the totals over one workout; absent for a type that the user does not have or did not share. */
export interface WorkoutTotals {
  readonly steps?: unknown;
  readonly distance?: unknown;
  readonly expended?: unknown;
  readonly heartRate?: unknown;
}

/** A response as part of a raw form. */
const nodeOf = (body: unknown) => (body === undefined ? undefined : new JsonNode(body));

/** The values of the first bucket that has any. */
function valuesOf(body: unknown, quarantined: Quarantined[]): readonly (number | null)[] {
  const read = readWhole('workouts', quarantined, () => {
    const point = new JsonNode(body ?? {})
      .at('bucket')
      .itemsOrNone()
      .map(firstPoint)
      .find((found) => found !== undefined);
    return point === undefined ? [] : [0, 1].map((index) => amountAt(point, index));
  });
  return read ?? [];
}

function mapWorkout(session: Session, totals: WorkoutTotals, context: RecordMaker, quarantined: Quarantined[]): CanonicalRecord {
  const { id, code, title, start, end, activeSeconds, appId } = session;
  const [[steps = null], [distance = null], [kcal = null], [average = null, maximum = null]] = [
    valuesOf(totals.steps, quarantined),
    valuesOf(totals.distance, quarantined),
    valuesOf(totals.expended, quarantined),
    valuesOf(totals.heartRate, quarantined),
  ];
  const seconds = activeSeconds ?? (end.ms - start.ms) / 1000;
  const workout = workoutRecord(context, {
    raw: rawOfParts({
      session: session.item,
      steps: nodeOf(totals.steps),
      distance: nodeOf(totals.distance),
      expended: nodeOf(totals.expended),
      heartRate: nodeOf(totals.heartRate),
    }),
    externalId: id,
    sourceType: appSource,
    day: start.day,
    startMs: start.ms,
    endMs: end.ms,
    offset: start.offset,
    offsetFrom: start.offsetFrom,
    title,
    sport: sportSlug(code),
    data: {
      average_hr: average === null ? null : Math.round(average),
      max_hr: maximum === null ? null : Math.round(maximum),
      distance: distance === null ? null : roundTo(distance, 2),
      calories: kcal === null ? null : roundTo(kcal, 2),
      moving_time: activeSeconds,
      average_speed: distance === null || seconds === 0 ? null : roundTo(distance / seconds, 3),
      steps: steps === null ? null : Math.round(steps),
    },
  });
  return { ...workout, source: { ...workout.source, appId } };
}

/** Workouts with their totals, by the id of the session. */
export function mapWorkouts(workouts: readonly (readonly [Session, WorkoutTotals])[], context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  return { records: workouts.map(([session, totals]) => mapWorkout(session, totals, context, quarantined)), quarantined };
}

/** Meditations and breathing exercises as minutes. */
export function mapMindfulness(sessions: readonly Session[], context: RecordMaker): CanonicalRecord[] {
  const samples = sessions.map(({ start, end }): Sample => ({
    ts: start.ms,
    end: end.ms,
    value: roundTo((end.ms - start.ms) / 60_000, 2),
    timezoneOffset: start.offset,
    offsetFrom: start.offsetFrom,
  }));
  return context.samples('mindfulness_minutes', appSource, samples);
}
