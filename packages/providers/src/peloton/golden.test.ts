import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { goldenText, withoutRaw } from '../kit/testing/golden-text.ts';
import { responsesFor, createFakeHttp, type FakeResponse } from '../kit/testing/fake-http.ts';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import type { PulledPage } from '../kit/types/connector.ts';
import { mapProfile } from './map-profile.ts';
import { createContext } from './peloton.ts';
import { pelotonPulls } from './pulls.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '00112233445566778899aabbccddeeff',
  grantedScopes: [],
  account: {},
};
const context = createContext(user);
const listPath = `/api/user/${user.providerUserId}/workouts`;
const fileUrl = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const readFixture = async (name: string): Promise<unknown> => JSON.parse(await readFile(fileUrl(`${name}.json`), 'utf8'));

describeMappers(import.meta.url, { me: (body) => mapProfile(body, context) });

async function pull(response: FakeResponse, startDate = '2024-11-17', endDate = '2024-11-17') {
  const http = createFakeHttp(response);
  const pages: PulledPage[] = [];
  const call = { http, user, window: { startDate, endDate }, signal: AbortSignal.timeout(10_000) };
  for await (const page of pelotonPulls[0]?.pull(call) ?? []) pages.push(page);
  return { http, records: pages.flatMap((page) => page.records), quarantined: pages.flatMap((page) => page.quarantined) };
}

it('maps the golden file: units of the account, ends that only the graph contains, streams with gaps', async () => {
  const list = await readFixture('workouts');
  const graphs = responsesFor({
    '/api/workout/0123456789abcdef0123456789abcdef/performance_graph': await readFixture('bike-graph'),
    '/api/workout/1123456789abcdef0123456789abcdef/performance_graph': { duration: 605, metrics: [], summaries: [] },
    '/api/workout/3123456789abcdef0123456789abcdef/performance_graph': await readFixture('run-graph'),
  });
  const { records, quarantined } = await pull(
    (call) => (call.path === listPath ? (call.query?.['page'] === '0' ? list : { data: [] }) : graphs(call)),
    '2024-11-17',
    '2024-11-18',
  );
  expect(unsoundRecords(records)).toEqual([]);
  expect(withoutRaw(records, await readFixture('workouts'))).toEqual([]);
  await expect(goldenText({ records, quarantined })).toMatchFileSnapshot(fileUrl('workouts.expected.json').pathname);
});

it('keeps a workout without a graph', async () => {
  const item = {
    id: 'a1',
    status: 'COMPLETE',
    fitness_discipline: 'yoga',
    start_time: 1_731_848_460,
    end_time: 1_731_850_260,
    timezone: 'Etc/UTC',
  };
  const { records } = await pull((call) => responsesFor({ [listPath]: { data: call.query?.['page'] === '0' ? [item] : [] } })(call));
  expect(records).toMatchObject([{ resource: 'workouts', data: { sport: { slug: 'yoga' }, time_end: '2024-11-17T13:31:00+00:00' } }]);
});

it('quarantines a channel that is shorter than the seconds, and keeps the others', async () => {
  const item = { id: 'a1', status: 'COMPLETE', fitness_discipline: 'cycling', start_time: 1_731_848_460, end_time: 1_731_850_260 };
  const graph = {
    duration: 60,
    seconds_since_pedaling_start: [0, 1, 2, 3],
    summaries: [],
    metrics: [
      { slug: 'output', display_unit: 'watts', average_value: 150, max_value: 180, values: [150, 151, 152, 153] },
      { slug: 'heart_rate', display_unit: 'bpm', average_value: 130, max_value: 150, values: [130, 131] },
      { slug: 'speed', display_unit: 'furlongs', values: [1, 2, 3, 4] },
    ],
  };
  const { records, quarantined } = await pull((call) =>
    call.path === listPath ? { data: call.query?.['page'] === '0' ? [item] : [] } : graph,
  );
  const stream = records.find(({ kind }) => kind === 'stream');
  expect(stream?.kind === 'stream' && stream.data).toEqual({ time: expect.any(Array) as number[], power: [150, 151, 152, 153] });
  expect(quarantined).toEqual([
    { resource: 'workout_stream', reason: 'unknown_unit', pointer: '/metrics/2/display_unit' },
    { resource: 'workout_stream', reason: 'unknown_shape', pointer: '/metrics/1/values' },
  ]);
});

it('has no stream without a channel that can be read, and keeps the workout', async () => {
  const item = { id: 'a1', status: 'COMPLETE', fitness_discipline: 'cycling', start_time: 1_731_848_460, end_time: 1_731_850_260 };
  const graph = { seconds_since_pedaling_start: [1, 2], metrics: [{ slug: 'output', display_unit: 'watts', values: [1] }] };
  const { records, quarantined } = await pull((call) =>
    call.path === listPath ? { data: call.query?.['page'] === '0' ? [item] : [] } : graph,
  );
  expect(records.map(({ resource }) => resource)).toEqual(['workouts']);
  expect(quarantined).toEqual([{ resource: 'workout_stream', reason: 'unknown_shape', pointer: '/metrics/0/values' }]);
});
