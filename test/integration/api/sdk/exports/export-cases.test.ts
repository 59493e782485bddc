import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importExport } from '@pulsewire/intake';
import { runAdmin } from '../../../../../services/standalone/src/admin/run-admin.ts';
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
  folder = await mkdtemp(path.join(os.tmpdir(), 'export-cases-'));
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

async function importOf(xml: string | Buffer, files: (xml: string | Buffer) => Record<string, string | Buffer> = inFolder) {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })).body;
  await caller.call('POST', '/v2/link/provider/manual/apple_health_kit', { user_id: userId, provider_id: userId });
  const file = path.join(folder, `${crypto.randomUUID()}.zip`);
  await writeFile(file, zipOf(files(xml)));
  const context = { database: database.current, clock: harness.clock };
  const run = () => importExport(context, { teamId: caller.team.teamId, userId }, file, () => {});
  const print = (lines: string[]) => (line: string) => void lines.push(line);
  /** The command of operators: its exit code, and what it prints. */
  const command = async () => {
    const lines: string[] = [];
    const base = { database: database.current, clock: harness.clock, kafka: {} as never, cipher: {} as never, secret: () => '' };
    const code = await runAdmin(['import', caller.team.teamId, userId, file], { ...base, print: print(lines) });
    return { code, text: lines.join('\n') };
  };
  return { userId: userId as string, run, command };
}
const inFolder = (xml: string | Buffer) => ({ 'apple_health_export/export.xml': xml });

const days = 'start_date=2026-11-01&end_date=2026-11-30';
type Data = Record<string, unknown>;
async function samplesOf(userId: string, series: string) {
  const samples: Data[] = [];
  for (let cursor = ''; ;) {
    const page = (await caller.call('GET', `/v2/timeseries/${userId}/${series}/grouped?${days}${cursor}`)).body;
    for (const own of Object.values(page.groups as Record<string, { data: Data[] }[]>)) samples.push(...own.flatMap(({ data }) => data));
    if (page.next_cursor === null) return samples;
    cursor = `&next_cursor=${page.next_cursor}`;
  }
}
const valuesOf = async (userId: string, series: string) => (await samplesOf(userId, series)).map(({ value }) => value);
const summariesOf = async (userId: string, name: string) =>
  (await caller.call('GET', `/v2/summary/${name}/${userId}?${days}`)).body[name] as Data[];

it('converts the units of any country to ours', async () => {
  const { userId, run } = await importOf(await fixture('export-units.xml'));
  expect(await run()).toMatchObject({ items: 7, leftOut: {} });
  expect(await valuesOf(userId, 'workout_distance')).toEqual([45.72]);
  const water = (await valuesOf(userId, 'water')).map((value) => Math.round(Number(value) * 100) / 100);
  expect(water).toEqual([284.13, 473.18, 473.18, 568.26]);
  expect((await valuesOf(userId, 'weight')).map((value) => Math.round(Number(value) * 100) / 100)).toEqual([68.04]);
  expect(await valuesOf(userId, 'body_temperature')).toEqual([37]);
});

it('names a unit that it does not know, and counts it apart from bad numbers', async () => {
  const { userId, run } = await importOf((await fixture('export-units.xml')).replace('unit="yd"', 'unit="furlong"'));
  expect((await run()).leftOut).toEqual({ 'unknown_unit (furlong)': 1 });
  expect(await valuesOf(userId, 'workout_distance')).toEqual([]);
});

it('reads a triathlon as one multisport workout with the sum of its distances', async () => {
  const { userId, run } = await importOf(await fixture('export-triathlon.xml'));
  await run();
  expect(await summariesOf(userId, 'workouts')).toMatchObject([{ sport: { slug: 'multisport' }, distance: 51_500 }]);
});

it('takes neither curling for strength training nor a wheelchair for a run', async () => {
  const { userId, run } = await importOf(await fixture('export-sports.xml'));
  await run();
  const sports = (await summariesOf(userId, 'workouts')).map(({ sport }) => (sport as { slug: string }).slug);
  expect(sports.toSorted()).toEqual(['other', 'wheelchair_pushing']);
});

it('keeps what a cut-off export holds, and says in an error where its end is missing', async () => {
  const { userId, run } = await importOf(await fixture('export-cut-off.xml'));
  const failure = { code: 'export_unreadable', message: expect.stringMatching(/near byte \d+, line 13: its end is missing/) };
  await expect(run()).rejects.toMatchObject(failure);
  await expect(run()).rejects.toMatchObject({ message: expect.stringContaining('7 items before it are imported') });
  await expect(run()).rejects.toMatchObject({
    message: expect.stringContaining('HKQuantityTypeIdentifierStepCount of 2026-11-05 12:00:00'),
  });
  expect(await valuesOf(userId, 'steps')).toEqual([10, 10, 10, 10, 10, 10, 10]);
});

