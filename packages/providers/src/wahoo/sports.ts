/** `workout_type_id` and our sport; the numbers have gaps, and new ones are added. */
const sports: Readonly<Record<number, string>> = {
  0: 'cycling',
  1: 'running',
  3: 'running',
  4: 'trail_running',
  5: 'treadmill_running',
  6: 'walking',
  7: 'walking',
  8: 'walking',
  9: 'hiking',
  10: 'climbing',
  11: 'cycling',
  12: 'indoor_cycling',
  13: 'mountain_biking',
  14: 'cycling',
  15: 'road_biking',
  16: 'cycling',
  19: 'treadmill_running',
  20: 'elliptical',
  21: 'indoor_cycling',
  22: 'indoor_rowing',
  23: 'stair_climbing',
  25: 'swimming',
  26: 'open_water_swimming',
  27: 'snowboarding',
  28: 'skiing',
  29: 'skiing',
  30: 'cross_country_skiing',
  31: 'ice_skating',
  32: 'ice_skating',
  33: 'inline_skating',
  36: 'surfing',
  37: 'kayaking',
  38: 'kayaking',
  39: 'rowing',
  40: 'surfing',
  41: 'paddleboarding',
  42: 'strength_training',
  43: 'aerobics',
  44: 'stair_climbing',
  45: 'wheelchair_pushing',
  46: 'golf',
  49: 'indoor_cycling',
  56: 'treadmill_running',
  61: 'indoor_cycling',
  62: 'multisport',
  64: 'cycling',
  66: 'yoga',
  67: 'running',
  68: 'indoor_cycling',
  70: 'cycling',
  71: 'treadmill_running',
};

/** Stationary bikes and trainers, at home and in studios. */
const trainers: ReadonlySet<number> = new Set([12, 49, 61, 68]);

export function wahooSport(type: number | null): string {
  return (type === null ? undefined : sports[type]) ?? 'other';
}

export function isOnTrainer(type: number | null): boolean {
  return type !== null && trainers.has(type);
}
