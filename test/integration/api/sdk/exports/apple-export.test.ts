import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importExport, type ImportProgress } from '@pulsewire/intake';
import { useDatabase } from '../../../../support/database.ts';
import type { Caller } from '../../support/harness.ts';
import { createPhoneHarness, record, watch } from '../phone-harness.ts';
import { zipOf } from './zip.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;
let folder: string;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
  folder = await mkdtemp(path.join(os.tmpdir(), 'apple-export-'));
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

const device = '&lt;&lt;HKDevice: 0x28&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:9.1&gt;';
const steps = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const minute = (at: number) =>
      `2026-01-${String(4 + Math.floor(at / 1440)).padStart(2, '0')} ${new Date(at * 60_000).toISOString().slice(11, 19)} +0100`;
    return `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" device="${device}" unit="count" startDate="${minute(index)}" endDate="${minute(index + 1)}" value="${index % 100}"/>`;
  }).join('\n');
const at = (clock: string, day = '2026-01-04') => `${day} ${clock} +0100`;
const exportXml = (more = '') => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
<!ATTLIST HealthData locale CDATA #REQUIRED>
]>
<HealthData locale="de_DE">
 <ExportDate value="${at('12:00:00')}"/>
 <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
 <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Waage &amp; Co" unit="lb" startDate="${at('07:00:00')}" endDate="${at('07:00:00')}" value="160">
  <MetadataEntry key="HKWasUserEntered" value="1"/>
  <MetadataEntry key="HKTimeZone" value="America/New_York"/>
 </Record>
 <Record type="HKQuantityTypeIdentifierOxygenSaturation" device="${device}" unit="%" startDate="${at('07:01:00')}" endDate="${at('07:01:00')}" value="0.97"/>
 <Record type="HKQuantityTypeIdentifierHeartRate" device="${device}" unit="count/min" startDate="yesterday" endDate="${at('07:01:00')}" value="61"/>
 <Record type="HKCategoryTypeIdentifierAppleStandHour" device="${device}" startDate="${at('08:00:00')}" endDate="${at('09:00:00')}" value="HKCategoryValueAppleStandHourIdle"/>
 <Record type="HKCategoryTypeIdentifierSleepAnalysis" device="${device}" startDate="${at('23:00:00')}" endDate="${at('01:00:00', '2026-01-05')}" value="HKCategoryValueSleepAnalysisAsleepCore"/>
 <Record type="HKCategoryTypeIdentifierSleepAnalysis" device="${device}" startDate="${at('01:00:00', '2026-01-05')}" endDate="${at('05:00:00', '2026-01-05')}" value="HKCategoryValueSleepAnalysisAsleepDeep"/>
 <Correlation type="HKCorrelationTypeIdentifierFood" startDate="${at('12:00:00')}" endDate="${at('12:00:00')}">
  <Record type="HKQuantityTypeIdentifierDietaryCarbohydrates" unit="g" startDate="${at('12:00:00')}" endDate="${at('12:00:00')}" value="50"/>
 </Correlation>
 <Workout workoutActivityType="HKWorkoutActivityTypeTraditionalStrengthTraining" duration="30.5" durationUnit="min" device="${device}" startDate="${at('18:00:00')}" endDate="${at('18:30:30')}">
  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="418.4" unit="kJ"/>
  <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="121.4" minimum="90" maximum="150" unit="count/min"/>
  <WorkoutRoute><FileReference path="/workout-routes/route.gpx"/></WorkoutRoute>
 </Workout>
