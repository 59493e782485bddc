import { canonicalUnit } from './units.ts';

/** A reference range; null: no bound on that side. */
export interface ReferenceRange {
  readonly min: number | null;
  readonly max: number | null;
  /** Whether a value equal to the bound lies inside. */
  readonly isMinInclusive: boolean;
  readonly isMaxInclusive: boolean;
}

const number = String.raw`[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d*\.?\d+(?:[eE][-+]?\d{1,2})?`;
const span = new RegExp(`^(${number})\\s*(?:-|–|—|to)\\s*(${number})$`, 'i');
const bound = new RegExp(
  `^(<=|>=|<|>|≤|≥|< ?or ?=|> ?or ?=|less than|greater than|more than|at least|at most|up ?to|under|over|below|above)\\s*(${number})$`,
  'i',
);

const numeric = (text: string) => Number(text.replaceAll(',', ''));

/** Removes brackets, a label and the unit around a range. */
function strip(text: string, unit: string | null): string {
  let rest = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^\[(.*)\]$/, '$1');
  // OCR reads `to` as `t0`, and `0 to` as `Oto`.
  rest = rest.replace(/^o(?=\s?to\s?\d)/i, '0');
  rest = rest.replace(/(?<=\d)\s?(?:t[0o]0?|[1l]o)\s?(?=\d)/i, ' to ');
  // OCR reads `> OR = 40` as `>0OR =40`.
  rest = rest.replace(/^([<>])\s?0?[o0]r\s?=?\s?/i, '$1=');
  rest = rest.replace(/^(?:ref(?:erence)?(?: range| interval)?|normal|range)\s*[:.]?\s*/i, '');
  if (unit && rest.toLowerCase().endsWith(unit.toLowerCase())) rest = rest.slice(0, -unit.length);
  // A unit such as `10*3/uL` begins with digits.
  const words = rest.split(' ');
  for (let count = 1; count < words.length; count++)
    if (canonicalUnit(words.slice(count).join(' ')) !== undefined) return words.slice(0, count).join(' ');
  return rest
    .replace(/\s+[a-zµμ%][a-zµμ%/^0-9.]*$/i, '')
    .replace(/(?<=\d)%$/, '')
    .trim();
}

/** Reads `70-99`, `<5`, `>= 40`, `< OR = 9.9`, `up to 200`; undefined when the text is not a numeric range. */
export function readRange(text: string, unit: string | null = null): ReferenceRange | undefined {
  if (text.length > 60) return undefined;
  for (const candidate of [text.trim(), strip(text, unit)]) {
    const between = span.exec(candidate);
    if (between) {
      const [min, max] = [numeric(between[1] ?? ''), numeric(between[2] ?? '')];
      if (min <= max) return { min, max, isMinInclusive: true, isMaxInclusive: true };
    }
    const oneSided = bound.exec(candidate);
    if (oneSided) {
      const sign = (oneSided[1] ?? '').toLowerCase().replaceAll(' ', '');
      const value = numeric(oneSided[2] ?? '');
      const isInclusive =
        sign.includes('=') || sign.includes('or') || sign === '≤' || sign === '≥' || sign === 'upto' || sign.startsWith('at');
      const isMax = /^(?:<|≤|less|up|under|below|atmost)/.test(sign);
      return isMax
        ? { min: null, max: value, isMinInclusive: true, isMaxInclusive: isInclusive }
        : { min: value, max: null, isMinInclusive: isInclusive, isMaxInclusive: true };
    }
  }
  return undefined;
}
