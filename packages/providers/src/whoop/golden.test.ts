import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createFakeHttp, type FakeAnswer } from '../kit/testing/fake-http.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import { providerError } from '../kit/provider-error.ts';
import { historyDepth } from '../kit/history-depth.ts';
import type { PulledPage } from '../kit/types.ts';
import { whoopPulls } from './pulls.ts';
import { parseDuring } from './span.ts';
import { sportSlugOf } from './sports.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '1234567',
  grantedScopes: [],
  account: {},
};
const fileUrl = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const readFixture = async (name: string): Promise<unknown> => JSON.parse(await readFile(fileUrl(`${name}.json`), 'utf8'));

async function run(name: string, answer: FakeAnswer) {
  const http = createFakeHttp(answer);
  const spec = whoopPulls.find((pull) => pull.name === name);
  const pages: PulledPage[] = [];
  const window = { startDate: '2026-03-10', endDate: '2026-03-12' };
  for await (const page of spec?.pull({ http, user, window, signal: AbortSignal.timeout(60_000) }) ?? []) pages.push(page);
  return { http, records: pages.flatMap((page) => page.records), quarantined: pages.flatMap((page) => page.quarantined) };
}

async function answers(changed: Readonly<Record<string, unknown>> = {}): Promise<FakeAnswer> {
  const bodies = { details: await readFixture('cycles'), 'sleep-events': await readFixture('sleep'), ...changed };
  const heart = await readFixture('heartrate');
  return ({ path, query }) => {
    if (query?.['name'] === 'steps') throw providerError('provider_permanent', { status: 400 });
    return query?.['name'] === 'heart_rate' ? heart : bodies[path.split('/').at(-1) as keyof typeof bodies];
  };
}

it.each(['cycles', 'metrics'])('%s: gives the records of its golden file', async (name) => {
  const { records, quarantined } = await run(name, await answers());
  expect(unsoundRecords(records)).toEqual([]);
  await expect(`${JSON.stringify({ records, quarantined }, null, 2)}\n`).toMatchFileSnapshot(fileUrl(`${name}.expected.json`).pathname);
});

it.each([undefined, null, 7, 'text', [], {}, [null], { cycles: [null] }])('sets %j aside without failing', async (body) => {
  for (const { name } of whoopPulls) expect((await run(name, () => body)).records).toEqual([]);
});

it('has no night while its score is being worked out, nor where it is gone', async () => {
  const pending = { during: "['2026-03-11T03:00:00.000Z','2026-03-11T10:30:00.000Z')", score_state: 'PENDING_SCORE', stages: [] };
  const withNight = async (night: unknown) =>
    (await run('cycles', await answers({ 'sleep-events': night }))).records.map(({ resource }) => resource);
  expect(await withNight(pending)).toEqual(['activity', 'workouts']);
  const whole = await answers();
  const { records } = await run('cycles', (call) => {
    if (call.path.endsWith('sleep-events')) throw providerError('provider_permanent', { status: 404 });
    return whole(call);
  });
  expect(records.map(({ resource }) => resource)).toEqual(['activity', 'workouts']);
});

it('takes the sums of the score for lengths of stages where it has them, and hrv in milliseconds under its newer name', async () => {
  const sums = {
    total_awake_time_milli: 600_000,
    total_light_sleep_time_milli: 7_200_000,
    total_slow_wave_sleep_time_milli: 3_600_000,
    total_rem_sleep_time_milli: 5_400_000,
  };
  const night = { during: "['2026-03-11T03:00:00.000Z','2026-03-11T10:30:00.000Z')", score: { stage_summary: sums }, stages: [] };
  const cycle = {
    days: ['2026-03-11'],
    during: "['2026-03-11T03:00:00.000Z','2026-03-12T03:10:00.000Z')",
    recovery: { hrv_rmssd_milli: 65.2 },
    sleep: { id: 'a' },
  };
  const { records } = await run('cycles', await answers({ details: { records: [cycle] }, 'sleep-events': night }));
  expect(records).toMatchObject([
    { resource: 'sleep', data: { light: 7200, deep: 3600, rem: 5400, awake: 600, average_hrv: 65.2 } },
    { resource: 'hrv' },
  ]);
});

it('does not say what the clock showed in a cycle after which it showed something else', async () => {
  const cycle = (day: number, offset: string) => ({
    days: [`2026-03-${day}`],
    during: `['2026-03-${day}T05:00:00Z','2026-03-${day + 1}T05:00:00Z')`,
    timezone_offset: offset,
  });
  const details = { cycles: [cycle(12, '-04:00'), cycle(11, '-04:00'), cycle(10, '-05:00')] };
  const { records } = await run('metrics', await answers({ details }));
  expect(records.map((record) => (record.kind === 'samples' ? record.samples[0]?.timezoneOffset : undefined))).toEqual([
    -14_400,
    -14_400,
    null,
  ]);
});

it('reads again as many days of heart rate as of nights, in one window, for straps hand over late', () => {
  expect(whoopPulls.map(({ rereadDays, chunkDays }) => [rereadDays, chunkDays > rereadDays])).toEqual([
    [3, true],
    [3, true],
  ]);
});

it('goes back a year for a team that wants it, with the seconds of the heart two weeks', () => {
  expect(whoopPulls.map((pull) => [historyDepth(pull, null), historyDepth(pull, 365)])).toEqual([
    [180, 365],
    [14, 14],
  ]);
});

it('knows the sports by their numbers, and takes what is no number of a sport for another one', () => {
  expect([0, 30, 123, 231, 9999, '0', null].map(sportSlugOf)).toEqual([
    'running',
    'football',
    'strength_training',
    'badminton',
    'other',
    'other',
    'other',
  ]);
});

it('reads ranges as a database writes them, and no other text', () => {
  expect(parseDuring("['2026-03-11T03:00:00Z','2026-03-11T03:00:01Z')")).toEqual({ startMs: 1773198000000, endMs: 1773198001000 });
  expect(parseDuring('[2026-03-11T03:00:00Z,)')).toEqual({ startMs: 1773198000000, endMs: null });
  const unread = ['', '[,)', "['2026-03-11T03:00:00Z']", "['2026-03-11T03:00:00Z','2026-03-10T03:00:00Z')", "['2026-03-11T03:00:00','x')"];
  expect(unread.filter((text) => parseDuring(text) !== undefined)).toEqual([]);
});
