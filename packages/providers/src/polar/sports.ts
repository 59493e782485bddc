import { sportOf, type SportRef } from '../kit/values/sports.ts';

/** Polar's names, in lower case, that differ from ours. Sports without a name here are left out. */
const aliases: Readonly<Record<string, string>> = {
  backcountry_skiing: 'skiing',
  beach_volley: 'volleyball',
  bootcamp: 'circuit_training',
  core: 'strength_training',
  cross_trainer: 'elliptical',
  crossfit: 'circuit_training',
  cycling_virtual: 'indoor_cycling',
  cyclocross: 'cycling',
  downhill_skiing: 'skiing',
  field_hockey: 'hockey',
  finnish_baseball: 'baseball',
  fitness_step: 'aerobics',
  functional_training: 'circuit_training',
  futsal: 'football',
  hiit: 'interval_training',
  high_intensity_interval_training: 'interval_training',
  ice_hockey: 'hockey',
  jogging: 'running',
  kettlebell: 'strength_training',
  kickboxing_martial_arts: 'kickboxing',
  les_mills_bodyattack: 'aerobics',
  les_mills_bodybalance: 'yoga',
  les_mills_bodycombat: 'martial_arts',
  les_mills_bodyjam: 'dancing',
  les_mills_bodypump: 'weightlifting',
  les_mills_bodystep: 'aerobics',
  les_mills_grit_athletic: 'interval_training',
  les_mills_grit_cardio: 'interval_training',
  les_mills_grit_strength: 'interval_training',
  les_mills_rpm: 'indoor_cycling',
  les_mills_shbam: 'dancing',
  les_mills_sprint: 'indoor_cycling',
  les_mills_trip: 'indoor_cycling',
  mobility_dynamic: 'stretching',
  mobility_static: 'stretching',
  nordic_walking: 'walking',
  orienteering: 'running',
  orienteering_mtb: 'mountain_biking',
  orienteering_ski: 'cross_country_skiing',
  parasports_wheelchair: 'wheelchair_pushing',
  pool_swimming: 'swimming',
  road_cycling: 'road_biking',
  roller_blading: 'inline_skating',
  skating: 'ice_skating',
  snowshoe_trekking: 'hiking',
  soccer: 'football',
  spinning: 'indoor_cycling',
  stair_workout: 'stair_climbing',
  stand_up_paddling: 'paddleboarding',
  sup: 'paddleboarding',
  telemark_skiing: 'skiing',
  triathlon_swimming: 'open_water_swimming',
  offroadtriathlon_swimming: 'open_water_swimming',
  offroadduathlon_cycling: 'mountain_biking',
  offroadtriathlon_cycling: 'mountain_biking',
  verticalsports_outclimbing: 'climbing',
  verticalsports_wallclimbing: 'climbing',
  watersports_canoeing: 'kayaking',
  watersports_kayaking: 'kayaking',
  watersports_surfing: 'surfing',
};

/** Prefixes and suffixes of names that all map to one sport: `LATIN_DANCING`, `DUATHLON_RUNNING`, `XC_SKIING_CLASSIC`. */
const kinds: readonly (readonly [pattern: RegExp, slug: string])[] = [
  [/^xc_skiing_|_xc_skiing$|^cross.country_skiing_/, 'cross_country_skiing'],
  [/_dancing$/, 'dancing'],
  [/_martial_arts$/, 'martial_arts'],
  [/^(?!water_).+_running$/, 'running'],
  [/^(?:duathlon|triathlon)_cycling$/, 'cycling'],
];

function slugOf(name: string): string {
  if (Object.hasOwn(aliases, name)) return aliases[name] ?? 'other';
  if (sportOf(name).slug !== 'other') return name;
  return kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}

/** The sport of an exercise, by its detailed name, else by the plain one. */
export function polarSport(detailed: string | null, plain: string | null): SportRef {
  const known = [detailed, plain].map((name) => sportOf(slugOf((name ?? '').toLowerCase())));
  return known.find(({ slug }) => slug !== 'other') ?? sportOf('other');
}
