import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { readDexcomAccount } from './account.ts';
import { dexcomV3 } from './connector.ts';
import { createContext } from './dexcom.ts';
import { mapEgvs } from './mappers/map-egvs.ts';
import { mapEvents } from './mappers/map-events.ts';
import { dexcomPulls } from './pulls/all.ts';

const userOf = (fallbackTimeZone: string | null) => ({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone,
  providerUserId: 'u1',
  grantedScopes: [],
  account: {},
});
const context = createContext(userOf(null));
const window: PullWindow = { startDate: '2025-05-01', endDate: '2025-05-01' };
describeMappers(import.meta.url, {
  egvs: (body) => mapEgvs(body, window, context),
  events: (body) => mapEvents(body, window, context),
});

const readFixture = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));

const reading = (systemTime: string, displayTime: string) => ({
  records: [{ recordId: 'r', systemTime, displayTime, value: 100, unit: 'mg/dL' }],
});
const timesOf = (body: unknown, maker = context) =>
  mapEgvs(body, { startDate: '2025-04-01', endDate: '2025-06-01' }, maker).records.flatMap((record) =>
    record.kind === 'samples' ? record.samples.map(({ ts, timezoneOffset }) => [new Date(ts).toISOString(), timezoneOffset]) : [],
  );

describe('Dexcom records', () => {
  it('use the offset that a phone writes, and never the difference of two instants', () => {
    expect(timesOf(reading('2025-05-01T10:00:00Z', '2025-05-01T15:45:00+05:45'))).toEqual([['2025-05-01T10:00:00.000Z', 20_700]]);
  });

  it('parse offsets without minutes and with seconds, rounded to a quarter of an hour', () => {
    const at = (displayTime: string) => timesOf(reading('2025-05-01T10:00:00Z', displayTime)).map(([, offset]) => offset);
    expect(['2025-05-01T06:00:29-04:00:29', '2025-05-01T06:00:00-04', '2025-05-01T06:00:00-0400'].map(at)).toEqual([
      [-14_400],
      [-14_400],
      [-14_400],
    ]);
    expect(['2025-05-01T06:00:00-04:00:99', '2025-05-01T06:00:00-19'].map(at)).toEqual([[], []]);
  });

  it('keep insulin of unknown type and exercise of unknown duration as notes', async () => {
    const notes = mapEvents(await readFixture('events'), window, context).records.flatMap((record) =>
      record.kind === 'samples' && record.resource === 'note' ? record.samples.map(({ extra }) => [extra?.['text'], extra?.['tags']]) : [],
    );
    expect(notes).toEqual([
      ['stress', ['unspecified']],
      ['New sensor', ['unspecified']],
      ['4 units', ['insulin_injection']],
      ['2.5 units', ['insulin_injection']],
      ['light', ['exercise']],
      ['exercise', ['exercise']],
    ]);
  });

  it('use the difference of a receiver’s two clocks, rounded to a quarter of an hour', () => {
    expect(timesOf(reading('2025-05-01T10:00:00', '2025-05-01T05:57:30'))).toEqual([['2025-05-01T10:00:00.000Z', -14_400]]);
    expect(timesOf(reading('2025-05-01T10:00:00', '2025-05-01T09:57:00'))).toEqual([['2025-05-01T10:00:00.000Z', 0]]);
  });

  it('use the user’s fallback zone, or no offset, when a receiver’s clock was never set', () => {
    const unset = reading('2025-05-01T10:00:00', '2008-01-01T00:00:00');
    expect(timesOf(unset, createContext(userOf('Europe/Berlin')))).toEqual([['2025-05-01T10:00:00.000Z', 7200]]);
    expect(timesOf(unset)).toEqual([['2025-05-01T10:00:00.000Z', null]]);
  });

  it('remove a deleted entry, unless another one of its kind exists at the same moment', async () => {
    const removals = mapEvents(await readFixture('events'), window, context).records.filter(({ kind }) => kind === 'sample_removal');
    expect(removals).toMatchObject([
      { resource: 'insulin_injection', subKind: 'long_acting', ts: [Date.parse('2025-05-01T20:00:00Z')] },
      // Deleted with its duration: it may have been stored as either.
      { resource: 'workout_duration', ts: [Date.parse('2025-05-01T18:20:00Z')] },
      { resource: 'note', ts: [Date.parse('2025-05-01T18:20:00Z')] },
    ]);
  });

  it('omit days outside the window', async () => {
    const other = { startDate: '2025-05-02', endDate: '2025-05-03' };
    expect(mapEgvs(await readFixture('egvs'), other, context).records).toEqual([]);
    expect(mapEvents(await readFixture('events'), other, context).records).toEqual([]);
  });
});