${more}
</HealthData>`;

async function newUser(isLinked = true) {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })).body;
  const link = { user_id: userId, provider_id: userId };
  if (isLinked) await caller.call('POST', '/v2/link/provider/manual/apple_health_kit', link);
  return { teamId: caller.team.teamId, userId: userId as string };
}

async function fileOf(xml: string, name = 'apple_health_export/Export.xml'): Promise<string> {
  const file = path.join(folder, `${crypto.randomUUID()}.zip`);
  const routes = { 'apple_health_export/export_cda.xml': '<x/>', 'apple_health_export/workout-routes/route.gpx': '<gpx/>' };
  await writeFile(file, zipOf({ ...routes, [name]: xml }));
  return file;
}

const samplesOf = async (userId: string, series: string) => {
  const reply = await caller.call('GET', `/v2/timeseries/${userId}/${series}/grouped?start_date=2026-01-01&end_date=2026-01-31`);
  return (reply.body.groups.apple_health_kit ?? []) as { source: { type: string }; data: Record<string, unknown>[] }[];
};
const silent = () => {};
const context = () => ({ database: database.current, clock: harness.clock });

it('imports an Apple Health export with the mappers of phones, and a second time without changes', async () => {
  const user = await newUser();
  const file = await fileOf(exportXml());
  const done = await importExport(context(), user, file, silent);
  expect(done).toMatchObject({ items: 7, leftOut: { bad_time: 1 } });
  expect(await samplesOf(user.userId, 'weight')).toMatchObject([
    { source: { type: 'app' }, data: [{ value: 72.574779, timestamp: '2026-01-04T06:00:00+00:00', timezone_offset: -18_000 }] },
  ]);
  expect(await samplesOf(user.userId, 'blood_oxygen')).toMatchObject([{ source: { type: 'watch' }, data: [{ value: 97 }] }]);
  expect(await samplesOf(user.userId, 'stand_hour')).toMatchObject([{ data: [{ type: 'idle', value: 1, timezone_offset: 3600 }] }]);
  expect(await samplesOf(user.userId, 'carbohydrates')).toEqual([]);
  const window = 'start_date=2026-01-01&end_date=2026-01-31';
  const { sleep } = (await caller.call('GET', `/v2/summary/sleep/${user.userId}?${window}`)).body;
  expect(sleep).toMatchObject([{ calendar_date: '2026-01-05', light: 7200, deep: 14_400, duration: 21_600 }]);
  const { workouts } = (await caller.call('GET', `/v2/summary/workouts/${user.userId}?${window}`)).body;
  expect(workouts).toMatchObject([{ sport: { slug: 'strength_training' }, moving_time: 1830, average_hr: 121, calories: 100 }]);

  const countEvents = async () => {
    const [row] = await database.current.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM log_events WHERE user_id = ${user.userId}`;
    return row?.count;
  };
  const before = await countEvents();
  await importExport(context(), user, file, silent);
  expect(await countEvents()).toBe(before);
});

