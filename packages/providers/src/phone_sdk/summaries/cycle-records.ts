import type { Summary } from '@pulsewire/contract';
import { buildCycles, type CycleEntry } from '../../kit/records/menstrual-cycles.ts';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { eachDay, utcMidnight } from '../../kit/time/days.ts';
import type { NightOwner } from './sleep-nights.ts';
import type { PhoneCycleItem } from '../types.ts';

const fieldNames: Readonly<Record<string, string>> = {
  menstrual_flow: 'flow',
  cervical_mucus: 'quality',
  contraceptive: 'type',
  detected_deviations: 'deviation',
  ovulation_test: 'test_result',
  home_pregnancy_test: 'test_result',
  home_progesterone_test: 'test_result',
};

function fieldsOf(kind: string, value: string): CycleEntry['fields'] {
  const name = fieldNames[kind];
  if (name !== undefined) return { [name]: value };
  if (kind === 'basal_body_temperature') return { value: Number(value) };
  return kind === 'sexual_activity' ? { protection_used: value === '' ? null : value === 'true' } : {};
}

/**
 * The cycles of a person's entries, in any order. Their source is the app: entries are typed in, and one period may be entered on a phone
 * and on a watch.
 */
export function cycleRecords({ userId, provider }: NightOwner, items: readonly PhoneCycleItem[]): Summary[] {
  const maker = createRecordMaker(provider, { userId, fallbackTimeZone: null, providerUserId: '', grantedScopes: [], account: {} });
  const ordered = items.toSorted((a, b) => a.atMs - b.atMs || (a.itemId < b.itemId ? -1 : 1));
  const entries = ordered.flatMap(({ date, until, kind, value }) =>
    eachDay({ startDate: date, endDate: until }).map((day) => ({ date: day, kind, fields: fieldsOf(kind, value) })),
  );
  return buildCycles(entries).map(({ start, data }) =>
    maker.summary({
      resource: 'menstrual_cycle',
      sourceType: 'app',
      externalId: start,
      calendarDate: start,
      at: utcMidnight(start),
      data,
    }),
  );
}
