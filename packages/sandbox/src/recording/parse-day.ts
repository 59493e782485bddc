import type { RecordedDay, RecordedSleep, RecordedWeight } from './types.ts';

interface Line {
  readonly date: string;
  readonly steps: readonly number[];
  readonly intensity: readonly number[];
  readonly hourly_calories?: readonly number[];
  readonly daily?: { readonly steps: number; readonly distance_km: number; readonly calories: number };
  readonly sleep?: { readonly records: number; readonly minutes_asleep: number; readonly minutes_in_bed: number };
  readonly weight?: {
    readonly time: string;
    readonly weight_kg: number;
    readonly fat_percent: number | null;
    readonly bmi: number;
    readonly manual: boolean;
  };
}

const kmPerStepDefault = 0.0007;
const caloriesDefault = 2000;

/** One line of the minutes file. The file is our own, so its fields are trusted. */
export function parseDay(text: string): RecordedDay {
  const line = JSON.parse(text) as Line;
  const intensity = Uint8Array.from(line.intensity);
  const { sleep, weight } = line;
  const hourly = line.hourly_calories ?? new Array<number>(24).fill((line.daily?.calories ?? caloriesDefault) / 24);
  const bmrPerMinute = Math.min(...hourly) / 60;
  return {
    date: line.date,
    steps: Uint16Array.from(line.steps),
    intensity,
    calories: spreadCalories(hourly, bmrPerMinute, intensity),
    bmrPerMinute,
    kmPerStep: line.daily && line.daily.steps > 0 ? line.daily.distance_km / line.daily.steps : kmPerStepDefault,
    ...(sleep && {
      sleep: { records: sleep.records, minutesAsleep: sleep.minutes_asleep, minutesInBed: sleep.minutes_in_bed } satisfies RecordedSleep,
    }),
    ...(weight && { weight: parseWeight(weight) }),
  };
}

/** The basal rate is spread evenly over all minutes; an hour's energy above it goes to its active minutes. */
function spreadCalories(hourly: readonly number[], bmrPerMinute: number, intensity: Uint8Array): Float32Array {
  const calories = new Float32Array(1440).fill(bmrPerMinute);
  hourly.forEach((kcal, hour) => {
    const levels = intensity.subarray(hour * 60, hour * 60 + 60);
    const total = levels.reduce((sum, level) => sum + level, 0);
    const aboveRest = kcal - bmrPerMinute * 60;
    levels.forEach((level, minute) => {
      calories[hour * 60 + minute] = bmrPerMinute + (total > 0 ? (aboveRest * level) / total : aboveRest / 60);
    });
  });
  return calories;
}

function parseWeight(weight: NonNullable<Line['weight']>): RecordedWeight {
  const match = /^(\d{2}):(\d{2}):(\d{2}) (AM|PM)$/.exec(weight.time);
  const [hour, minute, second] = [Number(match?.[1] ?? 12), Number(match?.[2] ?? 0), Number(match?.[3] ?? 0)];
  return {
    secondOfDay: ((hour % 12) + (match?.[4] === 'PM' ? 12 : 0)) * 3600 + minute * 60 + second,
    weightKg: weight.weight_kg,
    fatPercent: weight.fat_percent,
    bmi: weight.bmi,
    isManual: weight.manual,
  };
}
