/** Units of lab reports by canonical spelling, with alternative spellings. Compared without case and spaces. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  '%': ['percent'],
  'mg/dL': ['mg/100ml', 'mgdl', 'mg%'],
  'g/dL': ['gm/dl', 'gm%', 'g%', 'gms%', 'gm %'],
  'mg/L': [],
  'g/L': [],
  'mmol/L': [],
  'umol/L': ['µmol/l', 'μmol/l', 'mcmol/l'],
  'nmol/L': [],
  'pmol/L': [],
  'mEq/L': [],
  'ng/mL': [],
  'ng/dL': [],
  'ng/L': [],
  'pg/mL': [],
  'ug/dL': ['mcg/dl', 'µg/dl', 'μg/dl'],
  'ug/L': ['mcg/l', 'µg/l', 'μg/l'],
  'ug/mL': ['mcg/ml', 'µg/ml', 'μg/ml'],
  'mcg/mg creat': ['ug/mg creat'],
  'mg/mmol': [],
  'mmol/mol': [],
  'mg/g creat': [],
  'mg/g': [],
  'U/L': ['units/l'],
  'IU/L': [],
  'U/mL': [],
  'IU/mL': [],
  'uIU/mL': ['µiu/ml', 'μiu/ml', 'mciu/ml', 'ulu/ml', 'uiu/m1', 'ulu/m1'],
  'mIU/mL': ['mlu/ml'],
  'mIU/L': ['mlu/l'],
  '10^3/uL': [
    'x10e3/ul',
    '10e3/ul',
    'K/uL',
    'k/µl',
    'k/cumm',
    'thousand/ul',
    'thous/mcl',
    'x10^3/ul',
    '10^3/µl',
    'x10(3)/ul',
    '10*3/ul',
    'x10*3/ul',
    'thou/ul',
    'thou/mm3',
    'k/cmm',
    'k/mm3',
    'x10^3/mm3',
    '10^3/mm3',
    '10^3/cumm',
    'thousand/cumm',
    'x1000/ul',
    '1000/ul',
  ],
  '10^6/uL': [
    'x10e6/ul',
    '10e6/ul',
    'M/uL',
    'million/ul',
    'mill/mcl',
    'x10^6/ul',
    'x10(6)/ul',
    '10*6/ul',
    'x10*6/ul',
    'm/mm3',
    'mill/mm3',
    'million/mm3',
    'm/cmm',
    '10^6/mm3',
    '10^6/cumm',
    'million/cumm',
    'mill/cumm',
    'mil/ul',
  ],
  '10^9/L': ['x10e9/l', '10e9/l', 'x10^9/l', '10*9/l'],
  '10^12/L': ['x10e12/l', '10e12/l', 'x10^12/l', '10*12/l'],
  '10^5/uL': ['lakhs/cumm', 'lakh/cumm', 'lakhs/ul', 'lakh/ul', 'lakhs/mm3', 'lakh/mm3', 'lakhs/cmm', 'lakh/cmm'],
  'cells/uL': ['cells/cmm', 'cells/mm3', 'cells/mcl', 'cells/µl', '/ul', '/cumm', 'cells/cumm', '/mm3'],
  fL: [],
  'L/L': [],
  pg: [],
  'mL/min/1.73': ['ml/min/1.73m2', 'ml/min/1.73 m2', 'ml/min/1.73m²', 'ml/min/1.73m', 'ml/min/1.73sqm', 'ml/min/1.73m^2'],
  'mL/min': [],
  'mL/min/m2': [],
  'mm/hr': ['mm/h', 'mm/1st hr', 'mm/1sthour', 'mm 1st hr', 'mm/1 hr'],
  seconds: ['sec', 'secs'],
  ratio: ['(calc)', 'calc', '(calculated)'],
  'mg/24h': ['mg/24 hr', 'mg/24hr'],
  'mOsm/kg': [],
  index: [],
  '/HPF': ['/hpf'],
  '/LPF': ['/lpf'],
  'kU/L': [],
  'EU/dL': [],
};

const key = (unit: string) =>
  unit
    .toLowerCase()
    .replaceAll(/\s/g, '')
    .replace(/(?<=.)\((calc|calculated)\)$/, '');

const canonical = new Map<string, string>(
  Object.entries(spellings).flatMap(([unit, others]) => [unit, ...others].map((spelling) => [key(spelling), unit] as const)),
);

/**
 * A unit as OCR confuses it: `i`, `l` and `1`, `q` and `g`, or `e` and `c`, look alike and are read twice, and a slash is read as other
 * punctuation.
 */
