import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Quarantined } from '@pulsewire/contract';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, type FakeCall } from '../kit/testing/fake-http.ts';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { MappedRecords, PulledPage, PullWindow } from '../kit/types/connector.ts';
import { wahoo } from './connector.ts';
import { mapUser } from './mappers/map-user.ts';
import { mapWorkout } from './mappers/map-workout.ts';
import { createContext } from './wahoo.ts';
import { readDone } from './workout.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/New_York',
  providerUserId: '60462',
  grantedScopes: [],
  account: { weight_kg: 61.5, weight_day: '2026-05-01' },
};
const context = createContext(user);

function mapOne(body: unknown): MappedRecords {
  const quarantined: Quarantined[] = [];
  const done = readEach('workouts', new JsonNode([body]), quarantined, readDone);
  return { records: done.flatMap((workout) => mapWorkout(workout, null, context, quarantined)), quarantined };
}

describeMappers(import.meta.url, { workout: mapOne, 'workout-2022': mapOne, user: (body) => mapUser(body, context) });

const fitFiles = JSON.parse(await readFile(new URL('../kit/fit/fixtures/fit-cases.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;
const fitFile = (name: string) => Buffer.from(fitFiles[name] ?? '', 'hex');

type Body = Readonly<Record<string, unknown>>;

const workout = JSON.parse(await readFile(new URL('fixtures/workout.json', import.meta.url), 'utf8')) as Body & {
  readonly workout_summary: Body;
};
const withSummary = (changed: Body): Body => ({ ...workout, workout_summary: { ...workout.workout_summary, ...changed } });

describe('a workout', () => {
  it.each([
    ['only planned', { ...workout, workout_summary: null }],
    ['with an empty summary', { ...workout, workout_summary: {} }],
    ['recorded by another company', withSummary({ fitness_app_id: 1005 })],
  ])('%s is left out', (_name, body) => {
    expect(mapOne(body)).toEqual({ records: [], quarantined: [] });
  });

  it('that was entered manually has the source type of an app', () => {
    expect(mapOne(withSummary({ manual: true })).records).toMatchObject([{ source: { type: 'app' } }]);
    expect(mapOne({ ...workout, workout_token: 'ELEMNT RIVAL 1234' }).records).toMatchObject([{ source: { type: 'watch' } }]);
  });

  it('without a zone has the offset of the user', () => {
    expect(mapOne(withSummary({ time_zone: null })).records).toMatchObject([
      { calendarDate: '2026-05-14', data: { timezone_offset: -14_400 } },
    ]);
  });
});

const [pull] = wahoo.pulls;

async function read(respond: (call: FakeCall) => unknown, window: PullWindow) {
  const http = createFakeHttp(respond);
  const pages: PulledPage[] = [];
  for await (const page of pull?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? []) pages.push(page);
  return { http, pages, records: pages.flatMap(({ records }) => records), quarantined: pages.flatMap(({ quarantined }) => quarantined) };
}

describe('a window', () => {
  const window = { startDate: '2026-05-14', endDate: '2026-05-14' };

  it('takes workouts planned for other days, and reads one without a summary by itself', async () => {
    const planned = { ...workout, id: 1, starts: '2026-06-20T21:00:00.000Z', workout_summary: null };
    const bare = { ...workout, id: 3, workout_summary: null };
    const { http, records } = await read(({ path, query }) => {
      if (path === '/v1/workouts/3') return { ...workout, id: 3 };
      if (path !== '/v1/workouts') throw providerError('provider_permanent', { status: 404 });
      return {
        workouts: query?.['page'] === '1' ? [planned, workout, bare, { ...workout, id: 4, starts: '2026-05-01T08:00:00.000Z' }] : [],
      };
    }, window);
    expect(records.map((record) => record.kind === 'summary' && record.data['provider_id'])).toEqual(['4001', '3', '4']);
    expect(http.paths.filter((path) => path.startsWith('/v1/workouts?'))).toHaveLength(1);
  });

  it('requests a file without the token, and again with it when that is rejected', async () => {
    const requested: (boolean | undefined)[] = [];
    const { quarantined, records } = await read(({ path, query, isAnonymous }) => {
      if (path === '/v1/workouts') return { workouts: query?.['page'] === '1' ? [workout] : [] };
      requested.push(isAnonymous);
      if (isAnonymous) throw providerError('provider_token_expired', { status: 401 });
      return Buffer.from('no FIT file');
    }, window);
    expect(requested).toEqual([true, undefined]);
    expect(records).toHaveLength(1);
    expect(quarantined).toEqual([{ resource: 'workout_stream', reason: 'unknown_shape', pointer: '/file' }]);
  });
});

describe('a workout', () => {
  it.each([
    ['that can be read replaces an earlier copy', () => fitFile('fit-two-sessions'), true],
    ['that is gone never replaces what was read of it before', () => undefined, false],
    ['that is damaged never replaces what was read of it before', () => Buffer.from('no FIT file'), false],
  ])('with a file %s', async (_name, respond, replaces) => {
    const { pages } = await read(
      ({ path, query }) => {
        if (path === '/v1/workouts') return { workouts: query?.['page'] === '1' ? [workout] : [] };
        const file = respond();
        if (file === undefined) throw providerError('provider_permanent', { status: 404 });
        return file;
      },
      { startDate: '2026-05-14', endDate: '2026-05-14' },
    );
    const [page] = pages.filter(({ records }) => records.length > 0);
    expect(page?.version !== 0n).toBe(replaces);
  });
});

describe('a list', () => {
  const window = { startDate: '2026-05-14', endDate: '2026-05-14' };
  const { file: _file, ...withoutFile } = workout.workout_summary;
  const listed = { ...workout, workout_summary: withoutFile };

  it('without the address of a file leads to the workout itself, which has it', async () => {
    const { http, records } = await read(({ path, query }) => {
      if (path === '/v1/workouts') return { workouts: query?.['page'] === '1' ? [listed] : [] };
      return path === '/v1/workouts/4001' ? workout : fitFile('fit-two-sessions');
    }, window);
    expect(http.paths).toContain('/v1/workouts/4001');
    expect(records.map(({ kind }) => kind)).toEqual(['summary', 'stream']);
    expect(records[0]).toMatchObject({ data: { max_hr: 180, sport: { slug: 'multisport' } } });
  });

  it.each(['', null, undefined, 'None'])('with %j for the power has a workout without power', async (power) => {
    const { records, quarantined } = await read(({ path, query }) => {
      if (path === '/v1/workouts') return { workouts: query?.['page'] === '1' ? [withSummary({ power_avg: power })] : [] };
      throw providerError('provider_permanent', { status: 404 });
    }, window);
    expect(quarantined).toEqual([{ resource: 'workout_stream', reason: 'missing_field', pointer: '/file' }]);
    expect(records).toMatchObject([{ data: { average_watts: null, average_hr: expect.any(Number) as number } }]);
  });

  it('with a figure that cannot be read loses only this figure', () => {
    const { records, quarantined } = mapOne(withSummary({ power_avg: 'strong' }));
    expect(records).toMatchObject([{ data: { average_watts: null, average_hr: expect.any(Number) as number } }]);
    expect(quarantined).toEqual([{ resource: 'workouts', reason: 'bad_number', pointer: '/0/workout_summary/power_avg' }]);
  });

  it.each(['fit-local-garbage', 'fit-power-on-times'])('dates a workout whose file has a wrong clock: %s', async (name) => {
    const { started_at: _start, time_zone: _zone, ...undated } = workout.workout_summary;
    const planned = { ...workout, starts: '2026-05-14T10:00:00.000Z', workout_summary: undated };
    const { records, quarantined } = await read(({ path, query }) => {
      if (path === '/v1/workouts') return { workouts: query?.['page'] === '1' ? [planned] : [] };
      return fitFile(name);
    }, window);
    expect(records[0]).toMatchObject({ calendarDate: '2026-05-14', data: { time_start: '2026-05-14T10:00:00+00:00' } });
    expect(quarantined).toMatchObject([{ resource: 'workout_stream', reason: 'bad_time' }]);
  });
});

describe('a pushed workout', () => {
  async function readPushed(respond: (call: FakeCall) => unknown) {
    const pages: PulledPage[] = [];
    const call = { http: createFakeHttp(respond), user, objectId: '4001', signal: AbortSignal.timeout(10_000) };
    for await (const page of pull?.pullObject?.(call) ?? []) pages.push(page);
    return pages.flatMap(({ records }) => records);
  }
  const isGone = ({ path }: FakeCall, listed: readonly object[]) => {
    if (path === '/v1/workouts') return { workouts: listed };
    throw providerError('provider_permanent', { status: 404 });
  };

  it('that is gone is removed, whatever kind of source it had', async () => {
    const records = await readPushed((call) => isGone(call, []));
    const [stored] = mapOne(workout).records;
    expect(records).toContainEqual({ kind: 'summary_removal', resource: 'workouts', id: stored?.kind === 'summary' && stored.id });
    expect(records).toHaveLength(4);
  });

  it('that is still listed is kept', async () => {
    expect(await readPushed((call) => isGone(call, [{ id: 4001 }]))).toEqual([]);
  });
});

describe('a push', () => {
  const body = { event_type: 'workout_summary', webhook_token: 'portal-token', user: { id: 60462 } };
  const raw = (value: object) => ({ method: 'POST', headers: {}, query: {}, body: Buffer.from(JSON.stringify(value)) });
  const parse = (value: object) => wahoo.push?.parse(raw(value)).notices;

  it('names the workout, or its day when it is not nested in the summary', () => {
    const summary = { ...workout.workout_summary, workout: { id: 4001 } };
    expect(parse({ ...body, workout_summary: summary })).toMatchObject([{ kind: 'object', objectId: '4001', providerUserId: '60462' }]);
    expect(parse({ ...body, workout_summary: workout.workout_summary })).toMatchObject([
      { kind: 'changed', window: { startDate: '2026-05-14' } },
    ]);
    expect(parse({ ...body, event_type: 'another' })).toEqual([]);
  });

  it('with another token is rejected once the operator has set it', () => {
    const application = { clientId: 'a', clientSecret: 'b' };
    const proof = { application, subscriptionSecret: null, now: new Date() };
    const guarded = wahoo.configure?.({ webhookToken: 'portal-token' }).push;
    expect(guarded?.verify(raw(body), proof)).toBe(true);
    expect(guarded?.verify(raw({ ...body, webhook_token: 'other' }), proof)).toBe(false);
    expect(guarded?.verify({ ...raw({}), body: Buffer.from('{') }, proof)).toBe(false);
    expect(wahoo.push?.verify(raw(body), proof)).toBe(true);
  });
});

describe('a rejected refresh', () => {
  it('means an invalid token only without a body, and has its own code for too many tokens', () => {
    const errorOf = wahoo.oauth?.readTokenError;
    expect(errorOf?.({ status: 400, body: undefined })).toBe('invalid_grant');
    const tooMany = { error: 'Too many unrevoked access tokens exist for this app and user' };
    expect(errorOf?.({ status: 400, body: tooMany })).toBe('too_many_tokens');
    expect(errorOf?.({ status: 400, body: { error: 'Bad request' } })).toBeNull();
    expect(errorOf?.({ status: 503, body: undefined })).toBeNull();
  });
});
