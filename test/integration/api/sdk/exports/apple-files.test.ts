import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importExport } from '@pulsewire/intake';
import { useDatabase } from '../../../../support/database.ts';
import type { Caller } from '../../support/harness.ts';
import { createPhoneHarness } from '../phone-harness.ts';
import { zipOf } from './zip.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;
let folder: string;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
  folder = await mkdtemp(path.join(os.tmpdir(), 'apple-files-'));
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

const silent = () => {};
const window = 'start_date=2026-01-01&end_date=2026-01-31';
const workout = (hour: number, ...routes: string[]) => `
 <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" startDate="2026-01-04 ${hour}:00:00 +0100" endDate="2026-01-04 ${hour}:30:00 +0100">
  <WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" startDate="" endDate="" sum="100" unit="count"/>
  ${routes.map((name) => `<WorkoutRoute sourceName="Watch" startDate="" endDate=""><MetadataEntry key="HKMetadataKeySyncVersion" value="2"/><FileReference path="/workout-routes/${name}"/></WorkoutRoute>`).join('')}
 </Workout>`;
const point = (clock: string, lat: number, speed: number) =>
  `<trkpt lon="11.5" lat="${lat}"><ele>520.5</ele><time>2026-01-04T${clock}Z</time><extensions><speed>${speed}</speed><course>1</course><hAcc>2</hAcc><vAcc>1</vAcc></extensions></trkpt>`;
