import type { Person, PersonDay } from '@pulsewire/sandbox';
import type { StoredSample, StoredSummary } from './stored.ts';

/** The range of a series' values for a healthy person; values in a wrong unit are outside of it. */
const plausible: Readonly<Record<string, readonly [low: number, high: number]>> = {
  weight: [65, 80],
  fat: [10, 40],
  heartrate: [35, 220],
  hrv: [10, 150],
  blood_oxygen: [90, 100],
  respiratory_rate: [8, 25],
  body_temperature: [30, 40],
  body_temperature_delta: [-2, 2],
  glucose: [3, 12],
  blood_pressure: [90, 160],
  vo2_max: [30, 70],
  stress_level: [0, 100],
  body_mass_index: [15, 40],
  lean_body_mass: [30, 80],
  // mV
  electrocardiogram_voltage: [-3, 3],
};

const parse = (text: unknown): number => (typeof text === 'string' ? Date.parse(text) : Number.NaN);
const isNear = (given: unknown, truth: number, share: number): boolean =>
  given === null || given === undefined || Math.abs(Number(given) - truth) <= Math.max(1.01, Math.abs(truth) * share);

function offsetProblems(person: Person, what: string, offset: unknown, ...instants: readonly number[]): string[] {
  if (offset === null || offset === undefined) return [];
  const known = instants.map((ms) => person.zone.offsetMinutes(ms) * 60);
  return known.includes(Number(offset)) ? [] : [`${what}: offset ${JSON.stringify(offset)}, not ${known.join(' or ')}`];
}

function sleepProblems(person: Person, days: readonly PersonDay[], rows: readonly StoredSummary[]): string[] {
  const nights = days.flatMap((day) => day.sleeps.map((sleep) => ({ day, sleep })));
  const found = new Map(rows.map((row) => [parse(row.data['bedtime_start']), row]));
  return nights.flatMap(({ day, sleep }) => {
    const row = found.get(sleep.startMs);
    if (!row) return [`sleep of ${day.date}: not there`];
    const { data } = row;
    const seconds = sleep.secondsOf;
    // Sleep without stages counts as light.
    const isStaged = [data['deep'], data['rem']].some((value) => value !== 0);
    const stages = ['light', 'deep', 'rem'] as const;
    const figures: readonly (readonly [string, number, number])[] = [
      ['duration', (sleep.endMs - sleep.startMs) / 1000, 0.001],
      ['total', seconds.light + seconds.deep + seconds.rem, 0.001],
      ...(isStaged ? stages.map((stage) => [stage, seconds[stage], 0.001] as const) : []),
      ['awake', seconds.awake, 0.001],
      ['hr_lowest', sleep.hrLowest, 0.05],
      ['hr_average', sleep.hrAverage, 0.05],
      ['average_hrv', sleep.hrvAverage, 0.05],
      ['respiratory_rate', sleep.respiratoryRate, 0.05],
      ['temperature_delta', sleep.temperatureDelta, 0.05],
    ];
    return [
      ...(row.calendar_date === day.date ? [] : [`sleep of ${day.date}: on the day ${row.calendar_date}`]),
      ...(parse(data['bedtime_stop']) === sleep.endMs ? [] : [`sleep of ${day.date}: ends at ${String(data['bedtime_stop'])}`]),
      ...offsetProblems(person, `sleep of ${day.date}`, data['timezone_offset'], sleep.startMs, sleep.endMs),
      ...figures.flatMap(([key, truth, share]) =>
        isNear(data[key], truth, share) ? [] : [`sleep of ${day.date}: ${key} ${String(data[key])}, not ${truth}`],
      ),
    ];
  });
}

const stageCodes = { deep: 1, light: 2, rem: 3, awake: 4 } as const;

function cycleProblems(days: readonly PersonDay[], rows: readonly StoredSummary[]): string[] {
  const found = new Map(rows.map((row) => [parse(row.data['session_start']), row.data]));
  return days.flatMap(({ date, sleeps }) =>
    sleeps.flatMap(({ startMs, stages }) => {
      const data = found.get(startMs);
      if (!data) return [`sleep cycle of ${date}: not there`];
      const starts = data['stage_start_offset_second'] as number[];
      const ends = data['stage_end_offset_second'] as number[];
      const codes = data['stage_type'] as number[];
      // Providers may split a stage in two; the stage must be right at each instant.
      const codeAt = (second: number) => codes[starts.findIndex((start, index) => start <= second && second < (ends[index] ?? 0))];
      const wrong = stages.filter((span) => codeAt((span.startMs - startMs) / 1000 + 30) !== stageCodes[span.stage]);
      return wrong.length === 0 ? [] : [`sleep cycle of ${date}: ${wrong.length} of ${stages.length} stages are wrong`];
    }),
  );
}

