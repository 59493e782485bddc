import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { importExport, type ImportProgress } from '@pulsewire/intake';
import { useDatabase } from '../../../../support/database.ts';
import { createPhoneHarness, record } from '../phone-harness.ts';
import { zipOf } from './zip.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Awaited<ReturnType<typeof harness.newCaller>>;
let folder: string;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
  folder = await mkdtemp(path.join(os.tmpdir(), 'health-connect-'));
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

const common = 'row_id INTEGER PRIMARY KEY, uuid BLOB, device_info_id INTEGER, app_info_id INTEGER, recording_method INTEGER';
const instant = `${common}, time INTEGER, zone_offset INTEGER`;
const span = `${common}, start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER`;
const nutrients =
  'energy total_carbohydrate protein total_fat saturated_fat monounsaturated_fat polyunsaturated_fat sugar dietary_fiber cholesterol sodium potassium magnesium calcium iron vitamin_c caffeine';
const schema = `
CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT);
CREATE TABLE device_info_table (row_id INTEGER PRIMARY KEY, manufacturer TEXT, model TEXT, device_type INTEGER);
CREATE TABLE weight_record_table (${instant}, weight REAL, local_date_time INTEGER AS (time + 1000 * zone_offset));
CREATE TABLE body_fat_record_table (${instant}, percentage REAL);
CREATE TABLE blood_pressure_record_table (${instant}, systolic REAL, diastolic REAL);
CREATE TABLE blood_glucose_record_table (${instant}, specimen_source TEXT, level REAL);
CREATE TABLE menstruation_flow_record_table (${instant}, flow INTEGER);
CREATE TABLE menstruation_period_record_table (${span});
CREATE TABLE cervical_mucus_record_table (${instant}, sensation INTEGER, appearance INTEGER);
CREATE TABLE ovulation_test_record_table (${instant}, result INTEGER);
CREATE TABLE intermenstrual_bleeding_record_table (${instant});
CREATE TABLE sexual_activity_record_table (${instant}, protection_used INTEGER);
CREATE TABLE basal_body_temperature_record_table (${instant}, temperature REAL, measurement_location INTEGER);
CREATE TABLE steps_record_table (${span}, count INTEGER);
CREATE TABLE active_calories_burned_record_table (${span}, energy REAL);
CREATE TABLE resting_heart_rate_record_table (${instant}, beats_per_minute INTEGER);
CREATE TABLE nutrition_record_table (${span}, ${nutrients.replaceAll(' ', ' REAL, ')} REAL);
CREATE TABLE heart_rate_record_table (${span});
CREATE TABLE heart_rate_record_series_table (parent_key INTEGER, beats_per_minute INTEGER, epoch_millis INTEGER);
CREATE TABLE sleep_session_record_table (${span});
CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER, stage_end_time INTEGER, stage_type INTEGER);
CREATE TABLE exercise_session_record_table (${span}, exercise_type INTEGER, title TEXT, has_route INTEGER);
CREATE TABLE exercise_route_table (parent_key INTEGER, timestamp_millis INTEGER, latitude REAL, longitude REAL, altitude REAL);
INSERT INTO application_info_table VALUES (1, 'com.example.band');
INSERT INTO device_info_table VALUES (1, 'Example', 'Band 3', 6);`;

const at = (clock: string, day = '2026-01-04') => Date.parse(`${day}T${clock}:00Z`);
let ids = 0;
const uuidOf = (id: number) => Buffer.from(id.toString(16).padStart(32, '0'), 'hex');

