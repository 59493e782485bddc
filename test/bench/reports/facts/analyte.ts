/** A test as laboratories print it. Codes are LOINC codes; ranges are for adults, as commonly published. */
export interface Analyte {
  readonly loinc: readonly string[];
  /** The same test as different laboratories print it. */
  readonly names: readonly string[];
  /** Spellings of one unit; empty for results without a unit. */
  readonly units: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly decimals: number;
  /** Interval from which values are drawn; extends beyond the range. */
  readonly low: number;
  readonly high: number;
  /** Another unit system, with codes of its own. */
  readonly molar?: { readonly loinc: readonly string[]; readonly unit: string; readonly factor: number; readonly decimals: number };
  /** Results in words: the normal and the abnormal ones. */
  readonly words?: { readonly normal: readonly string[]; readonly abnormal: readonly string[] };
  /** Lines that laboratories print below the result. */
  readonly comment?: readonly string[];
}

type Limits = readonly [min: number | null, max: number | null];

/** A measured test. `span` is the interval from which values are drawn. */
export function measured(
  loinc: string,
  names: readonly string[],
  units: readonly string[],
  [min, max]: Limits,
  decimals: number,
  [low, high]: readonly [number, number],
  rest: Partial<Analyte> = {},
): Analyte {
  return {
    loinc: loinc.split(' '),
    names,
    units,
    ...(min !== null && { min }),
    ...(max !== null && { max }),
    decimals,
    low,
    high,
    ...rest,
  };
}

/** A test with a result in words. */
export function worded(loinc: string, names: readonly string[], normal: readonly string[], abnormal: readonly string[]): Analyte {
  return { loinc: loinc.split(' '), names, units: [], decimals: 0, low: 0, high: 0, words: { normal, abnormal } };
}

export const molar = (loinc: string, unit: string, factor: number, decimals: number): Partial<Analyte> => ({
  molar: { loinc: loinc.split(' '), unit, factor, decimals },
});
