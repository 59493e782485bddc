import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importExport } from '@pulsewire/intake';
import { nightRecords } from '@pulsewire/providers';
import { useDatabase } from '../../../../support/database.ts';
import type { Caller } from '../../support/harness.ts';
import { createPhoneHarness, record, stage, type Phone } from '../phone-harness.ts';
import { zipOf } from './zip.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;
let folder: string;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
  folder = await mkdtemp(path.join(os.tmpdir(), 'phone-and-export-'));
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

type Data = Record<string, unknown>;
const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

async function importXml({ userId }: Phone, xml: string): Promise<void> {
  const file = path.join(folder, `${crypto.randomUUID()}.zip`);
  await writeFile(file, zipOf({ 'apple_health_export/export.xml': xml }));
  await importExport({ database: database.current, clock: harness.clock }, { teamId: caller.team.teamId, userId }, file, () => {});
}
const xmlOf = (...items: string[]) => `<?xml version="1.0"?><HealthData locale="en_GB">${items.join('\n')}</HealthData>`;

async function newPhone(): Promise<Phone> {
  const phone = await harness.newPhone(caller);
  await caller.call('POST', '/v2/link/provider/manual/apple_health_kit', { user_id: phone.userId, provider_id: phone.userId });
  return phone;
}
async function send(phone: Phone, data: object): Promise<void> {
  await phone.sync('apple', data);
  await harness.work();
}
const read = async (phone: Phone, name: string, more = '') =>
  (await caller.call('GET', `/v2/summary/${name}/${phone.userId}?start_date=2026-01-01&end_date=2026-12-31${more}`)).body[name] as Data[];
const countEvents = async ({ userId }: Phone) => (await database.current.sql`SELECT 1 FROM log_events WHERE user_id = ${userId}`).length;

