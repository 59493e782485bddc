import { dayMs } from '@pulsewire/kernel';
import { dayNumber } from '../../model/calendar.ts';
import type { PersonDay } from '../../kit/person/types.ts';
import type { DataType, Point } from './data-type.ts';
import { byHand } from './sources.ts';

const common = { scope: 'reproductive_health', operations: ['list', 'get'] } as const;
const periodDays = 4;

/** Day of the cycle of 28 days; the week before 12 March 2026, which tests read, has a period. */
const cycleDay = ({ date }: PersonDay): number => (dayNumber(date) + 4) % 28;

/** By the definition of October 2026 alone: nobody has recorded an answer. */
export const cycleTypes: readonly DataType[] = [
  {
    ...common,
    name: 'menstrual-period',
    record: 'interval',
    points: ({ person }, days) =>
      days
        .filter((day) => person.sex === 'female' && cycleDay(day) === 0)
        .map(({ date, startMs }): Point => ({
          date,
          startMs,
          endMs: startMs + periodDays * dayMs - 3_600_000,
          fields: {},
          source: byHand,
        })),
  },
  {
    ...common,
    name: 'ovulation-test',
    record: 'sample',
    points: ({ person }, days) =>
      days
        .filter((day) => person.sex === 'female' && [12, 13].includes(cycleDay(day)))
        .map((day): Point => {
          const startMs = day.startMs + 8 * 3_600_000;
          const result = cycleDay(day) === 12 ? 'NEGATIVE' : 'LUTEINIZING_HORMONE_SURGE';
          return { date: day.date, startMs, endMs: startMs, fields: { result }, source: byHand };
        }),
  },
];
