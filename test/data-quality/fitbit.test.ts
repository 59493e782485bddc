import { env, stdout } from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFitbitHarness, type FitbitHarness } from '../integration/ingest/support/fitbit-harness.ts';
import { useDatabase } from '../support/database.ts';
import { compare } from './compare.ts';
import { expectedMinutes, expectedTotals, expectedWorkouts, type Recorded } from './expected.ts';
import { localMinutes } from './local-minutes.ts';
import { dateOf, dayNumber, recordedDays, recordedHeart } from './recording.ts';

const database = useDatabase();
let harness: FitbitHarness;
beforeAll(async () => {
  harness = await createFitbitHarness(database.current, { accounts: 1 });
}, 60_000);
afterAll(() => harness.close());

const hourMs = 3_600_000;
const historyDays = 14;
const nothing = { wrong: 0, missing: 0, invented: 0 };

interface Scenario {
  readonly timeZone: string;
  readonly volunteer: string;
  /** When the person links: the clocks of the zone have changed within the two weeks before. */
  readonly linkedAt: string;
  readonly change: string;
}

const scenarios: readonly Scenario[] = [
  { timeZone: 'Europe/Berlin', volunteer: '1503960366', linkedAt: '2026-03-31T10:00:00Z', change: 'forward, 29 March' },
  { timeZone: 'Australia/Sydney', volunteer: '5553957443', linkedAt: '2026-04-07T10:00:00Z', change: 'back, 5 April' },
  { timeZone: 'America/New_York', volunteer: '4702921684', linkedAt: '2026-11-03T20:00:00Z', change: 'back, 1 November' },
];
const further: readonly Scenario[] = [
  { timeZone: 'Australia/Sydney', volunteer: '2026352035', linkedAt: '2026-10-06T10:00:00Z', change: 'forward, 4 October' },
  { timeZone: 'Europe/Berlin', volunteer: '4319703577', linkedAt: '2026-10-27T10:00:00Z', change: 'back, 25 October' },
  { timeZone: 'Europe/London', volunteer: '4445114986', linkedAt: '2027-03-30T10:00:00Z', change: 'forward, 28 March' },
  { timeZone: 'America/New_York', volunteer: '1503960366', linkedAt: '2027-03-16T10:00:00Z', change: 'forward, 14 March' },
];
const isLong = env['DATA_QUALITY'] === 'long';
const played = [...scenarios, ...(isLong ? further : [])].toSorted((a, b) => a.linkedAt.localeCompare(b.linkedAt));

async function storedSeries(userId: string, resource: string): Promise<ReadonlyMap<number, number>> {
  const rows = await database.current.sql<{ ms: number; value: number }[]>`
    SELECT date_part('epoch', ts) * 1000 AS ms, value FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
    WHERE user_id = ${userId} AND resource = ${resource}`;
  return new Map(rows.map(({ ms, value }) => [Math.round(ms), value]));
}

interface StoredSummary {
  readonly day: string;
  readonly data: Readonly<Record<string, never>>;
}

function storedSummaries(userId: string, resource: string): Promise<StoredSummary[]> {
  return database.current.sql<StoredSummary[]>`
    SELECT calendar_date::text AS day, data FROM summaries WHERE user_id = ${userId} AND resource = ${resource} ORDER BY 1`;
}

/** A value of the summaries of each day, summed. */
function byDay(summaries: readonly StoredSummary[], field: string): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { day, data } of summaries) sums.set(dayNumber(day), (sums.get(dayNumber(day)) ?? 0) + Number(data[field]));
  return sums;
}

type Values = ReadonlyMap<number, number>;

/** Asserts that no value is wrong, missing or invented; returns how many values were compared. The long run prints its figures. */
function expectMatch(what: string, expected: Values, stored: Values, tolerance = 0): number {
  const difference = compare(expected, stored, tolerance);
  if (isLong) stdout.write(`${expect.getState().currentTestName}: ${what} ${JSON.stringify(difference)}\n`);
  expect({ what, ...difference }).toMatchObject({ what, ...nothing });
  return difference.compared;
}

