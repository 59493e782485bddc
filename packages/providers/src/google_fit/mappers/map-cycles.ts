import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { buildCycles, type CycleEntry } from '../../kit/records/menstrual-cycles.ts';
import { utcMidnight } from '../../kit/time/days.ts';
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

/** The entries of one data type, oldest first. */
function readEntries(
  bodies: readonly unknown[],
  context: RecordMaker,
  quarantined: Quarantined[],
  toEntry: (code: number | null) => Pick<CycleEntry, 'kind' | 'fields'> | undefined,
): CycleEntry[] {
  const entries = bodies.flatMap((body) =>
    readEachPoint('menstrual_cycle', body, quarantined, (point) => {
      const { startMs } = readTimes(point);
      const entry = toEntry(numberAt(point, 0));
      return entry && { ms: startMs, date: localTime(startMs, context).day, ...entry };
    }),
  );
  return entries.toSorted((a, b) => a.ms - b.ms).map(({ date, kind, fields }) => ({ date, kind, fields }));
}

const named =
  (kind: string, key: string, names: Names, other?: string) =>
  (code: number | null): Pick<CycleEntry, 'kind' | 'fields'> | undefined => {
    const name = names.get(code) ?? other;
    return name === undefined ? undefined : { kind, fields: { [key]: name } };
  };

/** The cycles that start in the window. */
export function mapCycles(pages: CyclePages, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const entries = [
    ...readEntries(pages.flow, context, quarantined, named('menstrual_flow', 'flow', flows, 'unspecified')),
    ...readEntries(pages.mucus, context, quarantined, named('cervical_mucus', 'quality', textures)),
    ...readEntries(pages.ovulation, context, quarantined, named('ovulation_test', 'test_result', results, 'indeterminate')),
    ...readEntries(pages.spotting, context, quarantined, () => ({ kind: 'intermenstrual_bleeding', fields: {} })),
  ];
  const cycles = buildCycles(entries).filter(({ start }) => isWithin(start, window));
  const records = cycles.map(({ start, data }): CanonicalRecord =>
    context.summary({
      resource: 'menstrual_cycle',
      sourceType: appSource,
      externalId: start,
      calendarDate: start,
      at: utcMidnight(start),
      data,
    }),
  );
  return { records, quarantined };
}
