/** The ends of a range, and whether they belong to it. */
export interface Limits {
  low: number | null;
  high: number | null;
  lowText: string | null;
  highText: string | null;
  strict: boolean;
}

/** Reads `3.5-5.1`, `<200`, `>=60`, `<=0.3`, as the catalogue writes them. */
export function bounds(text: string): Limits {
  const one = /^([<>])(=?)([\d.]+)$/.exec(text);
  if (one !== null) {
    const [, sign, equal, number = ''] = one;
    const strict = equal !== '=';
    if (sign === '<') return { low: null, high: Number(number), lowText: null, highText: number, strict };
    return { low: Number(number), high: null, lowText: number, highText: null, strict };
  }
  const two = /^([\d.]+)-([\d.]+)$/.exec(text);
  if (two === null) throw new Error(`The catalogue has a range that is none: ${text}`);
  const [, lowText = '', highText = ''] = two;
  return { low: Number(lowText), high: Number(highText), lowText, highText, strict: false };
}

export type Side = 'low' | 'high' | 'inside';

/** Where a number lies; with a comparator only where it is certain. */
export function sideOf(number: number, comparator: string | null, limits: Limits): Side | null {
  const { low, high, strict } = limits;
  const below = low !== null && (strict ? number <= low : number < low);
  const above = high !== null && (strict ? number >= high : number > high);
  if (comparator === null || comparator === '') {
    if (below) return 'low';
    if (above) return 'high';
    return low === null && high === null ? null : 'inside';
  }
  if (comparator.startsWith('<')) {
    if (low !== null) return number <= low ? 'low' : null;
    return high !== null && number <= high ? 'inside' : null;
  }
  if (high !== null) return number >= high ? 'high' : null;
  return low !== null && number >= low ? 'inside' : null;
}
