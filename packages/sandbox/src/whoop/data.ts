import { dayMs } from '@pulsewire/kernel';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { PersonDay, Stage, StageSpan } from '../kit/person/types.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { hasCycle, recordOf } from './cycles.ts';
import { napOf } from './naps.ts';
import { during } from './texts.ts';

const windowDaysMax = 200;
const recordsMax = 26;
const metricSteps: ReadonlySet<string> = new Set(['6', '60', '600']);

function rangeOf({ query }: UserCall, first: string, last: string): readonly [fromMs: number, toMs: number] {
  const [fromMs, toMs] = [Date.parse(query.get(first) ?? ''), Date.parse(query.get(last) ?? '')];
  if (Number.isNaN(fromMs) || Number.isNaN(toMs) || toMs <= fromMs) throw invalid('Invalid times');
  return [fromMs, toMs];
}

function daysOf({ account: { person } }: UserCall, fromMs: number, toMs: number): readonly PersonDay[] {
  return person.days(person.zone.toLocal(fromMs).date, person.zone.toLocal(toMs).date);
}

function cycles(call: UserCall): ApiResponse {
  const [fromMs, toMs] = rangeOf(call, 'startTime', 'endTime');
  const { account, query } = call;
  if (query.get('id') !== account.providerUserId) throw new RefusalError('not_found', 'No such user');
  if (toMs - fromMs > windowDaysMax * dayMs) throw invalid('The range is too long');
  const found = daysOf(call, fromMs, toMs).filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs);
  const limit = Math.min(recordsMax, Number(query.get('limit') ?? 10));
  const newest = found.filter(hasCycle).toReversed().slice(0, limit);
  return { body: { records: newest.map((day) => recordOf(account.person, day)) } };
}

const eventTypes: Readonly<Record<Stage, string>> = { light: 'LIGHT', deep: 'SWS', rem: 'REM', awake: 'WAKE' };
const event = (type: string, startMs: number, endMs: number) => ({ during: during(startMs, endMs), type });

/** Falling asleep has a separate stage, and a disturbance overlaps the stage in which it happened. */
function eventsOf({ stage, startMs, endMs }: StageSpan, index: number): readonly object[] {
  if (index === 0 && stage === 'awake') {
    const middleMs = (startMs + endMs) / 2;
    return [event('LATENCY', startMs, middleMs), event('WAKE', middleMs, endMs)];
  }
  const middleMs = (startMs + endMs) / 2;
  return [event(eventTypes[stage], startMs, endMs), ...(stage === 'rem' ? [event('DISTURBANCES', middleMs, middleMs + 30_000)] : [])];
}

/** The stages of a night or nap, as a bare list. */
function sleepEvents({ account: { person }, query }: UserCall): ApiResponse {
  const id = query.get('activityId');
  const rests = person.days(person.firstDate, person.today()).flatMap((day) => [...day.sleeps, ...[napOf(person, day) ?? []].flat()]);
  const rest = rests.find(({ uuid }) => uuid === id);
  if (!rest) throw new RefusalError('not_found', 'No such sleep');
  return { body: rest.stages.flatMap(eventsOf) };
}

function metric(call: UserCall): ApiResponse {
  const { account, params, query } = call;
  if (params['id'] !== account.providerUserId) throw new RefusalError('not_found', 'No such user');
  if (query.get('name') !== 'heart_rate') throw invalid('query param name must be one of [heart_rate]');
  if (!metricSteps.has(query.get('step') ?? '')) throw invalid('step must be 6, 60 or 600');
  const [fromMs, toMs] = rangeOf(call, 'start', 'end');
  const values = daysOf(call, fromMs, toMs)
    .flatMap(({ heart }) => heart)
    .filter(({ ms }) => ms >= fromMs && ms < toMs)
    .map(({ ms, value }) => ({ time: ms, data: value }));
  return { body: { name: query.get('name'), start: fromMs, values } };
}

/** Every call contains the API version. */
function versioned(respond: (call: UserCall) => ApiResponse): (call: UserCall) => ApiResponse {
  return (call) => {
    if (call.query.get('apiVersion') !== '7') throw invalid('Unknown version');
    return respond(call);
  };
}

export const dataRoutes: readonly ApiRoute[] = [
  {
    kind: 'bootstrap',
    method: 'GET',
    path: '/users-service/v2/bootstrap/',
    auth: 'user',
    respond: versioned(({ account }) => ({ body: { user: { id: Number(account.providerUserId) }, profile: {} } })),
  },
  { kind: 'cycles', method: 'GET', path: '/core-details-bff/v0/cycles/details', auth: 'user', respond: versioned(cycles) },
  { kind: 'sleep', method: 'GET', path: '/sleep-service/v1/sleep-events', auth: 'user', respond: versioned(sleepEvents) },
  { kind: 'metric', method: 'GET', path: '/metrics-service/v1/metrics/user/:id', auth: 'user', respond: versioned(metric) },
];
