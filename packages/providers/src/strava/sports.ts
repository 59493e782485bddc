const slugs: Readonly<Record<string, string>> = {
  AlpineSki: 'skiing',
  BackcountrySki: 'skiing',
  Badminton: 'badminton',
  Canoeing: 'kayaking',
  Crossfit: 'circuit_training',
  EBikeRide: 'cycling',
  Elliptical: 'elliptical',
  EMountainBikeRide: 'mountain_biking',
  Golf: 'golf',
  GravelRide: 'cycling',
  Handcycle: 'cycling',
  HighIntensityIntervalTraining: 'interval_training',
  Hike: 'hiking',
  IceSkate: 'ice_skating',
  InlineSkate: 'inline_skating',
  Kayaking: 'kayaking',
  MountainBikeRide: 'mountain_biking',
  NordicSki: 'cross_country_skiing',
  Pilates: 'pilates',
  Ride: 'cycling',
  RockClimbing: 'climbing',
  RollerSki: 'cross_country_skiing',
  Rowing: 'rowing',
  Run: 'running',
  Snowboard: 'snowboarding',
  Soccer: 'football',
  Squash: 'squash',
  StairStepper: 'stair_climbing',
  StandUpPaddling: 'paddleboarding',
  Surfing: 'surfing',
  Swim: 'swimming',
  TableTennis: 'table_tennis',
  Tennis: 'tennis',
  TrailRun: 'trail_running',
  Velomobile: 'cycling',
  VirtualRide: 'indoor_cycling',
  VirtualRow: 'indoor_rowing',
  VirtualRun: 'treadmill_running',
  Walk: 'walking',
  WeightTraining: 'strength_training',
  Wheelchair: 'wheelchair_pushing',
  Yoga: 'yoga',
};

/** The same on a trainer, which Strava reports as a flag. */
const indoors: Readonly<Record<string, string>> = { cycling: 'indoor_cycling', running: 'treadmill_running', rowing: 'indoor_rowing' };

/** Our slug for Strava's `sport_type`; `other` for those that are not in the table. */
export function sportSlugOf(sportType: string, isOnTrainer: boolean): string {
  const slug = Object.hasOwn(slugs, sportType) ? (slugs[sportType] ?? 'other') : 'other';
  return isOnTrainer ? (indoors[slug] ?? slug) : slug;
}
