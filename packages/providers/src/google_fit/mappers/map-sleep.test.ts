import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createContext } from '../google-fit.ts';
import { mapSleep } from './map-sleep.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Berlin',
  providerUserId: '1',
  grantedScopes: [],
  account: {},
});
const window = { startDate: '2026-11-01', endDate: '2026-11-30' };
const nested = JSON.parse(await readFile(new URL('sleep-nested.json', import.meta.url), 'utf8')) as {
  readonly calls: readonly { readonly answer: { readonly session?: unknown; readonly point?: readonly object[] } }[];
  readonly right: object;
};

const startMs = Date.UTC(2026, 10, 19, 22);
const minute = (minutes: number) => startMs + minutes * 60_000;
const session = (id: string, from: number, to: number, packageName = 'com.example.sleep') => ({
  id,
  activityType: 72,
  startTimeMillis: String(minute(from)),
  endTimeMillis: String(minute(to)),
  application: { packageName },
});
const segment = (kind: number, from: number, to: number, packageName = 'com.example.sleep') => ({
  startTimeNanos: `${minute(from)}000000`,
  endTimeNanos: `${minute(to)}000000`,
  originDataSourceId: `raw:com.google.sleep.segment:${packageName}:x`,
  value: [{ intVal: kind }],
});
function nightsOf(sessions: readonly object[], segments: readonly object[]) {
  const { records, quarantined } = mapSleep({ session: sessions }, [{ point: segments }], window, context);
  expect(quarantined).toEqual([]);
  return records.flatMap((record) => (record.kind === 'summary' && record.resource === 'sleep' ? [record.data] : []));
}

it('counts deep, REM and awake segments inside a light one', () => {
  const [list, points] = nested.calls.map(({ answer }) => answer);
  for (const point of [points?.point ?? [], (points?.point ?? []).toReversed()]) {
    const { records } = mapSleep(list, [{ point }], window, context);
    expect(records).toMatchObject([{ data: nested.right }, { resource: 'sleep_cycle' }]);
  }
});

it('counts a session without segments beside one of the same night that has them', () => {
  const sessions = [session('a', 0, 240), session('b', 250, 400)];
  expect(nightsOf(sessions, [segment(5, 0, 60), segment(4, 60, 240)])).toMatchObject([
    { deep: 3600, light: 180 * 60 + 150 * 60, awake: 0, total: 390 * 60 },
  ]);
});

it('counts time once when an app wrote a session without segments several times', () => {
  expect(nightsOf([session('a', 0, 240), session('b', 0, 400), session('c', 60, 120)], [])).toMatchObject([
    { total: 24_000, efficiency: 100 },
  ]);
});

it('builds the night of an app without segments from its session, not from the segments of another app', () => {
  const sessions = [session('a', 0, 400), session('b', 30, 300, 'com.example.band')];
  const nights = nightsOf(sessions, [segment(5, 30, 90, 'com.example.band'), segment(1, 90, 300, 'com.example.band')]);
  expect(nights).toMatchObject([
    { total: 24_000, deep: 0 },
    { deep: 3600, awake: 12_600 },
  ]);
});
