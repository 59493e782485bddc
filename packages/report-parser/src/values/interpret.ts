import type { Interpretation } from '../model/report.ts';
import { numberOf } from './read-value.ts';
import type { ReferenceRange } from './read-range.ts';

export interface Judgement {
  readonly interpretation: Interpretation;
  readonly isAboveMaxRange: boolean | null;
  readonly isBelowMinRange: boolean | null;
}

const flags: readonly (readonly [RegExp, Interpretation])[] = [
  [/^(?:hh|ll|aa|critical(?: high| low)?|crit|panic|h!|l!|c)$/i, 'critical'],
  [/^(?:h|l|a|high|low|abnormal|abn|\*|h\*|l\*|\(h\)|\(l\)|(?:above|below)(?: (?:range|normal))?|out of range|↑|↓)$/i, 'abnormal'],
  [/^(?:n|normal|within range|in range)$/i, 'normal'],
];

/** Words for the usual finding and for its contrary, perhaps with a titer or a grade. */
const usualFinding = /^(?:negative|not detected|non-?reactive|none detected|none seen|nil|absent|normal)\.?$/i;
const unusualFinding =
  /^(?:(?:weakly |strongly )?(?:positive|reactive)|detected|present|abnormal)\.?(?:[, ]+\(?(?:1 ?: ?\d+|[1-4]\+)\)?)?$/i;

/** Whether a value is a finding in words, such as `Negative` or `Reactive 1:8`. */
export const isFinding = (value: string): boolean => usualFinding.test(value) || unusualFinding.test(value);

/** Compares a finding in words with the expected one; undefined when either is no such word. */
export function interpretFinding(value: string, expected: string): Interpretation | undefined {
  // `Clear` where `Clear` is expected.
  if (/^[a-z -]+$/i.test(value) && value.toLowerCase() === expected.trim().toLowerCase()) return 'normal';
  if (!usualFinding.test(expected.trim())) return undefined;
  if (usualFinding.test(value)) return 'normal';
  return unusualFinding.test(value) ? 'abnormal' : undefined;
}

/** The meaning of a flag such as `H`, `LL` or `Critical`; undefined when the text is not a flag. */
export function readFlag(text: string): Interpretation | undefined {
  const plain = text.trim().replace(/^\*+([a-z]+)\*+$/i, '$1');
  // OCR confuses these letters only in words: a single `I` is none of them.
  const readings = plain.length < 4 ? [plain] : [plain, plain.replaceAll(/[I1|]/g, 'l')];
  return flags.find(([pattern]) => readings.some((reading) => pattern.test(reading)))?.[1];
}

/** Bounds of the true value: `>500` may be anything above 500. */
function boundsOf(value: string): readonly [low: number, high: number] | undefined {
  const exact = numberOf(value);
  if (exact !== undefined) return [exact, exact];
  const limited = /^([<>≤≥])=?\s*([\d,.]+)$/.exec(value);
  const limit = Number(limited?.[2]?.replaceAll(',', ''));
  if (!limited || Number.isNaN(limit)) return undefined;
  return limited[1] === '<' || limited[1] === '≤' ? [Number.NEGATIVE_INFINITY, limit] : [limit, Number.POSITIVE_INFINITY];
}

/**
 * Compares a value with its range. If the numbers are inconclusive, the report's own flag decides; it also decides whether a result is
 * critical.
 */
export function interpret(value: string, range: ReferenceRange | undefined, flag: Interpretation | undefined): Judgement {
  const bounds = boundsOf(value);
  const isExact = bounds !== undefined && bounds[0] === bounds[1];
  let isAbove: boolean | null = null;
  let isBelow: boolean | null = null;
  if (bounds && range) {
    const [low, high] = bounds;
    const exceedsMax = range.max !== null && (range.isMaxInclusive ? low > range.max : low >= range.max);
    const undercutsMin = range.min !== null && (range.isMinInclusive ? high < range.min : high <= range.min);
    const isInside = (range.max === null || high <= range.max) && (range.min === null || low >= range.min);
    if (isExact || exceedsMax || undercutsMin || isInside) [isAbove, isBelow] = [exceedsMax, undercutsMin];
  }
  const byRange: Interpretation = isAbove === null ? 'unknown' : isAbove || isBelow ? 'abnormal' : 'normal';
  const isCritical = flag === 'critical';
  return {
    interpretation: isCritical ? 'critical' : byRange === 'unknown' ? (flag ?? 'unknown') : byRange,
    isAboveMaxRange: isAbove,
    isBelowMinRange: isBelow,
  };
}
