import type { Sample } from '../records/records.ts';
import type { TimeseriesResource } from '../resources/types.ts';
import { at } from './example-ids.ts';

/** Plausible values by unit. */
const plausible: Readonly<Record<string, number>> = {
  '%': 41.5,
  '°C': 36.6,
  mmHg: 121,
  kg: 72.4,
  g: 12.5,
  kcal: 18.2,
  'mmol/L': 5.4,
  min: 10,
  m: 12.8,
  mV: 0.12,
  count: 42,
  L: 3.1,
  'L/min': 420,
  'mL/kg/min': 41,
  index: 2.5,
  bpm: 61,
  rmssd: 48,
  stage: 2,
  FSU: 0.3,
  unit: 2.5,
  cm: 84,
  ml: 250,
};

/** Series whose values are unlike others of their unit. */
const plausibleByName: Readonly<Record<string, number>> = { heart_rate_alert: 1, body_temperature_delta: 0.3 };

function extraOf(row: TimeseriesResource): Pick<Sample, 'extra'> {
  const entries: [string, unknown][] = row.extraFields.map(({ name, values, isList }) => [name, isList ? values.slice(0, 1) : values[0]]);
  if (row.valueForm === 'text') entries.push(['text', 'walk after lunch']);
  if (row.subKinds?.presence === 'optional') entries.push(['type', row.subKinds.values[0]]);
  return entries.length === 0 ? {} : { extra: Object.fromEntries(entries) };
}

/** A sample of a series, and the sub-kind of the series if it has one. */
export function sampleExample(row: TimeseriesResource): { subKind: string | undefined; sample: Sample } {
  const { subKinds } = row;
  const subKind = subKinds?.presence === 'required' ? (subKinds.values?.[0] ?? 'lead_1') : undefined;
  const ts = at('10:00');
  const value = row.valueForm === 'text' ? null : (plausibleByName[row.name] ?? plausible[row.unit] ?? 1);
  const end = row.shape === 'interval' || row.showsKnownEnd ? { end: at('10:15') } : {};
  const pressure = row.valueForm === 'pressure' ? { value2: 78 } : {};
  return { subKind, sample: { ts, ...end, value, ...pressure, timezoneOffset: 0, ...extraOf(row) } };
}
