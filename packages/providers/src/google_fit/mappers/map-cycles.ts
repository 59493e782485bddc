import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { addDays, utcMidnight } from '../../kit/time/days.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { appSource } from '../google-fit.ts';
import { localTime, numberAt, readEachPoint, readTimes } from '../read-point.ts';

/** Pages of each data type of the reproductive scope. */
export interface CyclePages {
  readonly flow: readonly unknown[];
  readonly mucus: readonly unknown[];
  readonly ovulation: readonly unknown[];
  readonly spotting: readonly unknown[];
}

/** A cycle longer than this has an unknown end: entries are missing. */
export const cycleDaysMax = 60;
/** Days without an entry inside one period. */
const pauseDaysMax = 2;

type Names = ReadonlyMap<number | null, string>;
const flows: Names = new Map([
  [1, 'light'],
  [2, 'light'],
  [3, 'medium'],
  [4, 'heavy'],
]);
const textures: Names = new Map([
  [1, 'dry'],
  [2, 'sticky'],
  [3, 'creamy'],
  [4, 'watery'],
  [5, 'egg_white'],
]);
const results: Names = new Map([
  [1, 'negative'],
  [2, 'positive'],
]);

interface Entry {
  readonly date: string;
  readonly code: number | null;
}

/** The last entry of each day, oldest first. */
function readEntries(bodies: readonly unknown[], context: RecordMaker, quarantined: Quarantined[]): Entry[] {
  const entries = bodies.flatMap((body) =>
    readEachPoint('menstrual_cycle', body, quarantined, (point) => {
      const { startMs } = readTimes(point);
      return { ms: startMs, date: localTime(startMs, context).day, code: numberAt(point, 0) };
    }),
  );
  const byDay = new Map(entries.toSorted((a, b) => a.ms - b.ms).map((entry) => [entry.date, entry] as const));
  return [...byDay.values()].map(({ date, code }) => ({ date, code }));
}

interface Period {
  readonly start: string;
  readonly end: string;
}

function findPeriods(days: readonly string[]): Period[] {
  const periods: Period[] = [];
  for (const day of days) {
    const last = periods.at(-1);
    if (last !== undefined && day <= addDays(last.end, pauseDaysMax + 1)) periods[periods.length - 1] = { ...last, end: day };
    else periods.push({ start: day, end: day });
  }
  return periods;
}

/** Google records days; a cycle lasts from the first day of a period to the day before the next one. Those that start in the window. */
export function mapCycles(pages: CyclePages, { startDate, endDate }: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const [flow, mucus, ovulation, spotting] = [pages.flow, pages.mucus, pages.ovulation, pages.spotting].map((bodies) =>
    readEntries(bodies, context, quarantined),
  ) as [Entry[], Entry[], Entry[], Entry[]];
  const periods = findPeriods(flow.map(({ date }) => date));
  const records = periods.flatMap(({ start, end }, index): CanonicalRecord[] => {
    if (start < startDate || start > endDate) return [];
    const next = periods[index + 1]?.start;
    const limit = addDays(start, cycleDaysMax);
    const isClosed = next !== undefined && next <= limit;
    const until = isClosed ? addDays(next, -1) : limit;
    const inside = ({ date }: Entry) => date >= start && date <= until;
    const named = (entries: readonly Entry[], key: string, names: Names, other?: string) =>
      entries.filter(inside).flatMap(({ date, code }) => {
        const name = names.get(code) ?? other;
        return name === undefined ? [] : [{ date, [key]: name }];
      });
    return [
      context.summary({
        resource: 'menstrual_cycle',
        sourceType: appSource,
        externalId: start,
        calendarDate: start,
        at: utcMidnight(start),
        data: {
          period_start: start,
          period_end: end,
          cycle_end: isClosed ? until : null,
          menstrual_flow: named(flow, 'flow', flows, 'unspecified'),
          cervical_mucus: named(mucus, 'quality', textures),
          ovulation_test: named(ovulation, 'test_result', results, 'indeterminate'),
          intermenstrual_bleeding: spotting.filter(inside).map(({ date }) => ({ date })),
        },
      }),
    ];
  });
  return { records, quarantined };
}
