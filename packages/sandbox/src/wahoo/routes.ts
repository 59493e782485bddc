import type { ApiCall, ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { fitFileOf } from '../kit/http/fit-file.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { allRides, listedOf, summaryOf, workoutOf, type Ride } from './workouts.ts';

const perPageDefault = 30;
const perPageMax = 100;
const wahooManufacturer = 32;

/** Without this scope every call is rejected, whatever else was granted. */
function assertMayRead({ grant }: UserCall): void {
  if (!grant.scopes.includes('user_read')) throw new RefusalError('scope_missing', 'Forbidden');
}

function wholeOf({ query }: UserCall, name: string, otherwise: number): number {
  const value = Number(query.get(name) ?? otherwise);
  if (!Number.isInteger(value) || value < 1) throw invalid(`Invalid ${name}`);
  return value;
}

function user({ account: { name, person, providerUserId, email }, grant }: UserCall): ApiResponse {
  const [first = '', last = ''] = name.split(' ');
  const updated = new Date(person.zone.toInstant(person.firstDate, 0)).toISOString();
  return {
    body: {
      id: Number(providerUserId),
      height: (person.heightCm / 100).toFixed(2),
      weight: '71.4',
      first,
      last,
      ...(grant.scopes.includes('email') && { email }),
      birth: person.birthDate,
      gender: person.sex === 'male' ? 0 : 1,
      created_at: updated,
      updated_at: updated,
    },
  };
}

function list(call: UserCall): ApiResponse {
  const page = wholeOf(call, 'page', 1);
  const perPage = wholeOf(call, 'per_page', perPageDefault);
  if (perPage > perPageMax) throw invalid('per_page is too large');
  const rides = allRides(call.account);
  const workouts = rides.slice((page - 1) * perPage, page * perPage).map((ride) => listedOf(call.account, ride, call.parts.url()));
  return { body: { workouts, total: rides.length, page, per_page: perPage, order: 'descending', sort: 'starts' } };
}

function find({ account, params }: UserCall): Ride {
  const found = allRides(account).find(({ id }) => String(id) === params['id']);
  if (!found) throw new RefusalError('not_found', 'Not found');
  return found;
}

function one(call: UserCall): ApiResponse {
  const ride = find(call);
  return { body: { ...workoutOf(ride), workout_summary: summaryOf(call.account, ride, call.parts.url()) } };
}

/** Storage outside the API: no token is needed. */
function file({ params, parts }: ApiCall): ApiResponse {
  for (const account of parts.accounts.list()) {
    const ride = allRides(account).find(({ id, workout }) => `${id}.fit` === params['name'] && (workout?.track.length ?? 0) > 0);
    if (ride?.workout)
      return { bytes: fitFileOf(ride.workout, account.person.zone, wahooManufacturer), contentType: 'application/octet-stream' };
  }
  throw new RefusalError('not_found', 'Not found');
}

function revoke({ grant, parts }: UserCall): ApiResponse {
  parts.grants.end(grant.providerUserId, grant.clientId);
  parts.save();
  return { status: 204 };
}

const get = { method: 'GET', auth: 'user' } as const;
const scope = 'workouts_read';

function readable(respond: (call: UserCall) => ApiResponse): (call: UserCall) => ApiResponse {
  return (call) => {
    assertMayRead(call);
    return respond(call);
  };
}

export const wahooRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'user', path: '/v1/user', respond: readable(user) },
  { ...get, kind: 'workouts', path: '/v1/workouts', scope, respond: readable(list) },
  { ...get, kind: 'workout', path: '/v1/workouts/:id', scope, respond: readable(one) },
  {
    ...get,
    kind: 'workout_summary',
    path: '/v1/workouts/:id/workout_summary',
    scope,
    respond: readable((call) => ({ body: summaryOf(call.account, find(call), call.parts.url()) ?? {} })),
  },
  { ...get, kind: 'power_zones', path: '/v1/power_zones', scope: 'power_zones_read', respond: readable(() => ({ body: [] })) },
  { kind: 'file', method: 'GET', path: '/files/:name', auth: 'open', hasFaults: true, respond: file },
  { kind: 'revoke', method: 'DELETE', path: '/v1/permissions', auth: 'user', respond: revoke },
];
