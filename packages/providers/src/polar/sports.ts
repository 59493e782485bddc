import { sportOf, type SportRef } from '../kit/sports.ts';

/** Polar's names that are not ours. */
const aliases: Readonly<Record<string, string>> = {
  road_cycling: 'road_biking',
  mountain_biking: 'mountain_biking',
  indoor_cycling: 'indoor_cycling',
  cycling_virtual: 'indoor_cycling',
  jogging: 'running',
  road_running: 'running',
  track_and_field_running: 'running',
  trail_running: 'trail_running',
  ultra_running: 'trail_running',
  pool_swimming: 'swimming',
  cross_trainer: 'elliptical',
  nordic_walking: 'walking',
  functional_training: 'circuit_training',
  crossfit: 'circuit_training',
  high_intensity_interval_training: 'interval_training',
  soccer: 'football',
  downhill_skiing: 'skiing',
  cross_country_skiing_freestyle: 'cross_country_skiing',
  ice_hockey: 'hockey',
  stand_up_paddling: 'paddleboarding',
  skating: 'ice_skating',
  trotting: 'other',
};

/** The sport of an exercise, by its detailed name, else by the plain one. */
export function polarSport(detailed: string | null, plain: string | null): SportRef {
  const known = [detailed, plain].map((name) => {
    const slug = (name ?? '').toLowerCase();
    return sportOf(Object.hasOwn(aliases, slug) ? (aliases[slug] ?? 'other') : slug);
  });
  return known.find(({ slug }) => slug !== 'other') ?? sportOf('other');
}