function workoutProblems(person: Person, days: readonly PersonDay[], rows: readonly StoredSummary[]): string[] {
  const found = new Map(rows.map((row) => [parse(row.data['time_start']), row]));
  return days.flatMap((day) =>
    day.workouts.flatMap((workout) => {
      const row = found.get(workout.startMs);
      if (!row) return [`workout of ${day.date}: not there`];
      const { data } = row;
      const figures: readonly (readonly [string, number, number])[] = [
        ['distance', workout.distanceM, 0.01],
        ['calories', workout.kcal, 0.02],
        ['average_hr', workout.hrAverage, 0.02],
        ['max_hr', workout.hrMax, 0.02],
        ['total_elevation_gain', workout.elevationM, 0.02],
      ];
      return [
        ...(row.calendar_date === day.date ? [] : [`workout of ${day.date}: on the day ${row.calendar_date}`]),
        ...(parse(data['time_end']) === workout.endMs ? [] : [`workout of ${day.date}: ends at ${String(data['time_end'])}`]),
        ...offsetProblems(person, `workout of ${day.date}`, data['timezone_offset'], workout.startMs),
        ...figures.flatMap(([key, truth, share]) =>
          isNear(data[key], truth, share) ? [] : [`workout of ${day.date}: ${key} ${String(data[key])}, not ${truth}`],
        ),
      ];
    }),
  );
}

function activityProblems(days: readonly PersonDay[], rows: readonly StoredSummary[]): string[] {
  const found = new Map(rows.map((row) => [row.calendar_date, row.data]));
  return days.flatMap((day) => {
    const data = found.get(day.date);
    if (!data) return [`activity of ${day.date}: not there`];
    const figures: readonly (readonly [string, number, number])[] = [
      ['steps', day.steps, 0],
      ['distance', day.distanceM, 0.02],
      ['calories_active', day.activeKcal, 0.02],
      ['calories_total', day.activeKcal + day.basalKcal, 0.02],
      ['low', day.lowSeconds / 60, 0.02],
      ['medium', day.mediumSeconds / 60, 0.02],
      ['high', day.highSeconds / 60, 0.02],
      ['floors_climbed', day.floors, 0],
    ];
    return figures.flatMap(([key, truth, share]) =>
      isNear(data[key], truth, share) ? [] : [`activity of ${day.date}: ${key} ${String(data[key])}, not ${truth}`],
    );
  });
}

/**
 * What is wrong with stored records, compared with the person of the simulator: nights and workouts at their instants,
 * on their local days, with their figures in our units; offsets as the person's clocks showed them. One line each.
 */
export function problemsAgainst(
  person: Person,
  range: readonly [first: string, last: string],
  stored: { readonly summaries: readonly StoredSummary[]; readonly samples: readonly StoredSample[] },
  resources: readonly string[],
): readonly string[] {
  const days = person.days(...range);
  const of = (resource: string) => stored.summaries.filter((row) => row.resource === resource);
  const checks: Readonly<Record<string, (rows: readonly StoredSummary[]) => string[]>> = {
    sleep: (rows) => sleepProblems(person, days, rows),
    sleep_cycle: (rows) => cycleProblems(days, rows),
    workouts: (rows) => workoutProblems(person, days, rows),
    activity: (rows) => activityProblems(days, rows),
  };
  const ofSummaries = resources.flatMap((resource) => checks[resource]?.(of(resource)) ?? []);
  const ofSamples = stored.samples.flatMap((sample) => {
    const [low, high] = plausible[sample.resource] ?? [0, Number.POSITIVE_INFINITY];
    const what = `${sample.resource} at ${new Date(sample.ts_ms).toISOString()}`;
    const isPlausible = sample.value === null || (sample.value >= low && sample.value <= high);
    return [...(isPlausible ? [] : [`${what}: ${sample.value}`]), ...offsetProblems(person, what, sample.tz_offset, sample.ts_ms)];
  });
  return [...ofSummaries, ...ofSamples].slice(0, 40);
}