it('builds the same days, weighings and meals as the phone that sent their items', async () => {
  const phone = await harness.newPhone(caller);
  const metadata = { HKTimeZone: 'Europe/Berlin' };
  const diary = { ...watch, appId: 'com.example.diary', deviceType: null, deviceModel: null };
  const minutes = (type: string, value: number, unit: string) => ({ type, value, unit, from: '07:00', to: '07:10', source: watch });
  const point = (type: string, value: number, unit: string, source: typeof watch | typeof diary) => ({
    type,
    value,
    unit,
    from: '07:00',
    to: '07:00',
    source,
  });
  const items = [
    minutes('StepCount', 312, 'count'),
    minutes('ActiveEnergyBurned', 20.4, 'Cal'),
    minutes('BasalEnergyBurned', 12, 'Cal'),
    point('RestingHeartRate', 54, 'count/min', watch),
    point('WalkingHeartRateAverage', 96, 'count/min', watch),
    point('BodyMass', 72.5, 'kg', watch),
    point('BodyFatPercentage', 0.215, '%', watch),
    point('DietaryEnergyConsumed', 550, 'Cal', diary),
    point('DietaryProtein', 21, 'g', diary),
  ];
  const type = (name: string) => `HKQuantityTypeIdentifier${name}`;
  await phone.sync('apple', {
    records: items.map(({ type: name, value, unit, from, to, source }) =>
      record(type(name), `2026-01-04T${from}:00Z`, value, unit, { endDate: `2026-01-04T${to}:00Z`, source, metadata }),
    ),
  });
  await harness.work();
  const names = ['activity', 'body', 'meal'];
  const summaries = async () =>
    Promise.all(names.map(async (name) => (await caller.call('GET', `/v2/summary/${name}/${phone.userId}?start_date=2026-01-01`)).body));
  const countBuilt = async () => {
    const [row] = await database.current.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM log_events WHERE user_id = ${phone.userId} AND event_type ~ 'data\\.(activity|body|meal)\\.'`;
    return row?.count;
  };
  const before = await summaries();
  expect(before).toMatchObject([
    { activity: [{ steps: 312, calories_total: 32.4, heart_rate: { resting_bpm: 54, avg_walking_bpm: 96 } }] },
    { body: [{ weight: 72.5, fat: 21.5 }] },
    { meals: [{ energy: { value: 550 }, macros: { protein: 21 }, source_app_id: 'com.example.diary' }] },
  ]);
  const xml = items.map(({ type: name, value, unit, from, to, source }) => {
    const clock = (time: string) => at(`${time}:00`.replace('07', '08'));
    const sourceAttribute = source === watch ? `device="${device}"` : '';
    return `<Record type="${type(name)}" ${sourceAttribute} unit="${unit}" startDate="${clock(from)}" endDate="${clock(to)}" value="${value}"><MetadataEntry key="HKTimeZone" value="Europe/Berlin"/></Record>`;
  });
  const file = await fileOf(`<?xml version="1.0"?><HealthData>${xml.join('')}</HealthData>`);
  await importExport(context(), { teamId: caller.team.teamId, userId: phone.userId }, file, silent);
  expect(await summaries()).toEqual(before);
  expect(await countBuilt()).toBe(3);
});

it('reads an export in parts, and reports its progress', async () => {
  const user = await newUser();
  const seen: ImportProgress[] = [];
  await importExport(context(), user, await fileOf(exportXml(steps(6000))), (progress) => seen.push(progress));
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.map(({ read }) => read)).toEqual(seen.map(({ read }) => read).toSorted((a, b) => a - b));
  expect(seen.at(-1)).toMatchObject({ items: 6007, unit: 'bytes', read: seen.at(-1)?.total });
  const [row] = await database.current.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM all_samples s JOIN sources o USING (user_source_id) JOIN series k USING (series)
    WHERE o.user_id = ${user.userId} AND k.resource = 'steps'`;
  expect(row?.count).toBe(6000);
});

it('rejects files that are not an export, and users without the connection', async () => {
  const user = await newUser();
  const read = (file: string, of = user) => importExport(context(), of, file, silent);
  const noZip = path.join(folder, 'no.zip');
  await writeFile(noZip, 'not a zip');
  await expect(read(noZip)).rejects.toMatchObject({ code: 'export_unreadable', message: expect.stringContaining('ZIP archive') });
  const none = path.join(folder, 'none.zip');
  await expect(read(none)).rejects.toMatchObject({ code: 'export_unreadable', message: 'There is no such file' });
  await expect(read(await fileOf('<x/>', 'photo.xml'))).rejects.toMatchObject({ code: 'export_unreadable' });
  await expect(read(await fileOf('<HealthData><Record type="a"</HealthData>'))).rejects.toMatchObject({ code: 'export_unreadable' });
  const sound = await fileOf(exportXml());
  await expect(read(sound, await newUser(false))).rejects.toMatchObject({ code: 'source_not_connected' });
  const foreign = (await harness.newCaller()).team.teamId;
  await expect(read(sound, { ...user, teamId: foreign })).rejects.toMatchObject({ code: 'source_not_connected' });
});

it('imports menstrual entries with the words of older and newer exports, a second time without changes', async () => {
  const user = await newUser();
  const entry = (type: string, value: string, day: string, metadata = '') =>
    `<Record type="HKCategoryTypeIdentifier${type}" device="${device}" startDate="${at('12:00:00', day)}" endDate="${at('12:00:00', day)}" value="HKCategoryValue${value}">${metadata}</Record>`;
  const file = await fileOf(
    exportXml(
      [
        entry('MenstrualFlow', 'MenstrualFlowLight', '2026-01-03', '<MetadataEntry key="HKMenstrualCycleStart" value="1"/>'),
        entry('MenstrualFlow', 'VaginalBleedingHeavy', '2026-01-04'),
        entry('OvulationTestResult', 'OvulationTestResultPositive', '2026-01-13'),
        entry('CervicalMucusQuality', 'CervicalMucusQualityEggWhite', '2026-01-14'),
        entry('IntermenstrualBleeding', 'NotApplicable', '2026-01-15'),
        entry('SexualActivity', 'NotApplicable', '2026-01-16', '<MetadataEntry key="HKSexualActivityProtectionUsed" value="1"/>'),
        entry('Contraceptive', 'ContraceptiveIntrauterineDevice', '2026-01-17'),
        entry('PregnancyTestResult', 'PregnancyTestResultNegative', '2026-01-18'),
        entry('IrregularMenstrualCycles', 'NotApplicable', '2026-01-19'),
      ].join('\n'),
    ),
  );
  await importExport(context(), user, file, silent);
  const read = () => caller.call('GET', `/v2/summary/menstrual_cycle/${user.userId}?start_date=2026-01-01&end_date=2026-01-31`);
  const { menstrual_cycle: cycles } = (await read()).body;
  expect(cycles).toMatchObject([
    {
      period_start: '2026-01-03',
      period_end: '2026-01-04',
      menstrual_flow: [{ flow: 'light' }, { flow: 'heavy' }],
      ovulation_test: [{ date: '2026-01-13', test_result: 'luteinizing_hormone_surge' }],
      cervical_mucus: [{ quality: 'egg_white' }],
      intermenstrual_bleeding: [{ date: '2026-01-15' }],
      sexual_activity: [{ protection_used: true }],
      contraceptive: [{ type: 'iud' }],
      home_pregnancy_test: [{ test_result: 'negative' }],
      detected_deviations: [{ date: '2026-01-19', deviation: 'irregular_menstrual_cycles' }],
    },
  ]);
  await importExport(context(), user, file, silent);
  expect((await read()).body.menstrual_cycle).toEqual(cycles);
});
