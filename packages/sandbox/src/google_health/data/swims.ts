import type { SimAccount } from '../../kit/accounts/accounts.ts';
import type { PersonDay } from '../../kit/person/types.ts';
import { dayNumber } from '../../model/calendar.ts';
import { longIdOf } from '../../model/seeded.ts';
import { activityScope, type DataType, type Point } from './data-type.ts';
import { exerciseTracker, tracker } from './sources.ts';

const lengthSeconds = 45;
const poolMetres = 25;
const strokes = ['FREESTYLE', 'BACKSTROKE', 'BREASTSTROKE', 'BUTTERFLY', 'SWIM_STROKE_TYPE_UNSPECIFIED'];

interface Swim {
  readonly date: string;
  readonly startMs: number;
  readonly lengths: number;
}

/** A swim at noon on every fourth day, on which there is no other workout. */
const swimsOf = ({ person }: SimAccount, days: readonly PersonDay[]): Swim[] =>
  days
    .filter(({ date }) => dayNumber(date) % 4 === 1)
    .map(({ date }) => ({ date, startMs: person.zone.toInstant(date, 12 * 3600), lengths: 20 + (dayNumber(date) % 5) }))
    .filter(({ startMs, lengths }) => startMs + lengths * lengthSeconds * 1000 <= person.syncedMs());

/** The exercises in a pool: without a route, and with the number of lengths as a number. */
export function swimExercises(account: SimAccount, days: readonly PersonDay[]): Point[] {
  return swimsOf(account, days).map(({ date, startMs, lengths }) => {
    const seconds = lengths * lengthSeconds;
    const endMs = startMs + seconds * 1000;
    const written = new Date(endMs + 60_000).toISOString().replace('Z', '321Z');
    const fields = {
      exerciseType: 'SWIMMING',
      displayName: 'Swim',
      activeDuration: `${seconds}.5s`,
      exerciseMetadata: { poolLengthMillimeters: String(poolMetres * 1000) },
      metricsSummary: {
        caloriesKcal: lengths * 9.5,
        distanceMillimeters: lengths * poolMetres * 1000,
        totalSwimLengths: lengths,
        averageHeartRateBeatsPerMinute: '121',
      },
      notes: 'Pool was crowded',
      createTime: written,
      updateTime: written,
    };
    return { date, startMs, endMs, id: String(longIdOf(`${account.name} swim ${date}`)), fields, source: exerciseTracker };
  });
}

/** One interval for each length, with the strokes in it. */
export const swimLengths: DataType = {
  record: 'interval',
  scope: activityScope,
  operations: ['list', 'reconcile', 'roll'],
  name: 'swim-lengths-data',
  points: (account, days) =>
    swimsOf(account, days).flatMap(({ date, startMs, lengths }) =>
      Array.from({ length: lengths }, (_, index): Point => {
        const fromMs = startMs + index * lengthSeconds * 1000;
        const amount = 14 + (index % 6);
        const fields = { swimStrokeType: strokes[index % strokes.length], strokeCount: String(amount) };
        return { date, startMs: fromMs, endMs: fromMs + lengthSeconds * 1000, amount, fields, source: tracker };
      }),
    ),
  rollup: (points) => ({ strokeCountSum: String(points.reduce((sum, { amount = 0 }) => sum + amount, 0)) }),
};
