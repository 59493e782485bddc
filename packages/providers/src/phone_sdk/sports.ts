import { sportOf } from '../kit/values/sports.ts';

/** Words in the names of phones, the more specific ones first. */
const words: readonly (readonly [pattern: RegExp, slug: string])[] = [
  [/open_?water/, 'open_water_swimming'],
  [/swim/, 'swimming'],
  [/treadmill/, 'treadmill_running'],
  [/trail_run/, 'trail_running'],
  [/(?:^|_)run|jog/, 'running'],
  [/mountain_bik/, 'mountain_biking'],
  [/(?:stationary|indoor|spinning|exercise_bike).*|.*(?:biking|cycling|bike)_(?:stationary|indoor)/, 'indoor_cycling'],
  [/cycl|bik/, 'cycling'],
  [/hik|mountaineer/, 'hiking'],
  [/wheelchair/, 'wheelchair_pushing'],
  [/walk/, 'walking'],
  [/row(?:ing)?_?machine|indoor_row/, 'indoor_rowing'],
  [/^row/, 'rowing'],
  [/elliptical/, 'elliptical'],
  [/stair|step_training/, 'stair_climbing'],
  [/weightlift|weight_machine/, 'weightlifting'],
  [/strength|calisthenics|press|curl|deadlift|lunge|squat$|crunch|push_?up|pull_?up/, 'strength_training'],
  [/circuit|cross_?training|boot_?camp|mixed_cardio/, 'circuit_training'],
  [/hiit|interval/, 'interval_training'],
  [/aerobic/, 'aerobics'],
  [/yoga/, 'yoga'],
  [/pilates/, 'pilates'],
  [/stretch|flexib/, 'stretching'],
  [/danc|barre/, 'dancing'],
  [/kick_?box/, 'kickboxing'],
  [/box/, 'boxing'],
  [/martial|karate|taekwondo|judo|wrestl/, 'martial_arts'],
  [/climb/, 'climbing'],
  [/table_tennis/, 'table_tennis'],
  [/tennis/, 'tennis'],
  [/american_football|football_american/, 'american_football'],
  [/soccer|football/, 'football'],
  [/cross_country_ski/, 'cross_country_skiing'],
  [/snowboard/, 'snowboarding'],
  [/ski(?!p)/, 'skiing'],
  [/inline|roller/, 'inline_skating'],
  [/skat/, 'ice_skating'],
  [/paddle_?board/, 'paddleboarding'],
  [/kayak|canoe|paddl/, 'kayaking'],
  [/surf/, 'surfing'],
  [/jump_?rope|rope_skip/, 'jumping_rope'],
  [/meditat|breath|mind/, 'meditation'],
];

/** Slug of the sport that a phone names; `other` for an unknown one. */
export function sportSlugOf(type: string): string {
  const name = type.toLowerCase();
  if (sportOf(name).slug === name) return name;
  return words.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}