/** Fills a database; `insert` adds the columns that all records have. */
async function fileOf(fill: (insert: (table: string, values: object, method?: number) => number, sqlite: DatabaseSync) => void) {
  const name = path.join(folder, crypto.randomUUID());
  const sqlite = new DatabaseSync(name);
  sqlite.exec(schema);
  sqlite.exec('BEGIN');
  fill((table, values, method = 2) => {
    const row = { row_id: (ids += 1), uuid: uuidOf(ids), device_info_id: 1, app_info_id: 1, recording_method: method, ...values };
    const keys = Object.keys(row);
    sqlite.prepare(`INSERT INTO ${table} (${keys.join()}) VALUES (${keys.map(() => '?').join()})`).run(...Object.values(row));
    return ids;
  }, sqlite);
  sqlite.exec('COMMIT');
  sqlite.close();
  const zip = `${name}.zip`;
  await writeFile(zip, zipOf({ 'health_connect_export.db': await readFile(name) }));
  return zip;
}

async function newUser(isLinked = true) {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })).body;
  const link = { user_id: userId, provider_id: userId };
  if (isLinked) await caller.call('POST', '/v2/link/provider/manual/health_connect', link);
  return { teamId: caller.team.teamId, userId: userId as string };
}

const days = 'start_date=2026-01-01&end_date=2026-01-31';
async function samplesOf(userId: string, series: string) {
  const { groups } = (await caller.call('GET', `/v2/timeseries/${userId}/${series}/grouped?${days}`)).body;
  const own = (groups.health_connect ?? []) as { source: { type: string; app_id: string }; data: Record<string, unknown>[] }[];
  return own.flatMap(({ source, data }) => data.map((sample) => ({ ...sample, from: source.type, app: source.app_id })));
}
const summariesOf = async (userId: string, name: string) =>
  (await caller.call('GET', `/v2/summary/${name}/${userId}?${days}`)).body[name] as Record<string, unknown>[];
