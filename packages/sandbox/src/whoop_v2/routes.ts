import { addDays } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { collections, dateOfCycle, type Document } from './documents.ts';

type Collection = keyof typeof collections;

const limitDefault = 10;
const limitMax = 25;

function timeOf(call: UserCall, name: string, otherwise: number): number {
  const text = call.query.get(name);
  if (text === null) return otherwise;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(`Invalid ${name}`);
  return ms;
}

/** The records that overlap the range, newest first; the token contains the start of the last returned one. */
function list(call: UserCall, collection: Collection): ApiResponse {
  const { person } = call.account;
  const limit = Number(call.query.get('limit') ?? limitDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) throw invalid('limit must be from 1 to 25');
  const startMs = timeOf(call, 'start', 0);
  const endMs = timeOf(call, 'end', person.syncedMs() + 1);
  const dateAt = (ms: number) => person.zone.toLocal(ms).date;
  const first = startMs === 0 ? person.firstDate : addDays(dateAt(startMs), -2);
  const token = call.query.get('nextToken');
  const beforeMs = token === null ? endMs : Number(Buffer.from(token, 'base64url').toString());
  if (Number.isNaN(beforeMs)) throw invalid('Invalid nextToken');
  const found = person
    .days(first, addDays(dateAt(Math.min(endMs, person.syncedMs())), 2))
    .flatMap((day): Document[] => collections[collection](call.account, day))
    .filter((document) => document.startMs < beforeMs && (document.endMs ?? Number.POSITIVE_INFINITY) >= startMs)
    .toSorted((a, b) => b.startMs - a.startMs);
  const records = found.slice(0, limit);
  const last = records.at(-1);
  const next = found.length > limit && last ? Buffer.from(String(last.startMs)).toString('base64url') : undefined;
  return { body: { records: records.map(({ body }) => body), ...(next !== undefined && { next_token: next }) } };
}

function one(call: UserCall, collection: Collection): ApiResponse {
  const { person } = call.account;
  for (const day of person.days(person.firstDate, person.today()).toReversed()) {
    const found = collections[collection](call.account, day).find(({ id }) => id === call.params['id']);
    if (found) return { body: found.body };
  }
  throw new RefusalError('not_found', 'Not found');
}

/** The main sleep or the recovery of a cycle. */
function ofCycle(call: UserCall, collection: 'sleep' | 'recovery'): ApiResponse {
  const id = call.params['id'] ?? '';
  const day = /^\d{5,6}$/.test(id) ? call.account.person.day(dateOfCycle(id)) : undefined;
  const [found] = day ? collections[collection](call.account, day) : [];
  if (!found || found.body['nap'] === true) throw new RefusalError('not_found', 'Not found');
  return { body: found.body };
}

function profile({ account: { name, email, providerUserId } }: UserCall): ApiResponse {
  const [first = '', last = ''] = name.split(' ');
  return { body: { user_id: Number(providerUserId), email, first_name: first, last_name: last } };
}

function measurement({ account: { person } }: UserCall): ApiResponse {
  return { body: { height_meter: person.heightCm / 100, weight_kilogram: 71.4, max_heart_rate: 190 } };
}

/** The consent of one user to one application ends. */
function revoke({ grant, parts }: UserCall): ApiResponse {
  parts.grants.end(grant.providerUserId, grant.clientId);
  parts.save();
  return { status: 204 };
}

const paths: readonly (readonly [path: string, collection: Collection, scope: string])[] = [
  ['/v2/cycle', 'cycle', 'read:cycles'],
  ['/v2/activity/sleep', 'sleep', 'read:sleep'],
  ['/v2/activity/workout', 'workout', 'read:workout'],
];
const get = { method: 'GET', auth: 'user' } as const;

export const whoopRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'profile', path: '/v2/user/profile/basic', scope: 'read:profile', respond: profile },
  { ...get, kind: 'measurement', path: '/v2/user/measurement/body', scope: 'read:body_measurement', respond: measurement },
  // A single recovery has no path of its own.
  { ...get, kind: 'recovery', path: '/v2/recovery', scope: 'read:recovery', respond: (call: UserCall) => list(call, 'recovery') },
  { ...get, kind: 'cycle.sleep', path: '/v2/cycle/:id/sleep', scope: 'read:cycles', respond: (call: UserCall) => ofCycle(call, 'sleep') },
  {
    ...get,
    kind: 'cycle.recovery',
    path: '/v2/cycle/:id/recovery',
    scope: 'read:recovery',
    respond: (call: UserCall) => ofCycle(call, 'recovery'),
  },
  ...paths.flatMap(([path, collection, scope]): ApiRoute[] => [
    { ...get, kind: collection, path, scope, respond: (call: UserCall) => list(call, collection) },
    { ...get, kind: `${collection}.one`, path: `${path}/:id`, scope, respond: (call: UserCall) => one(call, collection) },
  ]),
  { kind: 'revoke', method: 'DELETE', path: '/v2/user/access', auth: 'user', respond: revoke },
];