describe('what a phone has sent and what its export holds', () => {
  const sent = async () => JSON.parse(await fixture('phone-and-export.json')) as { input: readonly [{ data: object }] };
  const countSteps = async ({ userId }: Phone) => {
    const { groups } = (await caller.call('GET', `/v2/timeseries/${userId}/steps/grouped?start_date=2026-11-01&end_date=2026-11-30`)).body;
    return Object.values(groups as Record<string, { data: { value: number }[] }[]>).flatMap((own) => own.flatMap(({ data }) => data));
  };
  const expectOnce = async (phone: Phone) => {
    expect(await countSteps(phone)).toMatchObject([{ value: 120 }]);
    for (const view of ['', '&source=merged']) {
      expect((await read(phone, 'workouts', view)).map(({ distance }) => Number(distance)).toSorted((a, b) => a - b)).toEqual([
        5000, 20_000,
      ]);
      expect(await read(phone, 'sleep', view)).toMatchObject([{ light: 14_400, deep: 10_800 }]);
    }
  };

  it('is stored once when the export is imported afterwards, and again', async () => {
    const phone = await newPhone();
    await send(phone, (await sent()).input[0].data);
    await importXml(phone, await fixture('phone-and-export.xml'));
    await expectOnce(phone);
    const before = await countEvents(phone);
    await importXml(phone, await fixture('phone-and-export.xml'));
    await expectOnce(phone);
    expect(await countEvents(phone)).toBe(before);
  });

  it('is stored once when the export was imported before, and again', async () => {
    const phone = await newPhone();
    await importXml(phone, await fixture('phone-and-export.xml'));
    await send(phone, (await sent()).input[0].data);
    await expectOnce(phone);
    expect(await read(phone, 'workouts')).toMatchObject([{ source: { type: 'watch' } }, { source: { app_id: 'com.example.rider' } }]);
    await importXml(phone, await fixture('phone-and-export.xml'));
    await send(phone, (await sent()).input[0].data);
    await expectOnce(phone);
  });

  it('is stored once when an older SDK names no writer', async () => {
    expect.hasAssertions();
    for (const isImportedFirst of [false, true]) {
      const phone = await newPhone();
      const data = JSON.parse(JSON.stringify((await sent()).input[0].data).replaceAll(/"name":"[^"]*",/g, '')) as object;
      if (isImportedFirst) await importXml(phone, await fixture('phone-and-export.xml'));
      await send(phone, data);
      if (!isImportedFirst) await importXml(phone, await fixture('phone-and-export.xml'));
      await expectOnce(phone);
    }
  });
});

const app = (name: string | null, appId: string | null, more: object = {}) => ({
  appId,
  name,
  deviceId: null,
  deviceName: null,
  deviceManufacturer: null,
  deviceModel: 'iPhone15,2',
  deviceType: 'phone',
  recordingMethod: null,
  ...more,
});
const parts = [
  ['light', 'AsleepCore', '22', '23'],
  ['deep', 'AsleepDeep', '23', '24'],
  ['light', 'AsleepCore', '24', '26'],
] as const;
const clock = (hour: string) =>
  `2026-01-${String(4 + Math.floor(Number(hour) / 24)).padStart(2, '0')} ${String(Number(hour) % 24).padStart(2, '0')}:00:00`;
const instant = (hour: string) => `${clock(hour).replace(' ', 'T')}Z`;
const segments = (source: object, of: readonly (typeof parts)[number][] = parts, id?: string | null) =>
  of.map(([name, , from, to]) => ({ ...stage(name, instant(from), instant(to), { source }), ...(id !== undefined && { id }) }));
const nightXml = (sourceName: string) =>
  parts.map(
    ([, name, from, to]) =>
      `<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="${sourceName}" startDate="${clock(from)} +0000" endDate="${clock(to)} +0000" value="HKCategoryValueSleepAnalysis${name}"/>`,
  );

describe.each([
  ['its name is known', 'Nightly'],
  ['its name is not known', null],
])('a night of an app, when %s to the phone', (_, name) => {
  const source = app(name, 'com.example.nightly');

  it.each([false, true])('is one night from phone and export, imported first: %s', async (isImportedFirst) => {
    const phone = await newPhone();
    if (isImportedFirst) await importXml(phone, xmlOf(...nightXml('Nightly')));
    await send(phone, { sleep: segments(source) });
    if (!isImportedFirst) await importXml(phone, xmlOf(...nightXml('Nightly')));
    const expected = [{ total: 14_400, deep: 3600, source: { app_id: 'com.example.nightly', type: 'phone' } }];
    expect(await read(phone, 'sleep')).toMatchObject(expected);
    await importXml(phone, xmlOf(...nightXml('Nightly')));
    expect(await read(phone, 'sleep')).toMatchObject(expected);
  });
});

it('keeps nights of other apps apart, of which the phone has named one', async () => {
  const phone = await newPhone();
  await send(phone, { sleep: segments(app('Nightly', 'com.example.nightly')) });
  await importXml(phone, xmlOf(...nightXml('Dozer')));
  const nights = await read(phone, 'sleep');
  expect(nights.map(({ source }) => (source as Data)['app_id'])).toEqual(expect.arrayContaining(['com.example.nightly', 'Dozer']));
});

it('keeps workouts of two apps that the phone names apart, even at the same time', async () => {
  const phone = await newPhone();
  const ride = (source: object) => record('cycling', '2026-01-04T10:00:00Z', null, null, { endDate: '2026-01-04T11:00:00Z', source });
  await send(phone, { workouts: [ride(app('Rider', 'com.example.rider')), ride(app('Maps', 'com.example.maps'))] });
  expect(await read(phone, 'workouts')).toHaveLength(2);
});

it('takes workouts for one that are a second apart, but not short ones that follow each other', async () => {
  const phone = await newPhone();
  const source = app('Rider', 'com.example.rider');
  const ride = (from: string, to: string) => record('cycling', `2026-01-04T${from}Z`, null, null, { endDate: `2026-01-04T${to}Z`, source });
  await send(phone, { workouts: [ride('10:00:00', '11:00:00'), ride('12:00:00', '12:00:01'), ride('12:00:01', '12:00:02')] });
  await send(phone, { workouts: [ride('10:00:01', '11:00:01')] });
  const starts = (await read(phone, 'workouts')).map(({ time_start: start }) => String(start)).toSorted((a, b) => a.localeCompare(b));
  expect(starts).toEqual(['2026-01-04T10:00:00+00:00', '2026-01-04T12:00:00+00:00', '2026-01-04T12:00:01+00:00']);
});

describe('what earlier versions have stored under another identity', () => {
  const unnamed = app(null, null, { deviceModel: null, deviceType: null });
  const workoutXml = `<Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="60" durationUnit="min" sourceName="Rider" startDate="${clock('10')} +0000" endDate="${clock('11')} +0000"/>`;
  const weightXml = `<Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" unit="kg" startDate="${clock('7')} +0000" endDate="${clock('7')} +0000" value="71"/>`;
  const mealXml = `<Record type="HKQuantityTypeIdentifierDietaryProtein" sourceName="Diary" unit="g" startDate="${clock('12')} +0000" endDate="${clock('12')} +0000" value="20"/>`;

  it('is not doubled by importing the export again', async () => {
    const phone = await newPhone();
    // As imports of earlier versions stored what apps had written: of no app, on an unknown device.
    await send(phone, {
      sleep: segments(unnamed, parts, null),
      workouts: [record('cycling', instant('10'), null, null, { id: null, endDate: instant('11'), source: unnamed })],
      records: [
        record('HKQuantityTypeIdentifierBodyMass', instant('7'), 71, 'kg', { id: null, source: unnamed }),
        record('HKQuantityTypeIdentifierDietaryProtein', instant('12'), 20, 'g', { id: null, source: unnamed }),
      ],
    });
    await importXml(phone, xmlOf(...nightXml('Nightly'), workoutXml, weightXml, mealXml));
    expect(await read(phone, 'sleep')).toMatchObject([{ total: 14_400, source: { app_id: 'Nightly' } }]);
    expect(await read(phone, 'workouts')).toMatchObject([{ source: { app_id: 'Rider' } }]);
    expect(await read(phone, 'body')).toMatchObject([{ weight: 71, source: { type: 'phone' } }]);
    expect((await caller.call('GET', `/v2/summary/meal/${phone.userId}?start_date=2026-01-01`)).body.meals).toHaveLength(1);
    const before = await countEvents(phone);
    await importXml(phone, xmlOf(...nightXml('Nightly'), workoutXml, weightXml, mealXml));
    expect(await countEvents(phone)).toBe(before);
  });

  it('moves a night of HealthKit from the name of a device to the common one when more of it arrives', async () => {
    const phone = await newPhone();
    const watch = { ...app("Robin's Watch", 'com.apple.health.5F0E1D2C'), deviceModel: 'Watch7,5', deviceType: 'watch' };
    await send(phone, { sleep: segments(watch, parts.slice(0, 2)) });
    const { sql } = database.current;
    const night = parts.slice(0, 2).map(([name, , from, to]) => ({
      itemId: '',
      parentId: '',
      sourceType: 'watch',
      appId: 'com.apple.health.5F0E1D2C',
      stage: name,
      startMs: Date.parse(instant(from)),
      endMs: Date.parse(instant(to)),
      offset: 3600,
      score: null,
    }));
    for (const { id, resource } of nightRecords({ userId: phone.userId, provider: 'apple_health_kit' }, night))
      await sql`UPDATE summaries SET id = ${id} WHERE user_id = ${phone.userId} AND resource = ${resource}`;
    await sql`UPDATE phone_night_segments SET app_id = 'com.apple.health.5F0E1D2C' WHERE user_id = ${phone.userId}`;
    await send(phone, { sleep: segments(watch, parts.slice(2)) });
    expect(await read(phone, 'sleep')).toMatchObject([{ total: 14_400, deep: 3600, source: { app_id: 'com.apple.health' } }]);
  });

  it('leaves one of two workouts that were stored of one, and keeps its stream', async () => {
    const phone = await newPhone();
    const route = [{ timestamp: instant('10'), latitude: 48.1, longitude: 11.5 }];
    const own = { endDate: instant('11'), source: app(null, 'com.example.rider'), route };
    await send(phone, { workouts: [record('cycling', instant('10'), null, null, own)] });
    const { sql } = database.current;
    await sql`
      INSERT INTO summaries (id, team_id, user_id, resource, provider, source, calendar_date, at, data, version, created_at, updated_at, tz_origin)
      SELECT gen_random_uuid(), team_id, user_id, resource, provider, jsonb_set(source, '{appId}', 'null'), calendar_date, at,
        jsonb_set(data, '{provider_id}', '"former"'), version, created_at, updated_at, tz_origin
      FROM summaries WHERE user_id = ${phone.userId} AND resource = 'workouts'`;
    expect(await read(phone, 'workouts')).toHaveLength(2);
    await importXml(phone, xmlOf(workoutXml));
    const [workout, ...others] = await read(phone, 'workouts');
    expect(others).toEqual([]);
    expect((await caller.call('GET', `/v2/timeseries/workouts/${String(workout?.['id'])}/stream`)).body).toMatchObject({ lat: [48.1] });
  });
});

it('keeps the figures that an export does not have, and the other way round', async () => {
  const phone = await newPhone();
  const watch = { ...app("Robin's Watch", 'com.apple.health.1'), deviceModel: 'Watch7,5', deviceType: 'watch' };
  const values = [
    { type: 'distance', value: 5000, unit: 'm' },
    { type: 'elevationAscended', value: 40, unit: 'm' },
  ];
  await send(phone, { workouts: [record('running', instant('10'), null, null, { endDate: instant('11'), source: watch, values })] });
  const device = '&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,5, software:11.0&gt;';
  const statistics = '<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="150" unit="count/min"/>';
  const run = `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Robin&apos;s Watch" sourceVersion="11.0" device="${device}" startDate="${clock('10')} +0000" endDate="${clock('11')} +0000">${statistics}</Workout>`;
  await importXml(phone, xmlOf(run));
  expect(await read(phone, 'workouts')).toMatchObject([{ distance: 5000, total_elevation_gain: 40, average_hr: 150 }]);
});