const blurWithSlash = (unit: string) =>
  key(unit)
    .replaceAll(/[^a-zµμ0-9%/]/g, '')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('q', 'g')
    .replaceAll('e', 'c')
    .replaceAll(/l+/g, 'l');
const blurs = [blurWithSlash, (unit: string) => blurWithSlash(unit).replaceAll('/', '')];

/** For each way to blur, the unit that looks like this; null: several units do. */
const blurred = blurs.map((blur) => {
  const units = new Map<string, string | null>();
  for (const [spelling, unit] of canonical) {
    const other = units.get(blur(spelling));
    units.set(blur(spelling), other === undefined || other === unit ? unit : null);
  }
  return units;
});

/**
 * The unit of a count whose exponent OCR damaged or a text layer flattened: `x1073/uL`, `10M2/L`, `1043/mm`. The volume allows only two
 * powers of ten, and the last digit tells them apart.
 */
function restoreExponent(text: string): string | undefined {
  const [, exponent = '', volume = ''] = /^[x×*]?\s*10(\S{1,4}?)\/\s*([uµμ]l|mcl|cumm|mm3?|l)$/i.exec(text.trim()) ?? [];
  if (exponent === '' || /^[\^*e(]*-/.test(exponent)) return undefined;
  const digit = exponent.replaceAll(/[)\s]/g, '').at(-1);
  const power = /^l$/i.test(volume) ? { 9: '10^9/L', 2: '10^12/L' } : { 3: '10^3/uL', 6: '10^6/uL' };
  return digit === undefined ? undefined : (power as Readonly<Record<string, string>>)[digit];
}

/** Whether a text is the unit of a count with a power of ten that cannot be read. */
export const isDamagedExponent = (unit: string): boolean => /^[x×]?10\D?.{1,4}\//i.test(unit) && canonicalUnit(unit) === undefined;

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The canonical spelling of a unit, also of one that OCR misread; undefined for unknown units. */
export function canonicalUnit(printed: string): string | undefined {
  const text = printed.replaceAll(
    /(?<=10)[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
    (raised) => `^${Array.from(raised, (digit) => superscripts.indexOf(digit)).join('')}`,
  );
  const found = canonical.get(key(text)) ?? restoreExponent(text);
  if (found !== undefined) return found;
  if (text.length > 16 || /^\d+$/.test(text)) return undefined;
  for (const [index, blur] of blurs.entries()) {
    // A slash that was read is where it is: `mU/L` is not `M/uL`.
    if (index > 0 && text.includes('/')) break;
    const unit = blurred[index]?.get(blur(text));
    if (unit) return unit;
  }
  return undefined;
}

/** Whether the text looks like a unit, known or not. */
export function looksLikeUnit(text: string): boolean {
  if (text.length > 24) return false;
  return (
    canonicalUnit(text) !== undefined ||
    /^[a-zµμ%^*()0-9.]{1,10}\/[a-zµμ0-9.²^]{1,8}(?:\/[a-z0-9.²]{1,8})?$/i.test(text.replaceAll(' ', ''))
  );
}

/** Cost of another character, and of the same letter in the other case, in a misread unit; a higher sum is another unit. */
const costs = { other: 1, otherCase: 0.25, most: 1.25 };

function costOf(read: string, spelling: string): number {
  let row = Array.from({ length: spelling.length + 1 }, (_, index) => index);
  for (let at = 0; at < read.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < spelling.length; to++) {
      const [one = '', other = ''] = [read[at], spelling[to]];
      const changed = one === other ? 0 : one.toLowerCase() === other.toLowerCase() ? costs.otherCase : costs.other;
      next.push(Math.min((row[to] ?? 0) + changed, (row[to + 1] ?? 0) + costs.other, (next[to] ?? 0) + costs.other));
    }
    row = next;
  }
  return row[spelling.length] ?? 0;
}

/**
 * The spelling of a unit that differs least from a misread text with the same first letter; undefined when none is near or several units
 * are.
 */
export function nearestUnit(text: string): string | undefined {
  if (text.length < 2 || text.length > 16) return undefined;
  let [nearest, least, isUnique]: [string | undefined, number, boolean] = [undefined, costs.most, false];
  for (const [unit, others] of Object.entries(spellings)) {
    const alike = [unit, ...others].filter((spelling) => spelling[0]?.toLowerCase() === text[0]?.toLowerCase());
    const [cost = Number.POSITIVE_INFINITY, spelling] =
      alike.map((one) => [costOf(text, one), one] as const).toSorted(([a], [b]) => a - b)[0] ?? [];
    if (cost > least) continue;
    isUnique = nearest === undefined || cost < least;
    [nearest, least] = [spelling, cost];
  }
  return isUnique ? nearest : undefined;
}
