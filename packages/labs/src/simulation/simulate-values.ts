import { createHash } from 'node:crypto';
import type { ExpectedResult, MarkerWithResults } from '../catalogue/markers.ts';
import type { PartnerMissing, PartnerResult } from '../partners/partner.ts';
import type { Interpretation, ResultType } from '../model/results.ts';

/** A result as the catalogue expects it. */
export type SimulatedAnalyte = Pick<ExpectedResult, 'providerId' | 'name' | 'unit' | 'rangeMin' | 'rangeMax'>;

export interface SimulatedValues {
  /** The same seed produces the same values. */
  readonly seed: string;
  readonly interpretation: Interpretation;
  /** Assigned to the results in rotation. */
  readonly types: readonly ResultType[];
  /** Why the last result is missing; null: none is. */
  readonly failure: string | null;
  /** The share of the results that is present. */
  readonly portion: number;
  readonly at: Date;
}

export const allResultTypes: readonly ResultType[] = ['numeric', 'range', 'comment', 'coded_value'];

/** Between 0 and 1. */
function chance(seed: string, code: string): number {
  return createHash('sha256').update(`${seed}:${code}`).digest().readUInt32BE() / 2 ** 32;
}

const decimalsOf = (value: number | null) => (value === null ? 0 : (String(value).split('.')[1]?.length ?? 0));

/** A number inside the range, or outside it by a factor. */
function numberFor({ rangeMin: min, rangeMax: max }: SimulatedAnalyte, at: number, level: Interpretation): number {
  const factor = level === 'critical' ? 3 : 1.3;
  const isOutside = level === 'abnormal' || level === 'critical';
  if (max !== null && isOutside) return (max || 1) * (factor + at * 0.1);
  if (min !== null && isOutside) return min / (factor + at * 0.1);
  if (min !== null && max !== null) return min + (0.15 + 0.7 * at) * (max - min);
  if (max !== null) return max * (0.2 + 0.6 * at);
  return min === null ? 1 + Math.floor(at * 8) : min * (1.1 + 0.4 * at);
}

/** A value as a range: between two numbers, or above or below one. */
function rangeFor(analyte: SimulatedAnalyte, at: number, level: Interpretation, decimals: number): string {
  const { rangeMin: min, rangeMax: max } = analyte;
  const isOutside = level === 'abnormal' || level === 'critical';
  const bound = numberFor(analyte, at, level).toFixed(decimals);
  if (min !== null && max !== null && !isOutside) {
    const upper = numberFor(analyte, 1, level).toFixed(decimals);
    return `${bound}-${upper}`;
  }
  const isBelow = isOutside ? max === null && min !== null : max !== null;
  return `${isBelow ? '<' : '>'}${bound}`;
}

function textFor(analyte: SimulatedAnalyte, type: ResultType, at: number, level: Interpretation): string {
  const decimals = Math.max(decimalsOf(analyte.rangeMin), decimalsOf(analyte.rangeMax));
  const isNormal = level === 'normal' || level === 'unknown';
  switch (type) {
    case 'numeric':
      return numberFor(analyte, at, level).toFixed(decimals);
    case 'range':
      return rangeFor(analyte, at, level, decimals);
    case 'comment':
      return isNormal ? 'No findings.' : 'Findings outside of what is expected.';
    case 'coded_value':
      return isNormal ? 'Negative' : 'Positive';
  }
}

const flagOf = (level: Interpretation, type: ResultType, isLow: boolean): string => {
  if (level === 'unknown') return 'U';
  if (level === 'normal') return 'N';
  const letter = type === 'comment' || type === 'coded_value' ? 'A' : isLow ? 'L' : 'H';
  return level === 'critical' ? letter + letter : letter;
};

function resultFor(analyte: SimulatedAnalyte, type: ResultType, level: Interpretation, { seed, at }: SimulatedValues): PartnerResult {
  const { providerId, name, unit, rangeMin, rangeMax } = analyte;
  const isMeasured = type === 'numeric' || type === 'range';
  const isLow = rangeMax === null && rangeMin !== null;
  return {
    providerId,
    name,
    type,
    value: textFor(analyte, type, chance(seed, providerId), level),
    unit: isMeasured ? unit : null,
    referenceRange: isMeasured && (rangeMin !== null || rangeMax !== null) ? `${rangeMin ?? ''}-${rangeMax ?? ''}` : null,
    flag: flagOf(level, type, isLow),
    note: null,
    at,
  };
}

/**
 * A synthetic, deterministic lab report for an order. One result has the requested interpretation, the
 * others are normal.
 */
export function simulateValues(
  analytes: readonly SimulatedAnalyte[],
  wanted: SimulatedValues,
): { readonly results: readonly PartnerResult[]; readonly missing: readonly PartnerMissing[] } {
  const { interpretation, types, failure, portion } = wanted;
  const lost = failure !== null ? analytes.at(-1) : undefined;
  const measured = analytes.filter((analyte) => analyte !== lost);
  const results = measured
    .slice(0, Math.ceil(measured.length * portion))
    .map((analyte, i) => resultFor(analyte, types[i % types.length] ?? 'numeric', i === 0 ? interpretation : 'normal', wanted));
  return { results, missing: lost && failure !== null ? [{ providerId: lost.providerId, failure, note: 'Simulated as missing.' }] : [] };
}

/** Every expected result of the markers, without duplicates. */
export function analytesOf(markers: readonly MarkerWithResults[]): readonly SimulatedAnalyte[] {
  return [...new Map(markers.flatMap(({ expectedResults }) => expectedResults).map((result) => [result.resultId, result])).values()];
}
