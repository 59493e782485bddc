import { addDays } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { activitiesOf, detailOf, streamsOf, summaryOf, type Activity } from './activities.ts';

const perPageDefault = 30;
const perPageMax = 200;

function wholeOf(call: UserCall, name: string, otherwise: number): number {
  const value = Number(call.query.get(name) ?? otherwise);
  if (!Number.isInteger(value) || value < 0) throw invalid(`Invalid ${name}`);
  return value;
}

/** With `after` the oldest first, otherwise the newest. A page in the middle may be short. */
function list(call: UserCall): ApiResponse {
  const { account } = call;
  const { person } = account;
  const hasAfter = call.query.has('after');
  const after = wholeOf(call, 'after', 0);
  const before = wholeOf(call, 'before', Math.ceil(person.syncedMs() / 1000));
  const page = wholeOf(call, 'page', 1);
  const perPage = wholeOf(call, 'per_page', perPageDefault);
  if (perPage > perPageMax || page < 1) throw invalid('Invalid page');
  const dateAt = (seconds: number) => person.zone.toLocal(seconds * 1000).date;
  const first = after === 0 ? person.firstDate : addDays(dateAt(after), -1);
  const found = person
    .days(first, addDays(dateAt(Math.min(before, person.syncedMs() / 1000)), 1))
    .flatMap((day) => activitiesOf(day))
    .filter(({ workout }) => workout.startMs > after * 1000 && workout.startMs < before * 1000)
    .toSorted((a, b) => (hasAfter ? a.workout.startMs - b.workout.startMs : b.workout.startMs - a.workout.startMs));
  // The first page of a long response leaves one out, and shows it on the second.
  const size = hasAfter && found.length > 3 ? Math.min(perPage, found.length - 1) : perPage;
  return { body: found.slice((page - 1) * size, page * size).map((activity) => summaryOf(account, activity)) };
}

function find({ account: { person }, params }: UserCall): Activity {
  for (const day of person.days(person.firstDate, person.today()).toReversed()) {
    const found = activitiesOf(day).find(({ workout }) => workout.id === params['id']);
    if (found) return found;
  }
  throw new RefusalError('not_found', 'Record Not Found');
}

function streams(call: UserCall): ApiResponse {
  const activity = find(call);
  if (activity.isManual) throw new RefusalError('not_found', 'Record Not Found');
  if (call.query.get('key_by_type') !== 'true') throw invalid('Only key_by_type is played');
  return { body: streamsOf(activity, (call.query.get('keys') ?? '').split(',')) };
}

function athlete({ account: { name, person, providerUserId }, grant }: UserCall): ApiResponse {
  const [firstname = '', lastname = ''] = name.split(' ');
  const detail = { weight: 71.4, ftp: 240, measurement_preference: 'meters' };
  return {
    body: {
      id: Number(providerUserId),
      username: name.toLowerCase().replaceAll(' ', '_'),
      firstname,
      lastname,
      city: 'New York',
      country: 'United States',
      sex: person.sex === 'female' ? 'F' : 'M',
      ...(grant.scopes.includes('profile:read_all') && detail),
    },
  };
}

const get = { method: 'GET', auth: 'user' } as const;
const scope = 'activity:read_all';

export const stravaRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'athlete', path: '/athlete', scope: 'read', respond: athlete },
  { ...get, kind: 'activities', path: '/athlete/activities', scope, respond: list },
  { ...get, kind: 'activity', path: '/activities/:id', scope, respond: (call: UserCall) => ({ body: detailOf(call.account, find(call)) }) },
  { ...get, kind: 'streams', path: '/activities/:id/streams', scope, respond: streams },
];