async function countEvents(userId: string) {
  const [row] = await database.current.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM log_events WHERE user_id = ${userId}`;
  return row?.count;
}
const silent = () => {};
const context = () => ({ database: database.current, clock: harness.clock });
const zone = { start_zone_offset: 3600, end_zone_offset: 3600 };

it('imports readings, nights and workouts in our units, and a second time without changes', async () => {
  const user = await newUser();
  const file = await fileOf((insert, sqlite) => {
    insert('weight_record_table', { time: at('07:00') + 456, zone_offset: -16_200, weight: 72_500 }, 3);
    insert('blood_pressure_record_table', { time: at('07:01'), zone_offset: 0, systolic: 121, diastolic: 78 });
    insert('blood_glucose_record_table', { time: at('07:02'), zone_offset: null, specimen_source: '1', level: 5.5 });
    insert('steps_record_table', { start_time: at('10:00'), end_time: at('10:10'), ...zone, count: 312 });
    insert('steps_record_table', { start_time: at('10:20'), end_time: at('10:10'), ...zone, count: 1 });
    insert('active_calories_burned_record_table', { start_time: at('10:00'), end_time: at('11:00'), ...zone, energy: 123_400 });
    const lunch = { start_time: at('12:00'), end_time: at('12:10'), ...zone };
    insert('nutrition_record_table', { ...lunch, energy: 420_000, total_carbohydrate: 50, protein: 21, caffeine: 5e-324 });
    const series = insert('heart_rate_record_table', { start_time: at('13:00'), end_time: at('13:10'), ...zone });
    sqlite
      .prepare('INSERT INTO heart_rate_record_series_table VALUES (?, ?, ?), (?, ?, ?)')
      .run(series, 61, at('13:00'), series, 63, at('13:05'));
    const night = insert('sleep_session_record_table', { start_time: at('22:00'), end_time: at('04:00', '2026-01-05'), ...zone });
    const stage = sqlite.prepare('INSERT INTO sleep_stages_table VALUES (?, ?, ?, ?)');
    stage.run(night, at('22:00'), at('00:00', '2026-01-05'), 4);
    stage.run(night, at('00:00', '2026-01-05'), at('04:00', '2026-01-05'), 5);
    const session = { start_time: at('18:00'), end_time: at('18:30'), ...zone, exercise_type: 33, title: 'Evening', has_route: 1 };
    const run = insert('exercise_session_record_table', session);
    sqlite.prepare('INSERT INTO exercise_route_table VALUES (?, ?, ?, ?, ?)').run(run, at('18:01'), 48.1, 11.5, 520);
  });
  const done = await importExport(context(), user, file, silent);
  expect(done).toMatchObject({ leftOut: { bad_time: 1 }, unit: 'rows', read: 28, total: 28 });
  const { userId } = user;
  expect(await samplesOf(userId, 'weight')).toMatchObject([
    { value: 72.5, timestamp: '2026-01-04T07:00:00+00:00', timezone_offset: -16_200, from: 'app', app: 'com.example.band' },
  ]);
  expect(await samplesOf(userId, 'blood_pressure')).toMatchObject([{ systolic: 121, diastolic: 78, timezone_offset: 0, from: 'watch' }]);
  expect(await samplesOf(userId, 'glucose')).toMatchObject([{ value: 5.5, timezone_offset: null, from: 'automatic' }]);
  expect(await samplesOf(userId, 'steps')).toMatchObject([{ value: 312, start: '2026-01-04T10:00:00+00:00', timezone_offset: 3600 }]);
  expect(await samplesOf(userId, 'calories_active')).toMatchObject([{ value: 123.4 }]);
  expect(await samplesOf(userId, 'carbohydrates')).toMatchObject([{ value: 50 }]);
  expect(await samplesOf(userId, 'caffeine')).toEqual([]);
  expect(await samplesOf(userId, 'heartrate')).toMatchObject([{ value: 61 }, { value: 63 }]);
  expect(await summariesOf(userId, 'sleep')).toMatchObject([{ calendar_date: '2026-01-05', light: 7200, deep: 14_400 }]);
  const [workout] = await summariesOf(userId, 'workouts');
  expect(workout).toMatchObject({ sport: { slug: 'running' }, title: 'Evening', moving_time: 1800, timezone_offset: 3600 });
  const stream = await caller.call('GET', `/v2/timeseries/workouts/${String(workout?.['id'])}/stream`);
  expect(stream.body).toMatchObject({ lat: [48.1], lng: [11.5], altitude: [520] });
  expect(await summariesOf(userId, 'activity')).toMatchObject([
    {
      source: { type: 'watch' },
      calendar_date: '2026-01-04',
      steps: 312,
      calories_active: 123.4,
      heart_rate: { avg_bpm: 62, max_bpm: 63 },
    },
  ]);
  expect(await summariesOf(userId, 'body')).toMatchObject([{ source: { type: 'app' }, weight: 72.5 }]);
  const { meals } = (await caller.call('GET', `/v2/summary/meal/${userId}?${days}`)).body;
  expect(meals).toMatchObject([{ energy: { value: 420 }, macros: { carbs: 50, protein: 21 }, source: { app_id: 'com.example.band' } }]);
  const before = await countEvents(userId);
  await importExport(context(), user, file, silent);
  expect(await countEvents(userId)).toBe(before);
});

it('builds the same days and weighings as the phone that pushes their samples', async () => {
  const phone = await harness.newPhone(caller);
  const source = { appId: 'com.example.band', deviceType: 'fitness_band', recordingMethod: 'automatic' };
  const item = (type: string, clock: string, value: number, unit: string, endDate = `2026-01-04T${clock}:00Z`) =>
    record(type, `2026-01-04T${clock}:00Z`, value, unit, { source, zoneOffset: '+01:00', endDate });
  await phone.sync('google', {
    records: [
      item('STEP_COUNT', '10:00', 312, 'count', '2026-01-04T10:10:00Z'),
      item('RESTING_HEART_RATE', '06:00', 54, 'bpm'),
      item('WEIGHT', '07:00', 72.5, 'kg'),
      item('BODY_FAT', '07:00', 21.5, '%'),
    ],
  });
  await harness.work();
  const summaries = async () => [await summariesOf(phone.userId, 'activity'), await summariesOf(phone.userId, 'body')];
  const before = await summaries();
  expect(before).toMatchObject([[{ steps: 312, heart_rate: { resting_bpm: 54 } }], [{ weight: 72.5, fat: 21.5 }]]);
  const eventsBefore = await countEvents(phone.userId);
  const file = await fileOf((insert) => {
    insert('steps_record_table', { start_time: at('10:00') + 20, end_time: at('10:10') + 700, ...zone, count: 312 });
    insert('resting_heart_rate_record_table', { time: at('06:00'), zone_offset: 3600, beats_per_minute: 54 });
    insert('weight_record_table', { time: at('07:00') + 999, zone_offset: 3600, weight: 72_500 });
    insert('body_fat_record_table', { time: at('07:00') + 999, zone_offset: 3600, percentage: 21.5 });
  });
  await importExport(context(), { teamId: caller.team.teamId, userId: phone.userId }, file, silent);
  expect(await summaries()).toEqual(before);
  expect(await countEvents(phone.userId)).toBe(eventsBefore);
});

it('stores the same samples as the phone that pushes them', async () => {
  const phone = await harness.newPhone(caller);
  const source = { appId: 'com.example.band', deviceType: 'fitness_band', recordingMethod: 'automatic' };
  await phone.sync('google', {
    records: [record('WEIGHT', '2026-01-04T07:00:00Z', 72.5, 'kg', { source, zoneOffset: '+01:00' })],
    workouts: [record('RUNNING', '2026-01-04T18:00:00Z', null, null, { source, endDate: '2026-01-04T18:30:00Z', zoneOffset: '+01:00' })],
  });
  await harness.work();
  const before = await countEvents(phone.userId);
  const file = await fileOf((insert) => {
    insert('weight_record_table', { time: at('07:00') + 999, zone_offset: 3600, weight: 72_500 });
    insert('exercise_session_record_table', {
      start_time: at('18:00') + 20,
      end_time: at('18:30') + 30,
      ...zone,
      exercise_type: 33,
      has_route: 0,
    });
  });
  await importExport(context(), { teamId: caller.team.teamId, userId: phone.userId }, file, silent);
  expect(await samplesOf(phone.userId, 'weight')).toHaveLength(1);
  expect(await summariesOf(phone.userId, 'workouts')).toHaveLength(1);
  // The duration is new: the phone did not send it here.
  expect((await countEvents(phone.userId)) ?? 0).toBe((before ?? 0) + 1);
});

it('reads a large database in parts, reports its progress, and removes what it unpacked', async () => {
  const user = await newUser();
  const file = await fileOf((insert) => {
    for (let index = 0; index < 5000; index += 1)
      insert('steps_record_table', {
        start_time: at('00:00') + index * 60_000,
        end_time: at('00:01') + index * 60_000,
        ...zone,
        count: index,
      });
  });
  const unpacked = await mkdtemp(path.join(folder, 'unpacked-'));
  vi.stubEnv('TMPDIR', unpacked);
  const during: number[] = [];
  const seen: ImportProgress[] = [];
  await importExport(context(), user, file, (progress) => {
    seen.push(progress);
    during.push(readdirSync(unpacked).length);
  }).finally(() => vi.unstubAllEnvs());
  expect(seen.map(({ read, total }) => [read, total])).toEqual([
    [2000, 5000],
    [4000, 5000],
    [5000, 5000],
  ]);
  expect([during, readdirSync(unpacked)]).toEqual([[1, 1, 1], []]);
  const [row] = await database.current.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM all_samples s JOIN sources o USING (user_source_id) WHERE o.user_id = ${user.userId}`;
  expect(row?.count).toBe(5000);
});

