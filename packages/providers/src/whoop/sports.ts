import { sportByWords } from '../kit/values/sport-by-words.ts';

/** WHOOP's sport numbers, from its developer documents. */
const slugs: Readonly<Record<number, string>> = {
  0: 'running',
  1: 'cycling',
  16: 'baseball',
  17: 'basketball',
  18: 'rowing',
  20: 'hockey',
  21: 'american_football',
  22: 'golf',
  24: 'hockey',
  27: 'rugby',
  29: 'skiing',
  30: 'football',
  31: 'baseball',
  32: 'squash',
  33: 'swimming',
  34: 'tennis',
  36: 'volleyball',
  39: 'boxing',
  42: 'dancing',
  43: 'pilates',
  44: 'yoga',
  45: 'weightlifting',
  47: 'cross_country_skiing',
  48: 'circuit_training',
  52: 'hiking',
  55: 'kayaking',
  56: 'martial_arts',
  57: 'mountain_biking',
  59: 'weightlifting',
  60: 'climbing',
  61: 'paddleboarding',
  63: 'walking',
  64: 'surfing',
  65: 'elliptical',
  66: 'stair_climbing',
  70: 'meditation',
  84: 'jumping_rope',
  91: 'snowboarding',
  96: 'interval_training',
  97: 'indoor_cycling',
  98: 'martial_arts',
  100: 'cricket',
  102: 'inline_skating',
  103: 'boxing',
  105: 'wheelchair_pushing',
  107: 'aerobics',
  123: 'strength_training',
  126: 'indoor_cycling',
  127: 'kickboxing',
  128: 'stretching',
  230: 'table_tennis',
  231: 'badminton',
  239: 'ice_skating',
  240: 'handball',
};

/** Our slug for a sport number of WHOOP; null for those that are not in the table. */
export function sportSlugOf(id: unknown): string | null {
  return typeof id === 'number' && Object.hasOwn(slugs, id) ? (slugs[id] ?? null) : null;
}

/** Our slug for a sport in words, such as `weightlifting`. */
export function sportOfType(type: unknown): string {
  return typeof type === 'string' ? sportByWords(type.replaceAll(/[-_]/g, ' ')) : 'other';
}
