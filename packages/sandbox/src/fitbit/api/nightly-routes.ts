import * as nightly from '../data/nightly.ts';
import { dateIn, rangeIn } from './dates.ts';
import { needIntraday, type FitbitCall, type FitbitRoute } from './types.ts';

const rangeDaysMax = 30;

type Build = (call: FitbitCall, dates: readonly string[]) => object;

/** Within the night only what is granted beside the scope. */
function granted(call: FitbitCall, build: Build, dates: readonly string[]): { readonly body: object } {
  needIntraday(call);
  return { body: build(call, dates) };
}

/** Three forms of one measure: a range of days, one day, and within the night. */
function measure(kind: string, path: string, scope: FitbitRoute['scope'], days: Build, within?: Build): FitbitRoute[] {
  const row = (suffix: string, tail: string, respond: FitbitRoute['respond']): FitbitRoute => ({
    kind: `${kind}.${suffix}`,
    method: 'GET',
    version: '1',
    path: `/${path}/date/${tail}.json`,
    scope,
    respond,
  });
  const inside = within && [
    row('within', ':date/all', (call) => granted(call, within, [dateIn(call)])),
    row('within', ':start/:end/all', (call) => granted(call, within, rangeIn(call, rangeDaysMax))),
  ];
  return [
    ...(inside ?? []),
    row('day', ':date', (call) => ({ body: days(call, [dateIn(call)]) })),
    row('range', ':start/:end', (call) => ({ body: days(call, rangeIn(call, rangeDaysMax)) })),
  ];
}

// Blood oxygen is the exception: an array for a range, a bare object for one day.
const spo2 = (call: FitbitCall, items: readonly object[]) => (call.params['start'] === undefined ? (items[0] ?? {}) : items);

export const nightlyRoutes: readonly FitbitRoute[] = [
  ...measure(
    'hrv',
    'hrv',
    'heartrate',
    ({ account }, dates) => ({ hrv: nightly.hrvDays(account, dates) }),
    ({ account }, dates) => ({ hrv: nightly.hrvMinutes(account, dates) }),
  ),
  ...measure(
    'spo2',
    'spo2',
    'oxygen_saturation',
    (call, dates) => spo2(call, nightly.spo2Days(call.account, dates)),
    (call, dates) => spo2(call, nightly.spo2Minutes(call.account, dates)),
  ),
  ...measure(
    'br',
    'br',
    'respiratory_rate',
    ({ account }, dates) => ({ br: nightly.breathingDays(account, dates) }),
    ({ account }, dates) => ({ br: nightly.breathingByStage(account, dates) }),
  ),
  ...measure('temp.skin', 'temp/skin', 'temperature', ({ account, units }, dates) => ({
    tempSkin: nightly.skinTemperatureDays(account, dates, units),
  })),
  ...measure('temp.core', 'temp/core', 'temperature', () => ({ tempCore: [] })),
  ...measure('cardioscore', 'cardioscore', 'cardio_fitness', ({ account }, dates) => ({
    cardioScore: nightly.cardioScoreDays(account, dates),
  })),
];