it('changes nothing when records that are divided between parts are imported again', async () => {
  const user = await newUser();
  const file = await fileOf((insert, sqlite) => {
    const beat = sqlite.prepare('INSERT INTO heart_rate_record_series_table VALUES (?, ?, ?)');
    const stage = sqlite.prepare('INSERT INTO sleep_stages_table VALUES (?, ?, ?, ?)');
    const series = insert('heart_rate_record_table', { start_time: at('13:00'), end_time: at('14:00'), ...zone });
    for (let index = 0; index < 2500; index += 1) beat.run(series, 60 + (index % 9), at('13:00') + index * 1000);
    const night = insert('sleep_session_record_table', { start_time: at('00:00'), end_time: at('08:20'), ...zone });
    for (let index = 0; index < 2500; index += 1)
      stage.run(night, at('00:00') + index * 12_000, at('00:00') + (index + 1) * 12_000, 4 + (index % 3));
  });
  await importExport(context(), user, file, silent);
  const before = await countEvents(user.userId);
  await importExport(context(), user, file, silent);
  expect(await countEvents(user.userId)).toBe(before);
  expect(await summariesOf(user.userId, 'sleep')).toMatchObject([{ duration: 30_000, total: 30_000 }]);
});

it('rejects databases that are damaged or not from Health Connect, and users without the connection', async () => {
  const user = await newUser();
  const zip = async (content: Buffer) => {
    const file = path.join(folder, `${crypto.randomUUID()}.zip`);
    await writeFile(file, zipOf({ 'Health Connect/health_connect_export.db': content }));
    return file;
  };
  const read = (file: string, of = user) => importExport(context(), of, file, silent);
  await expect(read(await zip(Buffer.from('no database at all, but long enough for a header of SQLite'.repeat(50))))).rejects.toMatchObject(
    {
      code: 'export_unreadable',
    },
  );
  const foreign = path.join(folder, 'foreign.db');
  const sqlite = new DatabaseSync(foreign);
  sqlite.exec('CREATE TABLE photos (id INTEGER)');
  sqlite.close();
  await expect(read(await zip(await readFile(foreign)))).rejects.toMatchObject({ code: 'export_unreadable' });
  await expect(read(await fileOf(silent), await newUser(false))).rejects.toMatchObject({ code: 'source_not_connected' });
});