it('ends the command of an operator with an exit code and the place when an export is cut off', async () => {
  const { command } = await importOf(await fixture('export-cut-off.xml'));
  const { code, text } = await command();
  expect(code).toBe(1);
  expect(text).toMatch(/Imported until the import failed: .*7 items/);
  expect(text).toMatch(/line 13: its end is missing/);
});

it('keeps what an export holds before a damaged place in the middle, and names the line', async () => {
  const xml = (await fixture('export-beats.xml')).replace('</HealthData>', '<Record type="a"</HealthData>');
  const { userId, run } = await importOf(xml);
  await expect(run()).rejects.toMatchObject({ code: 'export_unreadable', message: expect.stringContaining('line 13') });
  expect(await valuesOf(userId, 'hrv')).toEqual([200]);
});

it.each([
  ['at the root', (xml: string | Buffer) => ({ 'export.xml': xml })],
  ['deep in other folders', (xml: string | Buffer) => ({ 'my phone/apple_health_export/Exportieren.xml': xml })],
  ['beside what macOS adds', (xml: string | Buffer) => ({ '__MACOSX/._export.xml': 'x', 'export.xml': xml, '._export.xml': 'x' })],
])('imports an archive with its data %s', async (_, files) => {
  const { userId, run } = await importOf(await fixture('export-me.xml'), files);
  expect(await run()).toMatchObject({ items: 2, filesSkipped: 0 });
  expect(await valuesOf(userId, 'steps')).toEqual([10]);
});

it('finds the routes of an archive whose data lie at its root', async () => {
  const route = '<WorkoutRoute><FileReference path="/workout-routes/route.gpx"/></WorkoutRoute></Workout>';
  const gpx = '<gpx><trk><trkseg><trkpt lat="48.1" lon="11.5"><time>2026-11-15T07:00:00Z</time></trkpt></trkseg></trk></gpx>';
  const { run } = await importOf((await fixture('export-sports.xml')).replace('</Workout>', route), (xml) => ({
    'export.xml': xml,
    'workout-routes/route.gpx': gpx,
  }));
  expect(await run()).toMatchObject({ filesSkipped: 0 });
});

it('fills the profile with what the person has told the phone, and keeps the height that it had', async () => {
  const height = '<Record type="HKQuantityTypeIdentifierHeight" unit="cm" startDate="2026-11-05 08:00:00 +0100" value="181"/>';
  const { userId, run } = await importOf((await fixture('export-me.xml')).replace('</HealthData>', `${height}</HealthData>`));
  await run();
  const profile = async () => (await caller.call('GET', `/v2/summary/profile/${userId}`)).body;
  expect(await profile()).toMatchObject({ birth_date: '1985-06-01', sex: 'male', height: 181 });
});

it('computes a variability from its heart beats', async () => {
  const { userId, run } = await importOf(await fixture('export-beats.xml'));
  expect((await run()).leftOut).toEqual({});
  expect(await samplesOf(userId, 'hrv')).toMatchObject([{ value: 200, timestamp: '2026-11-05T07:00:00+00:00', unit: 'rmssd' }]);
});

it('keeps the nights of two apps in one export apart, each under its own name', async () => {
  const { userId, run } = await importOf(await fixture('two-apps-in-one-export.xml'));
  await run();
  const nights = await summariesOf(userId, 'sleep');
  const byApp = Object.fromEntries(nights.map((night) => [(night['source'] as Data)['app_id'], night]));
  expect(byApp['Nightly']).toMatchObject({ light: 14_400, deep: 7200, rem: 7200, total: 28_800 });
  expect(byApp['Dozer']).toMatchObject({ total: 1200 });
  expect(nights).toHaveLength(2);
});

it('counts the elements of an export for which there is no place', async () => {
  const more = '<ActivitySummary dateComponents="2026-11-05"/><ActivitySummary dateComponents="2026-11-06"/></HealthData>';
  const { run } = await importOf((await fixture('export-me.xml')).replace('</HealthData>', more));
  expect((await run()).leftOut).toEqual({ 'no_series (ActivitySummary)': 2 });
});

it('reads what iOS 16 wrote: a broken document type, vertical tabs and a byte order mark', async () => {
  const brokenType = `<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 12 -->
<!ATTLIST VisionPrescription
  type             CDATA #REQUIRED
  brand            CDATA #IMPLIED
<!ELEMENT RightEye EMPTY>
<!ATTLIST RightEye
  sphere CDATA #IMPLIED
  sphereUnit CDATA #IMPLIED
  device        CDATA #IMPLIED
<!ELEMENT Audiogram EMPTY>
>
]>`;
  const xml = (await fixture('export-me.xml'))
    .replace('<HealthData', `${brokenType}<HealthData`)
    .replace("Robin's Watch", "Robin's\u000b Watch");
  const { userId, run } = await importOf(`\ufeff${xml}`);
  expect(await run()).toMatchObject({ items: 2, leftOut: {} });
  expect(await valuesOf(userId, 'steps')).toEqual([10]);
});
