import { dayMs } from '@pulsewire/kernel';
import { addDays, isDate } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { documents, type Document } from './documents.ts';

const root = '/v2/usercollection';
/** The scope of each collection of documents. */
export const scopeOf: Readonly<Record<string, string>> = {
  daily_activity: 'daily',
  sleep: 'daily',
  daily_sleep: 'daily',
  daily_readiness: 'daily',
  daily_spo2: 'spo2',
  vO2_max: 'heart_health',
  workout: 'workout',
  session: 'session',
  enhanced_tag: 'tag',
};
const documentsPerPage = 20;
const readingsPerPage = 2000;
const heartrateDaysMax = 30;

/** A page and the token of the next one; the token contains the whole query, because it replaces the dates. */
function pageOf(items: readonly unknown[], question: string, position: number, size: number): ApiResponse {
  const next = position + size < items.length ? Buffer.from(`${position + size} ${question}`).toString('base64url') : null;
  return { body: { data: items.slice(position, position + size), next_token: next } };
}

/** The query and the position in its results: from the token, or from the request. */
function requestFor({ query }: UserCall): { readonly query: URLSearchParams; readonly position: number } {
  const token = query.get('next_token');
  if (token === null) return { query, position: 0 };
  const [position, question = ''] = Buffer.from(token, 'base64url').toString().split(' ');
  return { query: new URLSearchParams(question), position: Number(position) };
}

function pick(body: Readonly<Record<string, unknown>>, fields: string | null): Readonly<Record<string, unknown>> {
  if (fields === null) return body;
  const wanted = new Set(fields.split(','));
  return Object.fromEntries(Object.entries(body).filter(([key]) => wanted.has(key)));
}

function listDays(call: UserCall, collection: string): ApiResponse {
  const { query, position } = requestFor(call);
  const today = call.account.person.today();
  const [start, end] = [query.get('start_date') ?? addDays(today, -1), query.get('end_date') ?? addDays(today, 1)];
  if (!isDate(start) || !isDate(end) || end < start) throw new RefusalError('request_invalid', 'Invalid dates', { status: 422 });
  const { person } = call.account;
  // The end is exclusive. Nights count from the day on which they began: one that began before `start_date` is left out.
  const began = ({ body: { bedtime_start: bedtime } }: Document) => (typeof bedtime === 'string' ? bedtime.slice(0, 10) : start);
  const found = person
    .days(start, addDays(end, -1))
    .flatMap((day) => documents[collection]?.(person, day) ?? [])
    .filter((document) => began(document) >= start);
  const items = found.map(({ body }) => pick(body, query.get('fields')));
  return pageOf(items, query.toString(), position, documentsPerPage);
}

function readDocument(call: UserCall, collection: string): ApiResponse {
  const { person } = call.account;
  const id = call.params['id'] ?? '';
  for (const day of person.days(person.firstDate, person.today()).toReversed()) {
    const found = documents[collection]?.(person, day).find((document) => document.id === id);
    if (found) return { body: found.body };
  }
  throw new RefusalError('not_found', 'No such document');
}

function listHeartrate(call: UserCall): ApiResponse {
  const { query, position } = requestFor(call);
  const [fromMs, toMs] = [Date.parse(query.get('start_datetime') ?? ''), Date.parse(query.get('end_datetime') ?? '')];
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) throw invalid('Invalid times');
  if (toMs - fromMs > heartrateDaysMax * dayMs) throw invalid(`At most ${heartrateDaysMax} days`);
  const { person } = call.account;
  const days = person.days(person.zone.toLocal(fromMs).date, person.zone.toLocal(toMs).date);
  const items = days
    .flatMap(({ heart }) => heart)
    .filter(({ ms }) => ms >= fromMs && ms < toMs)
    .map(({ ms, value }) => ({ timestamp: new Date(ms).toISOString(), timestamp_unix: ms, bpm: value, source: 'awake' }));
  return pageOf(items, query.toString(), position, readingsPerPage);
}

function personalInfo({ account: { person, providerUserId, email } }: UserCall): ApiResponse {
  return { body: { id: providerUserId, age: 37, weight: 71.4, height: person.heightCm / 100, biological_sex: person.sex, email } };
}

/** The ring in use, and an earlier one of which less is known. */
function ringConfigurations({ account: { name } }: UserCall): ApiResponse {
  const current = {
    id: uuidOf(`oura ring:${name}`),
    color: 'stealth_black',
    design: 'heritage',
    firmware_version: '2.9.27',
    hardware_type: 'gen3',
    set_up_at: '2024-06-01T08:30:00.000Z',
    size: 9,
  };
  const earlier = {
    id: uuidOf(`oura earlier ring:${name}`),
    color: null,
    design: null,
    firmware_version: null,
    hardware_type: null,
    set_up_at: null,
    size: null,
  };
  return { body: { data: [current, earlier], next_token: null } };
}

export const collectionRoutes: readonly ApiRoute[] = [
  { kind: 'personal_info', method: 'GET', path: `${root}/personal_info`, auth: 'user', scope: 'personal', respond: personalInfo },
  {
    kind: 'ring_configuration',
    method: 'GET',
    path: `${root}/ring_configuration`,
    auth: 'user',
    scope: 'ring_configuration',
    respond: ringConfigurations,
  },
  { kind: 'heartrate', method: 'GET', path: `${root}/heartrate`, auth: 'user', scope: 'heartrate', respond: listHeartrate },
  ...Object.entries(scopeOf).flatMap(([collection, scope]): ApiRoute[] => [
    { kind: collection, method: 'GET', path: `${root}/${collection}`, auth: 'user', scope, respond: (call) => listDays(call, collection) },
    {
      kind: `${collection}.one`,
      method: 'GET',
      path: `${root}/${collection}/:id`,
      auth: 'user',
      scope,
      respond: (call) => readDocument(call, collection),
    },
  ]),
];
