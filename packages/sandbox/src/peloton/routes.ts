import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { graphOf } from './graph.ts';
import { isImperial, type Session } from './sessions.ts';
import { detailOf, listed, sessionsOf } from './workouts.ts';

const limitDefault = 20;
const limitMax = 100;
const kgPerPound = 0.45359237;

/** Heights in inches, weights in pounds. */
function me({ account: { name, person, email, providerUserId } }: UserCall): ApiResponse {
  const [first_name = '', last_name = ''] = name.split(' ');
  return {
    body: {
      id: providerUserId,
      username: name.replaceAll(' ', ''),
      email,
      first_name,
      last_name,
      gender: person.sex,
      birthday: Date.parse(`${person.birthDate}T00:00:00Z`) / 1000,
      height: Math.round((person.heightCm / 2.54) * 10) / 10,
      weight: Math.round(71.4 / kgPerPound),
      cycling_ftp: 0,
      cycling_ftp_source: null,
      estimated_cycling_ftp: 187,
      default_max_heart_rate: 183,
      customized_max_heart_rate: 0,
      default_heart_rate_zones: [0, 118.95, 137.25, 155.55, 173.85],
      total_workouts: 12,
      workout_counts: [{ name: 'Cycling', slug: 'cycling', count: 12 }],
    },
  };
}

function assertOwn({ params, account }: UserCall): void {
  if (params['id'] !== account.providerUserId) throw new RefusalError('forbidden', 'Access forbidden');
}

function list(call: UserCall): ApiResponse {
  assertOwn(call);
  const { account, query } = call;
  const page = Number(query.get('page') ?? 0);
  const limit = Number(query.get('limit') ?? limitDefault);
  if (!(page >= 0) || !(limit >= 1) || limit > limitMax) throw invalid('Invalid page or limit');
  const hasRide = (query.get('joins') ?? '').split(',').includes('ride');
  const all = sessionsOf(account.person);
  const shown = all.slice(page * limit, (page + 1) * limit);
  const last = shown.at(-1);
  return {
    body: {
      data: shown.map((session) => listed(account, session, hasRide)),
      page,
      limit,
      total: all.length,
      count: shown.length,
      page_count: Math.ceil(all.length / limit),
      show_previous: page > 0,
      show_next: (page + 1) * limit < all.length,
      sort_by: '-created_at,-pk',
      next: last ? { workout_id: last.id, created_at: Math.floor(last.startMs / 1000) } : {},
      summary: {},
      aggregate_stats: [],
      total_heart_rate_zone_durations: null,
    },
  };
}

function find({ account, params }: UserCall): Session {
  const found = sessionsOf(account.person).find(({ id }) => id === params['id']);
  if (!found) throw new RefusalError('not_found', 'Workout not found');
  return found;
}

function graph(call: UserCall): ApiResponse {
  if (!(Number(call.query.get('every_n') ?? 5) >= 1)) throw invalid('Invalid every_n');
  return { body: graphOf(call.account.person, find(call)) };
}

function settings(call: UserCall): ApiResponse {
  assertOwn(call);
  return { body: { distance_unit: isImperial(call.account.person) ? 'imperial' : 'metric' } };
}

const get = { method: 'GET', auth: 'user' } as const;

export const dataRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'me', path: '/api/me', respond: me },
  { ...get, kind: 'workouts', path: '/api/user/:id/workouts', respond: list },
  { ...get, kind: 'settings', path: '/api/user/:id/settings', respond: settings },
  { ...get, kind: 'workout', path: '/api/workout/:id', respond: (call: UserCall) => ({ body: detailOf(call.account, find(call)) }) },
  { ...get, kind: 'graph', path: '/api/workout/:id/performance_graph', respond: graph },
];
