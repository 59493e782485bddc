import { readNumber } from './read-number.ts';
import type { Interpretation, ResultType } from '../model/results.ts';

export interface Bounds {
  readonly min: number | null;
  readonly max: number | null;
  /** The limit itself lies outside: `<5` excludes 5, `<=5` does not. */
  readonly isStrict?: boolean;
}

const number = String.raw`-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d{1,2})?`;

/** The bounds of a result or a reference range: `40-60`, `40-`, `<5`, `>=60`; null when the text is not a range. */
export function readRange(text: string): Bounds | null {
  const compact = text.replaceAll(/\s/g, '').replaceAll('\u2212', '-').replaceAll('≤', '<=').replaceAll('≥', '>=');
  const [, sign, equals, limit] = new RegExp(`^([<>])(=?)(${number})$`).exec(compact) ?? [];
  if (limit !== undefined) {
    const bound = readNumber(limit);
    if (bound === null) return null;
    const strict = equals === '' ? { isStrict: true } : {};
    return sign === '<' ? { min: null, max: bound, ...strict } : { min: bound, max: null, ...strict };
  }
  const [, low, high] = new RegExp(`^(${number})?[-–](${number})?$`).exec(compact) ?? [];
  if (low === undefined && high === undefined) return null;
  const [min, max] = [low, high].map((one) => (one === undefined ? null : readNumber(one)));
  // A bound that is no number would leave a range open that is not.
  if ((low !== undefined && min === null) || (high !== undefined && max === null)) return null;
  return { min: min ?? null, max: max ?? null };
}

export function writeRange({ min, max }: Bounds): string | null {
  if (min === null && max === null) return null;
  return `${min ?? ''}-${max ?? ''}`;
}

/** The type of a result, derived from its text if the lab does not specify it. */
export function typeOf(text: string): ResultType {
  if (readNumber(text) !== null) return 'numeric';
  return readRange(text) === null ? 'comment' : 'range';
}

/** Where a value lies; nulls when it cannot be compared. */
export function compare(result: string, type: ResultType, { min, max, isStrict = false }: Bounds) {
  const measured = type === 'numeric' ? readNumber(result) : null;
  const value = measured === null ? (type === 'range' ? readRange(result) : null) : { min: measured, max: measured };
  if (value === null) return { isAboveMax: null, isBelowMin: null };
  // A result of `>60` lies above a limit of 60, and so does 60 when the limit is `<60`.
  const [least, most] = [value.min ?? -Infinity, value.max ?? Infinity];
  const isOpen = type === 'range';
  return {
    isAboveMax:
      max === null ? null : least > max || (isStrict && !isOpen && least === max) || (isOpen && value.max === null && least >= max),
    isBelowMin: min === null ? null : most < min || (isStrict && !isOpen && most === min) || (isOpen && value.min === null && most <= min),
  };
}

const flags: Readonly<Record<string, Interpretation>> = {
  N: 'normal',
  NEG: 'normal',
  L: 'abnormal',
  H: 'abnormal',
  A: 'abnormal',
  POS: 'abnormal',
  '<': 'abnormal',
  '>': 'abnormal',
  LL: 'critical',
  HH: 'critical',
  AA: 'critical',
};

/**
 * The meaning of the lab's flag. Without one, a value outside its range is abnormal and one inside normal; what was not compared with
 * anything is unknown. `isInside`: null when it could not be compared.
 */
export function interpret(flag: string | null, isInside: boolean | null): Interpretation {
  const word = (flag ?? '').trim().toUpperCase();
  if (word === '') return isInside === null ? 'unknown' : isInside ? 'normal' : 'abnormal';
  return flags[word] ?? 'unknown';
}

const worst: readonly Interpretation[] = ['critical', 'abnormal', 'unknown', 'normal'];

/** The worst interpretation of all results; unknown without any. */
export function overall(all: readonly Interpretation[]): Interpretation {
  return worst.find((word) => all.includes(word)) ?? 'unknown';
}
