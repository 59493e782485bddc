import { sportOf } from './sports.ts';

const run = 'run|runs|running|runner|jog|jogs|jogging';
const bike = 'bike|bikes|biking|bicycle|bicycling|cycle|cycling|cyclist';
const swim = 'swim|swims|swimming';
const ski = 'ski|skis|skiing';
const walk = 'walk|walks|walking';
const hockey = 'hockey';

/** Whole words of English sport names, in lower case and apart from each other; the more specific ones first. */
const table: readonly (readonly [words: string, slug: string])[] = [
  [`(?:${swim}) (?:${bike}) (?:${run})|triathlon|duathlon|aquathlon|multi ?sport`, 'multisport'],
  // Not bicycles.
  ['wheelchair|handrim', 'wheelchair_pushing'],
  ['motor (?:cycle|cycling|bike|biking)|motorcycle|motorcycling|motorbike|motorbiking', 'other'],
  [`(?:mountain|mtb) ?(?:${bike}|ride)?`, 'mountain_biking'],
  [
    `(?:spin|spinning)|(?:indoor|stationary|exercise|virtual) (?:${bike}|ride|riding|spinning)|(?:${bike}|ride) (?:indoor|indoors|stationary|virtual)`,
    'indoor_cycling',
  ],
  [`road (?:${bike}|ride)`, 'road_biking'],
  [`(?:horse|horseback|equestrian) ?(?:ride|riding|sports?)?`, 'other'],
  [`hand (?:${bike})|handcycle|handcycling|gravel (?:ride|riding)|e ?(?:bike|biking)|${bike}|ride|rides`, 'cycling'],
  ['treadmill', 'treadmill_running'],
  [`trail (?:${run})`, 'trail_running'],
  [`snow ?shoe|snow ?shoes|snow ?shoeing`, 'other'],
  [run, 'running'],
  ['hike|hikes|hiking|mountaineering|trekking', 'hiking'],
  [walk, 'walking'],
  [`open ?water`, 'open_water_swimming'],
  [swim, 'swimming'],
  [`(?:cross country|nordic|xc|classic|roller) (?:${ski})|(?:${ski}) cross country`, 'cross_country_skiing'],
  ['snow ?board|snow ?boarding', 'snowboarding'],
  ['(?:water|jet) (?:ski|skis|skiing)', 'other'],
  [ski, 'skiing'],
  [`(?:roller|inline|ice|field|street) ?${hockey}|${hockey}`, 'hockey'],
  ['inline|roller (?:skate|skates|skating|blade|blades|blading)|rollerblading|rollerskating|skate ?boarding', 'inline_skating'],
  ['skate|skates|skating', 'ice_skating'],
  [`(?:row|rowing|rower) ?(?:machine|ergometer|erg|indoor|indoors)|(?:indoor|virtual) (?:row|rowing)`, 'indoor_rowing'],
  ['row|rows|rowing|rower|sculling', 'rowing'],
  ['elliptical|cross trainer', 'elliptical'],
  ['stair|stairs|stairmaster|stepper|step (?:training|machine)', 'stair_climbing'],
  ['weight|weights|weightlifting|weight lifting|powerlifting|weight machine', 'weightlifting'],
  [
    'strength|calisthenics|kettlebell|kettlebells|core training|(?:bench|leg|chest|shoulder|overhead) press|(?:arm|biceps?|leg|hamstring) curls?' +
      '|deadlifts?|lunges?|squats?|crunch(?:es)?|sit ?ups?|push ?ups?|pull ?ups?|plank|planks',
    'strength_training',
  ],
  ['cross ?fit|circuit|circuits|boot ?camp|cross training|mixed (?:metabolic )?cardio', 'circuit_training'],
  ['interval|intervals|hiit', 'interval_training'],
  ['yoga', 'yoga'],
  ['pilates|barre', 'pilates'],
  ['stretch|stretches|stretching|flexibility', 'stretching'],
  ['dance|dances|dancing|zumba|ballet', 'dancing'],
  ['water (?:aerobics?|fitness)|aqua (?:aerobics?|fitness)|aerobic|aerobics|cardio|group workout', 'aerobics'],
  ['kick ?boxing', 'kickboxing'],
  ['boxing|shadow ?boxing', 'boxing'],
  ['martial|karate|judo|taekwondo|jiu jitsu|aikido|kung fu|wrestling', 'martial_arts'],
  ['climb|climbs|climbing|bouldering', 'climbing'],
  ['(?:disc|frisbee) golf', 'other'],
  ['golf|golfing', 'golf'],
  ['table tennis|ping ?pong', 'table_tennis'],
  ['tennis', 'tennis'],
  ['badminton', 'badminton'],
  ['squash', 'squash'],
  ['american football|football american', 'american_football'],
  ['soccer|football|futsal', 'football'],
  ['basketball', 'basketball'],
  ['volleyball|beach volley', 'volleyball'],
  ['baseball|softball', 'baseball'],
  ['rugby', 'rugby'],
  ['cricket', 'cricket'],
  ['handball', 'handball'],
  ['(?:stand up |sup )?paddle ?boarding|paddle ?board|stand up paddle|stand up paddling', 'paddleboarding'],
  ['kayak|kayaking|canoe|canoeing|paddle sports|paddling|paddle', 'kayaking'],
  ['surf|surfing|bodysurfing|surfing sports', 'surfing'],
  ['(?:jump|jumping|skipping) rope|rope (?:jumping|skipping)|ropes?', 'jumping_rope'],
  ['meditation|meditate|meditating|mindfulness|mind and body|breathing', 'meditation'],
];

const patterns = table.map(([words, slug]) => [new RegExp(`\\b(?:${words})\\b`), slug] as const);

/** `CrossCountrySkiing`, `cross_country_skiing` and `Cross-Country Skiing` are the same words. */
const wordsOf = (name: string) =>
  name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The slug of a sport from an open list of English names; `other` for a name without a known word. Only whole words count: `curling` is no
 * exercise called curl, and `brisk` no sport on skis.
 */
export function sportByWords(name: string): string {
  const words = wordsOf(name);
  const slug = words.replaceAll(' ', '_');
  if (sportOf(slug).slug === slug) return slug;
  return patterns.find(([pattern]) => pattern.test(words))?.[1] ?? 'other';
}
