/** One set of unit, code and limits in which an analyte is printed. */
export interface Quantity {
  unit: string;
  loinc: string | null;
  loincAlso: readonly string[];
  /** Limits as text, so that they keep their decimals: `3.5-5.1`, `<200`, `>=60`. */
  range: { male: string; female: string };
  decimals: number;
  /** This unit's number for 1 of the conventional unit. */
  factor: number;
}

export interface Words {
  expected: readonly string[];
  abnormal: readonly string[];
  range: string;
  loinc: string | null;
}

export interface Analyte {
  key: string;
  /** By country; the first is the usual one, the others are printed too. */
  names: { us: readonly string[]; uk: readonly string[]; in: readonly string[] };
  specimen: string;
  method: string | null;
  /** Conventional units, SI units and, where India counts otherwise, its own. */
  conventional?: Quantity;
  si?: Quantity;
  india?: Quantity;
  words?: Words;
  /** Below or above these, in conventional units, the laboratory prints `<0.01` or `>2000`. */
  reportable?: { low?: string; high?: string };
}

/** `q('mg/dL', '2345-7', '70-99', 0)`; limits by sex are `M 13.2-16.6|F 11.6-15.0`; codes are the best one and others allowed. */
export function q(unit: string, codes: string, range: string, decimals: number, factor = 1): Quantity {
  const [loinc = '', ...loincAlso] = codes.split(' ');
  const male = /M ([^|]+)/.exec(range)?.[1] ?? range;
  const female = /F ([^|]+)/.exec(range)?.[1] ?? range;
  return { unit, loinc: loinc === '' ? null : loinc, loincAlso, range: { male, female }, decimals, factor };
}

type Parts = Partial<Omit<Analyte, 'key' | 'names'>>;

/** Names are `us|uk|in`, each with its variants after `~`; a missing one is that of the United States. */
export function analyte(key: string, names: string, parts: Parts): Analyte {
  const [us = key, uk = us, india = us] = names.split('|').map((name) => name.trim());
  return {
    key,
    names: { us: us.split('~'), uk: uk.split('~'), in: india.split('~') },
    specimen: 'Serum',
    method: null,
    ...parts,
  };
}