it('imports entries about menstrual cycles as cycles, and a second time without changes', async () => {
  const user = await newUser();
  const file = await fileOf((insert) => {
    const on = (day: string) => ({ time: at('11:00', day), zone_offset: 3600 });
    const period = { start_time: at('00:00', '2026-01-03'), end_time: at('22:59', '2026-01-06'), ...zone };
    insert('menstruation_period_record_table', period);
    insert('menstruation_flow_record_table', { ...on('2026-01-04'), flow: 3 });
    insert('cervical_mucus_record_table', { ...on('2026-01-12'), sensation: 1, appearance: 4 });
    insert('cervical_mucus_record_table', { ...on('2026-01-13'), sensation: 1, appearance: 6 });
    insert('ovulation_test_record_table', { ...on('2026-01-14'), result: 1 });
    insert('ovulation_test_record_table', { ...on('2026-01-13'), result: 3 });
    insert('intermenstrual_bleeding_record_table', on('2026-01-15'));
    insert('sexual_activity_record_table', { ...on('2026-01-16'), protection_used: 0 });
    insert('basal_body_temperature_record_table', { ...on('2026-01-17'), temperature: 36.45, measurement_location: 4 });
  });
  await importExport(context(), user, file, silent);
  const cycles = await summariesOf(user.userId, 'menstrual_cycle');
  expect(cycles).toMatchObject([
    {
      period_start: '2026-01-03',
      period_end: '2026-01-06',
      menstrual_flow: [{ date: '2026-01-04', flow: 'heavy' }],
      cervical_mucus: [{ date: '2026-01-12', quality: 'watery' }],
      ovulation_test: [
        { date: '2026-01-13', test_result: 'negative' },
        { date: '2026-01-14', test_result: 'positive' },
      ],
      intermenstrual_bleeding: [{ date: '2026-01-15' }],
      sexual_activity: [{ date: '2026-01-16', protection_used: null }],
      basal_body_temperature: [{ date: '2026-01-17', value: 36.45 }],
    },
  ]);
  const events = await countEvents(user.userId);
  await importExport(context(), user, file, silent);
  expect(await countEvents(user.userId)).toBe(events);
});