describe('a Dexcom account', () => {
  it('is identified by the id in its data range, with the zone of its last reading', async () => {
    const end = { systemTime: '2025-05-01T10:00:05Z', displayTime: '2025-05-01T19:00:05+09:00' };
    const facts = (body: unknown) => readDexcomAccount({ http: createFakeHttp(() => body), grantedScopes: [], previous: { kept: 1 } });
    expect(await facts({ userId: 'u1', egvs: { start: end, end } })).toEqual({
      providerUserId: 'u1',
      account: { kept: 1, time_zone: 'Etc/GMT-9', last_reading_day: '2025-05-01', unread_since: null },
    });
    expect(await facts({ userId: 'u1', egvs: null })).toEqual({ providerUserId: 'u1', account: { kept: 1 } });
  });
});

it('reads 30 days of history', () => {
  expect([dexcomV3, ...dexcomPulls].map(({ backfillDays }) => backfillDays)).toEqual([30, 30, 30]);
});

describe('readings that a receiver uploads days late', () => {
  const end = { systemTime: '2025-05-20T10:00:05Z', displayTime: '2025-05-20T12:00:05+02:00' };
  const accountAsOf = (day: string | undefined) =>
    readDexcomAccount({
      http: createFakeHttp(() => ({ userId: 'u1', egvs: { start: end, end } })),
      grantedScopes: [],
      previous: day === undefined ? {} : { last_reading_day: day },
    });
  const requestFor = async (account: Record<string, unknown>, live: PullWindow) => {
    const http = createFakeHttp(() => ({ records: [] }));
    const now = new Date('2025-05-20T12:00:00Z');
    const call = { http, user: { ...userOf(null), account }, window: live, now, signal: AbortSignal.timeout(10_000) };
    for (const pull of dexcomPulls) for await (const page of pull.pull(call)) expect(page.quarantined).toEqual([]);
    return http.calls.map(({ path, query }) => [
      path.split('/').at(-1),
      query?.['startDate']?.slice(0, 10),
      query?.['endDate']?.slice(0, 10),
    ]);
  };
  const live = { startDate: '2025-05-18', endDate: '2025-05-20' };

  it('are read from the last known reading on, in pieces of two weeks', async () => {
    const { account } = await accountAsOf('2025-05-02');
    expect(account).toMatchObject({ last_reading_day: '2025-05-20', unread_since: '2025-05-02' });
    const pieces = [
      ['2025-05-01', '2025-05-16'],
      ['2025-05-15', '2025-05-21'],
    ];
    expect(await requestFor(account, live)).toEqual(['egvs', 'events'].flatMap((name) => pieces.map((piece) => [name, ...piece])));
  });

  it('are read from the user’s local day of the last reading, where UTC is a day ahead', async () => {
    const dayOf = async (systemTime: string, displayTime: string | null) => {
      const body = { userId: 'u1', egvs: { start: end, end: { systemTime, displayTime } } };
      return (await readDexcomAccount({ http: createFakeHttp(() => body), grantedScopes: [] })).account['last_reading_day'];
    };
    expect(await dayOf('2025-05-02T03:00:00Z', '2025-05-01T19:00:00-08:00')).toBe('2025-05-01');
    expect(await dayOf('2025-05-01T20:00:00Z', '2025-05-02T05:00:00+09:00')).toBe('2025-05-02');
    expect(await dayOf('2025-05-02T03:00:00Z', null)).toBe('2025-05-01');
  });

  it('are read no further back than history, and do not change historical windows', async () => {
    const { account } = await accountAsOf('2020-01-01');
    expect((await requestFor(account, live))[0]).toEqual(['egvs', '2025-04-19', '2025-05-04']);
    const old = { startDate: '2025-05-03', endDate: '2025-05-04' };
    expect((await requestFor(account, old))[0]).toEqual(['egvs', '2025-05-02', '2025-05-05']);
  });

  it('cause no extra calls when nothing was late', async () => {
    for (const day of [undefined, '2025-05-19', '2025-05-20']) {
      expect((await requestFor((await accountAsOf(day)).account, live))[0]).toEqual(['egvs', '2025-05-17', '2025-05-21']);
    }
  });
});
