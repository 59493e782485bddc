/** A sport as stored in workouts. */
export interface SportRef {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

// Ids are never reused or renumbered; new sports are appended.
const rows: readonly (readonly [id: number, slug: string, name: string])[] = [
  [0, 'other', 'Other'],
  [1, 'running', 'Running'],
  [2, 'walking', 'Walking'],
  [3, 'hiking', 'Hiking'],
  [4, 'cycling', 'Cycling'],
  [5, 'road_biking', 'Road biking'],
  [6, 'mountain_biking', 'Mountain biking'],
  [7, 'indoor_cycling', 'Indoor cycling'],
  [8, 'treadmill_running', 'Treadmill running'],
  [9, 'trail_running', 'Trail running'],
  [10, 'swimming', 'Swimming'],
  [11, 'open_water_swimming', 'Open water swimming'],
  [12, 'rowing', 'Rowing'],
  [13, 'indoor_rowing', 'Indoor rowing'],
  [14, 'elliptical', 'Elliptical'],
  [15, 'stair_climbing', 'Stair climbing'],
  [16, 'strength_training', 'Strength training'],
  [17, 'weightlifting', 'Weightlifting'],
  [18, 'circuit_training', 'Circuit training'],
  [19, 'interval_training', 'Interval training'],
  [20, 'aerobics', 'Aerobics'],
  [21, 'yoga', 'Yoga'],
  [22, 'pilates', 'Pilates'],
  [23, 'stretching', 'Stretching'],
  [24, 'dancing', 'Dancing'],
  [25, 'boxing', 'Boxing'],
  [26, 'kickboxing', 'Kickboxing'],
  [27, 'martial_arts', 'Martial arts'],
  [28, 'climbing', 'Climbing'],
  [29, 'golf', 'Golf'],
  [30, 'tennis', 'Tennis'],
  [31, 'table_tennis', 'Table tennis'],
  [32, 'badminton', 'Badminton'],
  [33, 'squash', 'Squash'],
  [34, 'football', 'Football'],
  [35, 'american_football', 'American football'],
  [36, 'basketball', 'Basketball'],
  [37, 'volleyball', 'Volleyball'],
  [38, 'baseball', 'Baseball'],
  [39, 'hockey', 'Hockey'],
  [40, 'rugby', 'Rugby'],
  [41, 'skiing', 'Skiing'],
  [42, 'cross_country_skiing', 'Cross-country skiing'],
  [43, 'snowboarding', 'Snowboarding'],
  [44, 'ice_skating', 'Ice skating'],
  [45, 'inline_skating', 'Inline skating'],
  [46, 'kayaking', 'Kayaking'],
  [47, 'surfing', 'Surfing'],
  [48, 'paddleboarding', 'Paddleboarding'],
  [49, 'jumping_rope', 'Jumping rope'],
  [50, 'meditation', 'Meditation'],
  [51, 'wheelchair_pushing', 'Wheelchair pushing'],
  [52, 'cricket', 'Cricket'],
  [53, 'handball', 'Handball'],
  [54, 'multisport', 'Multisport'],
];

const bySlug: ReadonlyMap<string, SportRef> = new Map(rows.map(([id, slug, name]) => [slug, { id, name, slug }]));

/** The sport of a slug; `other` for a slug that is not in the table. */
export function sportOf(slug: string): SportRef {
  return bySlug.get(slug) ?? { id: 0, name: 'Other', slug: 'other' };
}
