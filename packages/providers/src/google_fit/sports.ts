/** Slugs of `kit/values/sports.ts` by Google's activity codes. Other workouts are `other`. */
const slugs: Readonly<Record<string, readonly number[]>> = {
  running: [8, 56, 57],
  treadmill_running: [58],
  walking: [7, 93, 94, 95, 116],
  hiking: [35],
  cycling: [1, 14, 19],
  road_biking: [16],
  mountain_biking: [15],
  indoor_cycling: [17, 18],
  swimming: [82, 83],
  open_water_swimming: [84],
  rowing: [53],
  indoor_rowing: [54, 103],
  elliptical: [25],
  stair_climbing: [77, 78],
  strength_training: [80, 113],
  weightlifting: [41, 97],
  circuit_training: [22],
  interval_training: [114, 115],
  aerobics: [9],
  yoga: [100],
  pilates: [49],
  dancing: [24, 101],
  boxing: [20],
  kickboxing: [42],
  martial_arts: [44, 46],
  climbing: [52],
  golf: [32],
  tennis: [87],
  table_tennis: [85],
  badminton: [10],
  squash: [76],
  football: [29],
  american_football: [27],
  basketball: [12],
  volleyball: [89, 90, 91],
  baseball: [11, 120],
  hockey: [36],
  rugby: [55],
  skiing: [65, 66, 68, 69, 70],
  cross_country_skiing: [67],
  snowboarding: [73],
  ice_skating: [104, 105],
  inline_skating: [63, 64],
  kayaking: [40],
  surfing: [81],
  paddleboarding: [79],
  jumping_rope: [39],
  wheelchair_pushing: [98],
  cricket: [23],
  handball: [34],
};

const byCode: ReadonlyMap<number, string> = new Map(
  Object.entries(slugs).flatMap(([slug, codes]) => codes.map((code) => [code, slug] as const)),
);

export const sleepCode = 72;
/** Meditation and guided breathing. */
const mindful: ReadonlySet<number> = new Set([45, 122]);
/** Being driven, on foot without saying how, standing still, sleeping and riding lifts: what a phone detects by itself. */
const idle: ReadonlySet<number> = new Set([0, 2, 3, 4, 5, 6, sleepCode, 109, 110, 111, 112, 117, 118]);

export function kindOfSession(code: number): 'workout' | 'mindfulness' | 'none' {
  if (mindful.has(code)) return 'mindfulness';
  return idle.has(code) ? 'none' : 'workout';
}

export function sportSlug(code: number): string {
  return byCode.get(code) ?? 'other';
}
