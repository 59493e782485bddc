import { dayMs } from '@pulsewire/kernel';
import { addDays, isDate } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { invalid } from '../kit/parts/refusal.ts';
import {
  activityOf,
  groupsOf,
  heightGroup,
  intradayOf,
  nightOf,
  recordingOf,
  seconds,
  signal,
  stretchesOf,
  workoutOf,
  type Group,
} from './documents.ts';

const perPage = 5;

type Action = (call: UserCall) => object;

/** A page of a list; `more` is true at some services and 1 at others. */
function pageOf({ form }: UserCall, key: string, items: readonly unknown[], isMore: true | 1 = true): object {
  const from = Number(form.get('offset') ?? 0);
  const hasMore = from + perPage < items.length;
  return {
    [key]: items.slice(from, from + perPage),
    more: hasMore ? isMore : isMore === 1 ? 0 : false,
    offset: hasMore ? from + perPage : 0,
  };
}

/** Returns only the requested fields. */
function picked(call: UserCall, body: Readonly<Record<string, unknown>>): object {
  const wanted = new Set((call.form.get('data_fields') ?? '').split(','));
  return Object.fromEntries(Object.entries(body).filter(([key]) => wanted.has(key)));
}

/** Changed at or after this, in seconds; used instead of dates. */
function changedSince({ form }: UserCall): number | null {
  const text = form.get('lastupdate');
  if (text === null) return null;
  if (!/^\d{1,11}$/.test(text) || form.has('startdate') || form.has('startdateymd')) throw invalid('Invalid Params: invalid lastupdate');
  return Number(text);
}

/** All days when changes are requested; the caller filters what did not change. */
function requestedDays(call: UserCall): readonly PersonDay[] {
  const { form, account } = call;
  const { person } = account;
  if (changedSince(call) !== null) return person.days(person.firstDate, person.today());
  const [from, to] = [form.get('startdateymd') ?? '', form.get('enddateymd') ?? ''];
  if (!isDate(from) || !isDate(to) || to < from) throw invalid('Invalid Params: invalid dates');
  return person.days(from, to);
}

function requestedInstants({ form }: UserCall, spanMsMax = Number.POSITIVE_INFINITY): readonly [fromMs: number, toMs: number] {
  const [from, to] = [Number(form.get('startdate') ?? Number.NaN), Number(form.get('enddate') ?? Number.NaN)];
  if (!(to >= from)) throw invalid('Invalid Params: invalid dates');
  // Longer ranges are cut silently.
  return [from * 1000, Math.min(to * 1000, from * 1000 + spanMsMax)];
}

type Row = Readonly<Record<string, unknown>>;

/** The rows that changed since the requested time; all rows for a request by dates. */
function onlyChanged<Each extends Row>(call: UserCall, rows: readonly Each[]): readonly Each[] {
  const since = changedSince(call);
  return since === null ? rows : rows.filter(({ modified }) => Number(modified) >= since);
}

const daysAround = (person: Person, fromMs: number, toMs: number) =>
  person.days(person.zone.toLocal(fromMs).date, addDays(person.zone.toLocal(toMs).date, 1));

/** Groups of a time range, or those that changed. The height is separate: it is requested without either. */
function requestedGroups(call: UserCall, types: ReadonlySet<number>): readonly Group['body'][] {
  const { person } = call.account;
  if (types.has(4) && types.size === 1) return [heightGroup(person).body];
  if (changedSince(call) !== null) {
    const all = requestedDays(call).flatMap((day) => groupsOf(person, day));
    return onlyChanged(
      call,
      all.map(({ body }) => body),
    );
  }
  const [fromMs, toMs] = requestedInstants(call);
  const around = daysAround(person, fromMs, toMs).flatMap((day) => groupsOf(person, day));
  return around.filter(({ ms }) => ms >= fromMs && ms < toMs).map(({ body }) => body);
}

function getMeasures(call: UserCall): object {
  const { person } = call.account;
  const types = new Set((call.form.get('meastypes') ?? '').split(',').map(Number));
  const groups = requestedGroups(call, types).map((body) => ({ ...body, measures: body.measures.filter(({ type }) => types.has(type)) }));
  return { updatetime: seconds(call.parts.clock.wallMs()), timezone: person.zone.name, ...pageOf(call, 'measuregrps', groups, 1) };
}

