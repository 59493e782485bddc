import { dayMs } from '@pulsewire/kernel';
import { dayAt, metadataOf, numberOf, rowOf, spanOf, textOf } from './read-item.ts';
import { seriesRows } from './series.ts';
import type { PhoneCycleItem, PhoneItem } from './types.ts';

type Names = readonly (string | null)[];

/** Words by code; `from` is the first code. Codes without a word are left out, unless there is a word for all others. */
interface CycleRow {
  readonly kind: string;
  readonly words?: Names;
  readonly from?: number;
  readonly other?: string;
  readonly read?: (item: PhoneItem) => string | null;
}

const tests = ['negative', 'positive', 'indeterminate'];
const mucus = ['dry', 'sticky', 'creamy', 'watery', 'egg_white'];
const deviation = (word: string): CycleRow => ({ kind: 'detected_deviations', read: () => word });

const isYes: ReadonlySet<unknown> = new Set(['1', 'true', 1, true]);
const isNo: ReadonlySet<unknown> = new Set(['0', 'false', 0, false]);

/** SDKs and exports send it as text; empty when it is not stated. */
function protectionOf(item: PhoneItem): string {
  const used = metadataOf(item)['HKSexualActivityProtectionUsed'];
  if (isYes.has(used)) return 'true';
  return isNo.has(used) ? 'false' : '';
}

function temperatureOf(item: PhoneItem): string | null {
  const value = numberOf(item['value']);
  const celsius = value === null ? null : (seriesRows['BasalBodyTemperature']?.convert(value, textOf(item['unit']) ?? '', item) ?? null);
  return celsius === null || !Number.isFinite(celsius) || celsius <= 0 ? null : String(celsius);
}

const temperature: CycleRow = { kind: 'basal_body_temperature', read: temperatureOf };

/** By the type of a record: HealthKit's identifier without its prefix with HealthKit's codes, or Health Connect's name with its codes. */
export const cycleRows: Readonly<Record<string, CycleRow>> = {
  MenstrualFlow: { kind: 'menstrual_flow', words: ['unspecified', 'light', 'medium', 'heavy', 'none'], from: 1, other: 'unspecified' },
  CervicalMucusQuality: { kind: 'cervical_mucus', words: mucus, from: 1 },
  OvulationTestResult: {
    kind: 'ovulation_test',
    words: ['negative', 'luteinizing_hormone_surge', 'indeterminate', 'estrogen_surge'],
    from: 1,
    other: 'indeterminate',
  },
  IntermenstrualBleeding: { kind: 'intermenstrual_bleeding', read: () => '' },
  SexualActivity: { kind: 'sexual_activity', read: protectionOf },
  Contraceptive: {
    kind: 'contraceptive',
    words: ['unspecified', 'implant', 'injection', 'iud', 'intravaginal_ring', 'oral', 'patch'],
    from: 1,
    other: 'unspecified',
  },
  PregnancyTestResult: { kind: 'home_pregnancy_test', words: tests, from: 1 },
  ProgesteroneTestResult: { kind: 'home_progesterone_test', words: tests, from: 1 },
  PersistentIntermenstrualBleeding: deviation('persistent_intermenstrual_bleeding'),
  ProlongedMenstrualPeriods: deviation('prolonged_menstrual_periods'),
  IrregularMenstrualCycles: deviation('irregular_menstrual_cycles'),
  InfrequentMenstrualCycles: deviation('infrequent_menstrual_cycles'),
  BasalBodyTemperature: temperature,
  MENSTRUATION_FLOW: { kind: 'menstrual_flow', words: ['unspecified', 'light', 'medium', 'heavy'], other: 'unspecified' },
  MENSTRUATION_PERIOD: { kind: 'period', read: () => '' },
  CERVICAL_MUCUS: { kind: 'cervical_mucus', words: [null, ...mucus] },
  // Health Connect's high fertility is the rise before the peak, which is its positive result.
  OVULATION_TEST: { kind: 'ovulation_test', words: ['indeterminate', 'positive', 'estrogen_surge', 'negative'] },
  INTERMENSTRUAL_BLEEDING: { kind: 'intermenstrual_bleeding', read: () => '' },
  SEXUAL_ACTIVITY: { kind: 'sexual_activity', words: ['', 'true', 'false'], other: '' },
  BASAL_BODY_TEMPERATURE: temperature,
};

/** Most days of one entry. */
const spanDaysMax = 31;

function valueOf({ read, words = [], from = 0, other }: CycleRow, item: PhoneItem): string | null {
  if (read) return read(item);
  const code = numberOf(item['value']);
  return (code === null ? null : words[code - from]) ?? other ?? null;
}

/** An entry of a cycle; null when its value says nothing, `bad_time` when its times cannot be read. */
export function readCycleItem(name: string, item: PhoneItem, offsetAt: (ms: number) => number | null): PhoneCycleItem | 'bad_time' | null {
  const row = rowOf(cycleRows, name);
  const value = row ? valueOf(row, item) : null;
  if (!row || value === null) return null;
  const span = spanOf(item);
  if (!span) return 'bad_time';
  const offset = offsetAt(span.startMs);
  const date = dayAt(span.startMs, offset);
  // A period and its flow may be one record of several days; an end at midnight belongs to the day before.
  const isLong = row.kind === 'period' || row.kind === 'menstrual_flow';
  const endMs = Math.min(Math.max(span.startMs, span.endMs - 1), span.startMs + spanDaysMax * dayMs);
  const until = isLong ? dayAt(endMs, offset) : date;
  // Exports have no ids.
  const itemId = textOf(item['id']) ?? `${name} ${new Date(span.startMs).toISOString()}`;
  return itemId.length > 200 ? null : { itemId, date, until, kind: row.kind, value, atMs: span.startMs };
}
