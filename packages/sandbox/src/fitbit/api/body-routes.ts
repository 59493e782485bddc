import { fatLogs, weightLogs } from '../data/body.ts';
import { devicesOf, profileOf } from '../data/profile.ts';
import { dateIn, rangeIn } from './dates.ts';
import { parseListRequest } from './list-page.ts';
import type { ApiCall, ApiRoute } from './types.ts';

const weightDaysMax = 31;
const ecgPageMax = 10;

/** What no volunteer recorded: the right shape with nothing in it. */
function noFoods(call: ApiCall): object {
  dateIn(call);
  return { foods: [], summary: { calories: 0, carbs: 0, fat: 0, fiber: 0, protein: 0, sodium: 0, water: 0 } };
}

function noWater(call: ApiCall): object {
  dateIn(call);
  return { water: [], summary: { water: 0 } };
}

function emptyList(call: ApiCall, key: string): object {
  const { limit } = parseListRequest(call, ecgPageMax);
  return { [key]: [], pagination: { limit, next: '', offset: 0, previous: '', sort: call.query.get('sort') } };
}

const row = (kind: string, pattern: RegExp, scope: ApiRoute['scope'], body: (call: ApiCall) => object): ApiRoute => ({
  kind,
  method: 'GET',
  version: '1',
  pattern,
  scope,
  respond: (call) => ({ body: body(call) }),
});

export const bodyRoutes: readonly ApiRoute[] = [
  row('profile', /^\/profile\.json$/, 'profile', (call) => profileOf(call.account, call.parts.clock.wallMs(), call.units)),
  row('devices', /^\/devices\.json$/, 'settings', (call) => devicesOf(call.account)),
  row('weight', /^\/body\/log\/weight\/date\/(?<start>[^/]+)\/(?<end>[^/]+)\.json$/, 'weight', (call) => ({
    weight: weightLogs(call.account, rangeIn(call, weightDaysMax), call.units),
  })),
  row('fat', /^\/body\/log\/fat\/date\/(?<start>[^/]+)\/(?<end>[^/]+)\.json$/, 'weight', (call) => ({
    fat: fatLogs(call.account, rangeIn(call, weightDaysMax)),
  })),
  row('foods', /^\/foods\/log\/date\/(?<date>[^/]+)\.json$/, 'nutrition', noFoods),
  row('water', /^\/foods\/log\/water\/date\/(?<date>[^/]+)\.json$/, 'nutrition', noWater),
  row('ecg', /^\/ecg\/list\.json$/, 'electrocardiogram', (call) => emptyList(call, 'ecgReadings')),
  row('irn', /^\/irn\/alerts\/list\.json$/, 'irregular_rhythm_notifications', (call) => emptyList(call, 'alerts')),
];