function getIntraday(call: UserCall): object {
  const { person } = call.account;
  const [fromMs, toMs] = requestedInstants(call, dayMs);
  const entries = daysAround(person, fromMs, toMs)
    .flatMap((day) => [...intradayOf(day)])
    .filter(([ms]) => ms >= fromMs && ms < toMs)
    .map(([ms, values]) => [seconds(ms), { deviceid: 'cd34', model: 'ScanWatch', model_id: 93, ...picked(call, values) }] as const);
  // An empty object is written as an empty list.
  return { series: entries.length === 0 ? [] : Object.fromEntries(entries) };
}

const withFields = (call: UserCall, row: Readonly<Record<string, unknown>>): object => ({
  ...row,
  data: picked(call, row['data'] as Readonly<Record<string, unknown>>),
});

/** A day's row in which only the figures are a matter of fields. */
function activityRow(call: UserCall, day: PersonDay): Row {
  const { date, timezone, deviceid, brand, is_tracker, modified, ...figures } = activityOf(call.account.person, day);
  return { date, timezone, deviceid, brand, is_tracker, modified, ...picked(call, figures) };
}

function getDetail(call: UserCall): object {
  const { person } = call.account;
  const [fromMs, toMs] = requestedInstants(call, dayMs);
  const sleeps = daysAround(person, fromMs, toMs).flatMap((day) => day.sleeps);
  const stretches = sleeps.filter((sleep) => sleep.startMs < toMs && sleep.endMs > fromMs).flatMap(stretchesOf);
  return { series: stretches, model: 16 };
}

function listRecordings(call: UserCall): object {
  const { person } = call.account;
  const [fromMs, toMs] = requestedInstants(call);
  const found = daysAround(person, fromMs, toMs).flatMap((day) => recordingOf(person, day) ?? []);
  return pageOf(
    call,
    'series',
    found.filter(({ ms }) => ms >= fromMs && ms < toMs).map(({ body }) => body),
  );
}

function getDevices({ account: { person } }: UserCall): object {
  const last_session_date = seconds(person.syncedMs());
  return { devices: [{ type: 'Activity Tracker', model: 'ScanWatch', deviceid: 'cd34', timezone: person.zone.name, last_session_date }] };
}

function service(path: string, scope: string, actions: Readonly<Record<string, Action>>): ApiRoute {
  return {
    kind: path,
    method: 'POST',
    path,
    auth: 'user',
    scope,
    respond(call): ApiResponse {
      const action = actions[call.form.get('action') ?? ''];
      if (!action) throw invalid('Invalid Params: unknown action');
      return { body: { status: 0, body: action(call) } };
    },
  };
}

/** The data services: one path each; the form selects the action and the data. */
export const serviceRoutes: readonly ApiRoute[] = [
  service('/measure', 'user.metrics', { getmeas: getMeasures }),
  service('/v2/measure', 'user.activity', {
    getactivity: (call) =>
      pageOf(
        call,
        'activities',
        onlyChanged(
          call,
          requestedDays(call).map((day) => activityRow(call, day)),
        ),
      ),
    getintradayactivity: getIntraday,
    getworkouts(call) {
      const rows = requestedDays(call).flatMap(({ date, workouts }) =>
        workouts.map((workout) => workoutOf(call.account.person, date, workout)),
      );
      return pageOf(
        call,
        'series',
        onlyChanged(call, rows).map((row) => withFields(call, row)),
      );
    },
  }),
  service('/v2/sleep', 'user.activity', {
    getsummary(call) {
      const rows = requestedDays(call).flatMap(({ date, sleeps }) => sleeps.map((sleep) => nightOf(call.account.person, date, sleep)));
      return pageOf(
        call,
        'series',
        onlyChanged(call, rows).map((row) => withFields(call, row)),
      );
    },
    get: getDetail,
  }),
  service('/v2/heart', 'user.metrics', {
    list: listRecordings,
    get: () => ({ signal, sampling_frequency: 300, wearposition: 0 }),
  }),
  service('/v2/user', 'user.info', { getdevice: getDevices }),
];
