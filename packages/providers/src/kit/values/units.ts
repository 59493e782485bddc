/** A unit as powers of base quantities, and how many of its base units it is: `km/hr` is 0.2778 of length/time. */
interface Unit {
  readonly factor: number;
  readonly powers: Readonly<Record<string, number>>;
}

type Definition = readonly [factor: number, quantity: string, power?: number];

/** Units that take a metric prefix, in base units: gram, metre, litre, second, joule, kelvin, … */
const metric: Readonly<Record<string, Definition>> = {
  g: [1, 'mass'],
  m: [1, 'length'],
  L: [1, 'volume'],
  l: [1, 'volume'],
  s: [1, 'time'],
  J: [1, 'energy'],
  Pa: [1, 'pressure'],
  K: [1, 'temperature'],
  S: [1, 'conductance'],
  Hz: [1, 'time', -1],
  mol: [1, 'amount'],
  V: [1, 'voltage'],
  W: [1, 'power'],
  rad: [1, 'angle'],
  lx: [1, 'illuminance'],
};

const prefixes: Readonly<Record<string, number>> = {
  f: 1e-15,
  p: 1e-12,
  n: 1e-9,
  mc: 1e-6,
  µ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  d: 1e-1,
  da: 10,
  h: 100,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};

const calorie = 4.184;
const pascalsPerMmHg = 133.322387415;

/** All others that HealthKit writes, and the spellings of Android phones. `count` and `%` are numbers without a quantity of their own. */
const others: Readonly<Record<string, Definition>> = {
  oz: [28.349523125, 'mass'],
  lb: [453.59237, 'mass'],
  st: [6350.29318, 'mass'],
  in: [0.0254, 'length'],
  ft: [0.3048, 'length'],
  yd: [0.9144, 'length'],
  mi: [1609.344, 'length'],
  fl_oz_us: [0.0295735295625, 'volume'],
  fl_oz_imp: [0.0284130625, 'volume'],
  cup_us: [0.2365882365, 'volume'],
  cup_imp: [0.284130625, 'volume'],
  pt_us: [0.473176473, 'volume'],
  pt_imp: [0.56826125, 'volume'],
  mmHg: [pascalsPerMmHg, 'pressure'],
  inHg: [3386.38864034, 'pressure'],
  cmAq: [98.0665, 'pressure'],
  atm: [101_325, 'pressure'],
  sec: [1, 'time'],
  min: [60, 'time'],
  hr: [3600, 'time'],
  h: [3600, 'time'],
  d: [86_400, 'time'],
  day: [86_400, 'time'],
  cal: [calorie, 'energy'],
  // The large calorie differs from the small one by its capital alone.
  Cal: [1000 * calorie, 'energy'],
  kcal: [1000 * calorie, 'energy'],
  dBASPL: [1, 'sound'],
  dBHL: [1, 'hearing'],
  IU: [1, 'biological activity'],
  D: [1, 'dioptre'],
  pD: [1, 'prism dioptre'],
  deg: [Math.PI / 180, 'angle'],
  appleEffortScore: [1, 'effort'],
  count: [1, ''],
  breaths: [1, ''],
  beats: [1, ''],
  steps: [1, ''],
  '%': [0.01, ''],
};

const scaled = ([factor, quantity, power = 1]: Definition, prefix = 1): Unit => ({
  factor: factor * prefix,
  powers: quantity === '' ? {} : { [quantity]: power },
});

function find(table: Readonly<Record<string, Definition>>, name: string): Definition | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** One name, such as `kg` or `mmol<180.1558800000541>`, whose molar mass HealthKit states. */
function readName(text: string): Unit | null {
  const name = text.replace(/<[\d.]+>$/, '');
  const own = find(others, name) ?? find(metric, name);
  if (own) return scaled(own);
  for (const [prefix, scale] of Object.entries(prefixes)) {
    const base = name.startsWith(prefix) ? find(metric, name.slice(prefix.length)) : undefined;
    if (base) return scaled(base, scale);
  }
  return null;
}

function product(units: readonly (readonly [Unit, number])[]): Unit {
  const powers = new Map<string, number>();
  let factor = 1;
  for (const [unit, power] of units) {
    factor *= unit.factor ** power;
    for (const [quantity, own] of Object.entries(unit.powers)) powers.set(quantity, (powers.get(quantity) ?? 0) + own * power);
  }
  return { factor, powers: Object.fromEntries([...powers].filter(([, power]) => power !== 0).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

const unitLengthMax = 60;

/** `mL/min·kg`, `ml/(kg*min)`, `count/min`, `m/s^2`; null for what is no unit. All after a slash is divided by. */
function readUnit(text: string): Unit | null {
  if (text.length > unitLengthMax) return null;
  const parts: [Unit, number][] = [];
  for (const [place, side] of text.split('/').entries()) {
    for (const factor of side.replaceAll(/[()]/g, '').split(/[·*](?!\d)|\.(?!\d)/)) {
      const [, name = '', exponent = '1'] = /^(.*?)(?:\^(-?\d))?$/.exec(factor.trim()) ?? [];
      if (name === '1' || (name === '' && text.startsWith('/'))) continue;
      const unit = readName(name);
      if (unit === null) return null;
      parts.push([unit, (place === 0 ? 1 : -1) * Number(exponent)]);
    }
  }
  return product(parts);
}

/** Names that are no product of others, or are written in other ways. */
const spellings: Readonly<Record<string, string>> = { bpm: 'count/min', rpm: 'count/min', spm: 'count/min', hour: 'hr', index: 'count' };

const known = new Map<string, Unit | null>();
const knownMax = 1000;

function unitOf(text: string): Unit | null {
  const found = known.get(text);
  if (found !== undefined) return found;
  const lower = text.toLowerCase();
  const spelled = Object.hasOwn(spellings, lower) ? (spellings[lower] ?? text) : text;
  // Android phones do not agree on capitals, and no two units differ by them that phones write so.
  const unit = readUnit(spelled) ?? readUnit(spelled.toLowerCase()) ?? null;
  if (known.size < knownMax) known.set(text, unit);
  return unit;
}

const isSameKind = (a: Unit, b: Unit) => JSON.stringify(a.powers) === JSON.stringify(b.powers);

/** How many of `target` one of `unit` is; null when it is no unit, or one of another kind. */
export function factorTo(target: string, unit: string): number | null {
  const [from, to] = [unitOf(unit), unitOf(target)];
  return from === null || to === null || !isSameKind(from, to) ? null : from.factor / to.factor;
}

/** To degrees Celsius, from a temperature or from a difference of temperatures; null for another unit. */
export function toCelsius(value: number, unit: string, isDifference = false): number | null {
  const name = unit.replaceAll(/[°\s]|deg(?:rees?)?/gi, '').toUpperCase();
  if (name === 'C' || name === 'CELSIUS' || name === '') return value;
  if (name === 'F' || name === 'FAHRENHEIT') return ((isDifference ? value : value - 32) * 5) / 9;
  return name === 'K' || name === 'KELVIN' ? (isDifference ? value : value - 273.15) : null;
}
