import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { dayNumber, isDate } from '../model/calendar.ts';
import { glucoseMetrics, ringMetrics } from './metrics.ts';

/** People of this name have an account and no ring: every day is rejected with an empty response. */
const ringless = 'Ringless';

/** Nothing that these people get states a zone, on any day; only the instants of their midnights do. */
const zoneless = 'Zoneless';

/** Some responses have the id at the top, others in `data`; not all have a zone. */
function userInfo({ account: { providerUserId, name, email, person } }: UserCall): ApiResponse {
  const id = Number(providerUserId);
  if (id % 2 === 0 || name.startsWith(zoneless)) return { body: { user_id: id, username: name, email } };
  return { body: { data: { id, email, timezone: person.zone.name }, error: null, status: 200 } };
}

/** Even days come as a list, odd ones as a map of days with the person's present zone. */
function metrics({ account, grant, query }: UserCall): ApiResponse {
  const { person, name } = account;
  const date = query.get('date') ?? '';
  if (!isDate(date)) throw invalid('Invalid date');
  if (name.startsWith(ringless)) return { status: 403, text: '' };
  if (date < person.firstDate) throw new RefusalError('not_found', 'No data for this day');
  const isMap = dayNumber(date) % 2 !== 0;
  const [day] = person.days(date, date);
  const found = day && [
    ...(grant.scopes.includes('ring_data') ? ringMetrics(person, day, isMap) : []),
    ...(grant.scopes.includes('cgm_data') ? glucoseMetrics(day) : []),
  ];
  if (!isMap) return { body: { data: { metric_data: found ?? [] }, error: null, status: 200 } };
  const zone = name.startsWith(zoneless) ? {} : { latest_time_zone: person.zone.name };
  return { body: { data: { metrics: found ? { [date]: found } : {}, ...zone }, error: null, status: 'ok' } };
}

const get = { method: 'GET', auth: 'user' } as const;

export const ultrahumanRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'user_info', path: '/user_data/user_info', scope: 'profile', respond: userInfo },
  { ...get, kind: 'metrics', path: '/user_data/metrics', respond: metrics },
];
