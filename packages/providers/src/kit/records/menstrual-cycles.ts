import { addDays } from '../time/days.ts';

/** A cycle longer than this has an unknown end: entries are missing. */
export const cycleDaysMax = 60;
/** Days without an entry inside one period. */
const pauseDaysMax = 2;

/** One entry of a local day. `kind` is the list of the contract's cycle, or `period`: a day of bleeding of which no more is known. */
export interface CycleEntry {
  readonly date: string;
  readonly kind: string;
  /** Fields of the entry besides its date. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface BuiltCycle {
  /** The first day of its period, which identifies it: later days of the same period do not change it. */
  readonly start: string;
  readonly data: Readonly<Record<string, unknown>>;
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

const isBleeding = ({ kind, fields }: CycleEntry) => kind === 'period' || (kind === 'menstrual_flow' && fields['flow'] !== 'none');

/** Lists that a cycle has even when they are empty. */
const usualKinds = ['menstrual_flow', 'cervical_mucus', 'ovulation_test', 'intermenstrual_bleeding'] as const;

/**
 * Phones and Google record days; a cycle lasts from the first day of a period to the day before the next one. Entries are ordered by time:
 * of several of one kind on one day the last one counts. Entries before the first period belong to no cycle.
 */
export function buildCycles(entries: readonly CycleEntry[]): BuiltCycle[] {
  const latest = new Map(entries.map((entry) => [`${entry.date} ${entry.kind}`, entry] as const));
  const ordered = [...latest.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const periods = findPeriods([...new Set(ordered.filter(isBleeding).map(({ date }) => date))]);
  return periods.map(({ start, end }, index) => {
    const next = periods[index + 1]?.start;
    const limit = addDays(start, cycleDaysMax);
    const isClosed = next !== undefined && next <= limit;
    const until = isClosed ? addDays(next, -1) : limit;
    const inside = ordered.filter(
      ({ date, kind }) => kind !== 'period' && date >= start && date <= until && (next === undefined || date < next),
    );
    const lists = Map.groupBy(inside, ({ kind }) => kind);
    const kinds = new Set([...usualKinds, ...lists.keys()]);
    return {
      start,
      data: {
        period_start: start,
        period_end: end,
        cycle_end: isClosed ? until : null,
        ...Object.fromEntries([...kinds].map((kind) => [kind, (lists.get(kind) ?? []).map(({ date, fields }) => ({ date, ...fields }))])),
      },
    };
  });
}
