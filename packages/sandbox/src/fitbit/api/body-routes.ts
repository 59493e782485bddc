import { dateIn, rangeIn } from './dates.ts';
import { listDates, pageOf, parseListRequest } from './list-page.ts';
import type { FitbitCall, FitbitRoute } from './types.ts';
import { fatLogs, weightLogs, foodSeries, foodsOf } from '../data/body.ts';
import { ecgsOf, rhythmAlertsOf } from '../data/heart-rhythm.ts';
import { devicesOf, profileOf } from '../data/profile.ts';

const weightDaysMax = 31;
const foodDaysMax = 1095;
const heartPageMax = 10;

/** No volunteer recorded water: the right shape without entries. */
function noWater(call: FitbitCall): object {
  dateIn(call);
  return { water: [], summary: { water: 0 } };
}

function heartList<T>(
  call: FitbitCall,
  key: string,
  path: string,
  entries: (date: string) => readonly T[],
  startOf: (entry: T) => string,
): object {
  const request = parseListRequest(call, heartPageMax);
  const { items, pagination } = pageOf(call, request, listDates(call, request).flatMap(entries), startOf, path);
  return { [key]: items, pagination };
}

const row = (kind: string, path: string, scope: FitbitRoute['scope'], body: (call: FitbitCall) => object): FitbitRoute => ({
  kind,
  method: 'GET',
  version: '1',
  path,
  scope,
  respond: (call) => ({ body: body(call) }),
});

export const bodyRoutes: readonly FitbitRoute[] = [
  row('profile', '/profile.json', 'profile', (call) => profileOf(call.account, call.parts.clock.wallMs(), call.units)),
  row('devices', '/devices.json', 'settings', (call) => devicesOf(call.account)),
  row('weight', '/body/log/weight/date/:start/:end.json', 'weight', (call) => ({
    weight: weightLogs(call.account, rangeIn(call, weightDaysMax), call.units),
  })),
  row('fat', '/body/log/fat/date/:start/:end.json', 'weight', (call) => ({
    fat: fatLogs(call.account, rangeIn(call, weightDaysMax)),
  })),
  row('foods', '/foods/log/date/:date.json', 'nutrition', (call) => foodsOf(call.account, dateIn(call))),
  ...(['caloriesIn', 'water'] as const).map((resource) =>
    row('foods.series', `/foods/log/${resource}/date/:start/:end.json`, 'nutrition', (call) =>
      foodSeries(call.account, resource, rangeIn(call, foodDaysMax)),
    ),
  ),
  row('water', '/foods/log/water/date/:date.json', 'nutrition', noWater),
  row('ecg', '/ecg/list.json', 'electrocardiogram', (call) =>
    heartList(
      call,
      'ecgReadings',
      '/1/user/-/ecg/list.json',
      (date) => ecgsOf(call.account, date),
      (reading) => reading.startTime,
    ),
  ),
  row('irn', '/irn/alerts/list.json', 'irregular_rhythm_notifications', (call) =>
    heartList(
      call,
      'alerts',
      '/1/user/-/irn/alerts/list.json',
      (date) => rhythmAlertsOf(call.account, date),
      (alert) => alert.detectedTime,
    ),
  ),
];