test.each(played)(
  '$timeZone, clocks $change: everything stored equals the recording',
  async ({ timeZone, volunteer, linkedAt }) => {
    harness.clock.advance(Date.parse(linkedAt) - harness.clock.now().getTime());
    const day = recordedDays(volunteer);
    const name = `${timeZone} ${linkedAt}`;
    // The tracker was last read before the clocks changed, or in the days after.
    const person = harness.simulator.addAccount({ name, timeZone, recordedUser: volunteer, backlogMinutes: 53 * 60 });
    const { userId } = await harness.link(name);
    const linkedOn = localMinutes(timeZone, dateOf(dayNumber(linkedAt.slice(0, 10)) - 1), Date.parse(linkedAt) + 1).at(-1)?.date ?? '';
    await harness.drainAll();

    const revised = new Map<string, number>();
    const sync = async (minutes: number, revise: number) => {
      harness.clock.advance(hourMs);
      for (const { date, minute, steps } of harness.simulator.publish({ account: name, minutes, revise }).revisions)
        revised.set(`${date} ${minute}`, steps);
      await harness.simulator.pushes.settled();
      await harness.drainAll();
    };
    await sync(23 * 60, 3);
    const single = Array.from({ length: 8 }, (_, back) => dateOf(dayNumber(linkedOn) - 2 - back)).filter(
      (date) => day(date).sleep?.records === 1,
    );
    const [edited = '', deleted = ''] = single;
    person.editSleep(edited);
    person.deleteLogs('sleep', deleted);
    // Some volunteers were never active for long enough.
    const workoutDay = (await storedSummaries(userId, 'workouts')).at(-1)?.day;
    if (workoutDay !== undefined) person.deleteLogs('workout', workoutDay);
    await sync(7 * 60, 0);
    await sync(60 * 60, 3);

    const syncedMs = person.syncedUntil().getTime();
    const recorded: Recorded = { minutes: localMinutes(timeZone, person.firstDate, syncedMs), day, heart: recordedHeart(), revised };
    const firstRead = dateOf(dayNumber(linkedOn) - historyDays);
    const expected = expectedMinutes(recorded, recorded.minutes.find(({ date }) => date >= firstRead)?.ms ?? 0);
    const tolerances = { steps: 0, distance: 0.02, calories_active: 0.0015, heartrate: 0 } as const;
    for (const [resource, tolerance] of Object.entries(tolerances)) {
      const compared = expectMatch(resource, expected[resource as keyof typeof expected], await storedSeries(userId, resource), tolerance);
      expect(compared).toBeGreaterThan(historyDays * 1000);
    }
    expect(new Set((await storedSeries(userId, 'floors_climbed')).keys())).toEqual(new Set(expected.steps.keys()));

    const firstDay = dayNumber(person.firstDate);
    const activities = (await storedSummaries(userId, 'activity')).filter((row) => dayNumber(row.day) >= firstDay);
    expectMatch('steps of days', expectedTotals(recorded), byDay(activities, 'steps'));

    const lastNight = recorded.minutes.at(-1)?.date ?? '';
    const sleeps = (await storedSummaries(userId, 'sleep')).filter((row) => row.day < lastNight);
    const nights = new Map<number, { readonly asleep: number; readonly inBed: number }>();
    for (let number = firstDay; number < dayNumber(lastNight); number++) {
      const { sleep } = day(dateOf(number));
      const cut = dateOf(number) === edited ? 10 : 0;
      if (sleep && dateOf(number) !== deleted)
        nights.set(number, { asleep: (sleep.minutes_asleep - cut) * 60, inBed: (sleep.minutes_in_bed - cut) * 60 });
    }
    const nightly = (field: 'asleep' | 'inBed') => new Map([...nights].map(([number, night]) => [number, night[field]]));
    expect(nights.size).toBeGreaterThan(10);
    expectMatch('time asleep', nightly('asleep'), byDay(sleeps, 'total'));
    expectMatch('time in bed', nightly('inBed'), byDay(sleeps, 'duration'));

    const dates = Array.from({ length: dayNumber(lastNight) - firstDay + 1 }, (_, index) => dateOf(firstDay + index));
    const workouts = await storedSummaries(userId, 'workouts');
    const storedWorkouts = new Map(workouts.map(({ data }) => [Date.parse(data['time_start'] ?? ''), Number(data['steps'])] as const));
    expectMatch(
      'workouts',
      expectedWorkouts(
        recorded,
        dates.filter((date) => date !== workoutDay),
        syncedMs,
      ),
      storedWorkouts,
    );

    // Readings of a night are within an existing night: those of the deleted night and of the cut beginning are gone.
    const spans = (await storedSummaries(userId, 'sleep')).map(
      ({ data }) => [Date.parse(data['bedtime_start'] ?? ''), Date.parse(data['bedtime_stop'] ?? '')] as const,
    );
    for (const resource of ['hrv', 'blood_oxygen']) {
      const times = [...(await storedSeries(userId, resource)).keys()];
      expect(times.length).toBeGreaterThan(500);
      expect(
        times.filter((ms) => !spans.some(([start, stop]) => ms >= start && ms <= stop + 60_000)).map((ms) => new Date(ms).toISOString()),
      ).toEqual([]);
    }
  },
  180_000,
);