const gpx = (...points: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1"><metadata><time>2026-01-05T08:00:00Z</time></metadata>
<trk><name>Route</name><trkseg>${points.join('\n')}</trkseg></trk></gpx>`;
const ecg = (more: Partial<Record<'recorded' | 'verdict' | 'rate' | 'voltages', string>> = {}) =>
  `Name,Sinus Example
Date of Birth,"Feb 5, 1952"
Recorded Date,${more.recorded ?? '2026-01-04 09:14:40 -0400'}
Classification,${more.verdict ?? 'Sinus Rhythm'}
Symptoms,
Software Version,1.90
Device,"Watch5,4"
Sample Rate,${more.rate ?? '512 hertz'}


Lead,Lead I
Unit,µV

${more.voltages ?? '-48.673\n12\n0.5'}
`;

async function importOf(workouts: string, files: Readonly<Record<string, string | Buffer>>) {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })).body;
  await caller.call('POST', '/v2/link/provider/manual/apple_health_kit', { user_id: userId, provider_id: userId });
  const file = path.join(folder, `${crypto.randomUUID()}.zip`);
  const named = Object.entries(files).map(([name, content]) => [`apple_health_export/${name}`, content] as const);
  const xml = `<?xml version="1.0"?><HealthData locale="de_DE">${workouts}</HealthData>`;
  await writeFile(file, zipOf({ ...Object.fromEntries(named), 'apple_health_export/Export.xml': xml }));
  const context = { database: database.current, clock: harness.clock };
  const run = () => importExport(context, { teamId: caller.team.teamId, userId: userId as string }, file, silent);
  return { userId: userId as string, done: await run(), run };
}

async function streamsOf(userId: string) {
  const { body } = await caller.call('GET', `/v2/summary/workouts/${userId}?${window}`);
  const streams: unknown[] = [];
  for (const { id } of body.workouts) {
    const reply = await caller.call('GET', `/v2/timeseries/workouts/${id}/stream`);
    streams.push(reply.status === 200 ? reply.body : reply.status);
  }
  return streams;
}

it('adds routes to their workouts, of several files and of each once', async () => {
  const { userId, done, run } = await importOf(workout(10, 'route_1.gpx', 'route_2.gpx') + workout(12), {
    'workout-routes/route_2.gpx': gpx(point('09:20:00', 48.2, -1)),
    'workout-routes/route_1.gpx': gpx(point('09:00:01', 48.1, 2.5), point('09:00:02.500', 48.11, 2.7)),
  });
  expect(done).toMatchObject({ items: 2, leftOut: {}, filesSkipped: 0, skipped: [] });
  const seconds = ['09:00:01', '09:00:02', '09:20:00'].map((clock) => Date.parse(`2026-01-04T${clock}Z`) / 1000);
  const [routed] = await streamsOf(userId);
  expect(routed).toMatchObject({
    time: seconds,
    lat: [48.1, 48.11, 48.2],
    lng: [11.5, 11.5, 11.5],
    altitude: [520.5, 520.5, 520.5],
    velocity_smooth: [2.5, 2.7, null],
  });
  const countEvents = async () => (await database.current.sql`SELECT 1 FROM log_events WHERE user_id = ${userId}`).length;
  const before = await countEvents();
  await run();
  expect(await countEvents()).toBe(before);
});

it('stores electrocardiograms with their voltages in mV, from phones in any language', async () => {
  const german = `Name,Erika Muster\nGeburtsdatum,05.02.1952\nAufzeichnungsdatum,2026-01-05 09:14:40 +0100\nKlassifizierung,Vorhofflimmern\nSymptome,\nSoftwareversion,1.90\nGerät,"Watch7,5"\nAbtastrate,"512,5 Hertz"\n\n\nAbleitung,Ableitung I\nEinheit,µV\n\n-265,868\r\n12\n`;
  const { userId, done } = await importOf('', {
    'electrocardiograms/ecg_2026-01-04.csv': ecg(),
    'electrocardiograms/ecg_2026-01-05.csv': german,
    'electrocardiograms/ecg_2026-01-06.csv': ecg({ recorded: '2026-01-06 08:00:00 +0100', verdict: 'Poor Recording' }),
  });
  expect(done).toMatchObject({ items: 3, leftOut: {}, skipped: [] });
  const { body } = await caller.call('GET', `/v2/summary/electrocardiogram/${userId}?${window}`);
  const stored = Object.values(body as Record<string, Record<string, unknown>[]>)[0];
  expect(stored).toMatchObject([
    {
      session_start: '2026-01-04T13:14:40+00:00',
      voltage_sample_count: 3,
      sampling_frequency_hz: 512,
      classification: 'sinus_rhythm',
      inconclusive_cause: null,
      algorithm_version: '1.90',
      source_device_model: 'Watch5,4',
      source: { type: 'watch', app_id: 'com.apple.health' },
    },
    { session_start: '2026-01-05T08:14:40+00:00', sampling_frequency_hz: 512.5, classification: 'atrial_fibrillation' },
    { classification: 'inconclusive', inconclusive_cause: 'poor_reading' },
  ]);
  const { body: voltages } = await caller.call('GET', `/v2/timeseries/${userId}/electrocardiogram_voltage?${window}`);
  expect((voltages as readonly object[]).slice(0, 4)).toMatchObject([
    { type: 'lead_1', value: -0.048673, timezone_offset: -14_400 },
    { value: 0.012 },
    { value: 0.0005 },
    { value: -0.265868, timezone_offset: 3600 },
  ]);
});

it('reports files that cannot be read, and imports everything else', async () => {
  const routes = ['broken', 'empty', 'missing', 'large', 'off-earth'].map((name) => `${name}.gpx`);
  const { userId, done } = await importOf(workout(10, ...routes, 'good.gpx') + workout(12, '../../export.xml'), {
    'workout-routes/broken.gpx': gpx(point('09:00:01', 48.1, 2.5)).slice(0, -20),
    'workout-routes/empty.gpx': gpx(),
    'workout-routes/large.gpx': Buffer.alloc(65 * 1024 * 1024, ' '),
    'workout-routes/off-earth.gpx': gpx(point('09:00:01', 148.1, 2.5)),
    'workout-routes/good.gpx': gpx(point('09:00:05', 48.5, 2.5)),
    'workout-routes/unused.gpx': gpx(point('09:00:05', 48.5, 2.5)),
    'electrocardiograms/notes.csv': 'a,b\n1,2\n',
    'electrocardiograms/mixed.csv': ecg({ voltages: '1\n2\nthree\n4' }),
    'electrocardiograms/rateless.csv': ecg({ rate: 'unknown' }),
    'electrocardiograms/good.csv': ecg(),
  });
  expect(new Map(done.skipped.map(({ path: file, reason }) => [file.split('/').at(-1), reason]))).toEqual(
    new Map([
      ['broken.gpx', 'not well-formed XML'],
      ['empty.gpx', 'no points of a track'],
      ['missing.gpx', 'not in the archive'],
      ['large.gpx', 'too large'],
      ['off-earth.gpx', 'no points of a track'],
      ['export.xml', 'not in the archive'],
      ['unused.gpx', 'of no workout'],
      ['notes.csv', 'not an electrocardiogram'],
      ['mixed.csv', 'a line among the voltages is no number'],
      ['rateless.csv', 'not an electrocardiogram'],
    ]),
  );
  expect(done).toMatchObject({ items: 3, filesSkipped: 10 });
  expect(await streamsOf(userId)).toMatchObject(expect.arrayContaining([expect.objectContaining({ lat: [48.5] })]));
});

it('stops reading a route after a day of points', async () => {
  const second = (index: number) => new Date(Date.UTC(2026, 0, 4, 9) + index * 1000).toISOString().slice(11, 19);
  const points = Array.from({ length: 86_410 }, (_, index) => point(second(index % 3600), 48.1, 1));
  const { done, userId } = await importOf(workout(10, 'long.gpx'), { 'workout-routes/long.gpx': gpx(...points) });
  expect(done).toMatchObject({ items: 1, skipped: [] });
  expect(((await streamsOf(userId))[0] as { readonly time: number[] }).time).toHaveLength(3600);
});
