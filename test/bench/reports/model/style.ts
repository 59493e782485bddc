/** How one laboratory prints: spellings, not positions. */
export interface Style {
  /** Names of tests and panels in capitals. */
  readonly isUpper: boolean;
  /** Substance concentrations (mmol/L) where a test has one. */
  readonly isMolar: boolean;
  /** Spelling of micro in units. */
  readonly micro: 'u' | 'µ';
  readonly between: (min: string, max: string) => string;
  readonly below: { readonly text: (max: string) => string; readonly isInclusive: boolean };
  readonly above: { readonly text: (min: string) => string; readonly isInclusive: boolean };
  /** Null when the layout prints no flags. */
  readonly flags: {
    readonly high: string;
    readonly low: string;
    readonly veryHigh: string;
    readonly veryLow: string;
    readonly odd: string;
  } | null;
  readonly date: (date: Date) => string;
  /** Null when the time of collection is not printed. */
  readonly time: ((date: Date) => string) | null;
  readonly patient: (first: string, last: string, middle: string) => string;
  readonly gender: { readonly male: string; readonly female: string };
}

const two = (value: number) => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const dates = {
  slashes: (date: Date) => `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${date.getUTCFullYear()}`,
  iso: (date: Date) => date.toISOString().slice(0, 10),
  dayMonth: (date: Date) => `${two(date.getUTCDate())}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()}`,
  words: (date: Date) => `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`,
};

export const times = {
  day: (date: Date) => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`,
  halves: (date: Date) => `${two(date.getUTCHours() % 12 || 12)}:${two(date.getUTCMinutes())} ${date.getUTCHours() < 12 ? 'AM' : 'PM'}`,
};

export const patients = {
  lastFirst: (first: string, last: string) => `${last}, ${first}`,
  lastFirstUpper: (first: string, last: string, middle: string) => `${last}, ${first} ${middle}`.trim().toUpperCase(),
  firstLast: (first: string, last: string) => `${first} ${last}`,
};

export const flags = {
  letters: { high: 'H', low: 'L', veryHigh: 'HH', veryLow: 'LL', odd: 'A' },
  words: { high: 'High', low: 'Low', veryHigh: 'Critical High', veryLow: 'Critical Low', odd: 'Abnormal' },
};

const strict = {
  below: { text: (max: string) => `<${max}`, isInclusive: false },
  above: { text: (min: string) => `>${min}`, isInclusive: false },
};
const orEqual = {
  below: { text: (max: string) => `< OR = ${max}`, isInclusive: true },
  above: { text: (min: string) => `> OR = ${min}`, isInclusive: true },
};
const signs = {
  below: { text: (max: string) => `<=${max}`, isInclusive: true },
  above: { text: (min: string) => `>=${min}`, isInclusive: true },
};
const spaced = {
  below: { text: (max: string) => `< ${max}`, isInclusive: false },
  above: { text: (min: string) => `> ${min}`, isInclusive: false },
};

export const ranges = {
  hyphen: { between: (min: string, max: string) => `${min}-${max}`, ...strict },
  hyphenOrEqual: { between: (min: string, max: string) => `${min}-${max}`, ...orEqual },
  spaced: { between: (min: string, max: string) => `${min} - ${max}`, ...spaced },
  dash: { between: (min: string, max: string) => `${min}\u2013${max}`, ...signs },
  parentheses: {
    between: (min: string, max: string) => `(${min}-${max})`,
    below: { text: (max: string) => `(<${max})`, isInclusive: false },
    above: { text: (min: string) => `(>${min})`, isInclusive: false },
  },
  brackets: {
    between: (min: string, max: string) => `[${min} - ${max}]`,
    below: { text: (max: string) => `[<${max}]`, isInclusive: false },
    above: { text: (min: string) => `[>${min}]`, isInclusive: false },
  },
  words: {
    between: (min: string, max: string) => `${min} to ${max}`,
    ...signs,
  },
};

export const plainStyle: Style = {
  isUpper: false,
  isMolar: false,
  micro: 'u',
  ...ranges.hyphen,
  flags: flags.letters,
  date: dates.slashes,
  time: null,
  patient: patients.lastFirst,
  gender: { male: 'Male', female: 'Female' },
};
