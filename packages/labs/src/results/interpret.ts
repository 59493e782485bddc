import type { Interpretation, ResultType } from './results.ts';

interface Bounds {
  readonly min: number | null;
  readonly max: number | null;
}

const decimal = String.raw`-?\d+(?:\.\d+)?`;
const isNumber = (text: string) => new RegExp(`^${decimal}$`).test(text);

/** The bounds of a result or a reference range: `40-60`, `40-`, `<5`, `>=60`; null when the text is not a range. */
export function readRange(text: string): Bounds | null {
  const compact = text.replaceAll(/\s/g, '');
  const [, sign, limit] = new RegExp(`^([<>])=?(${decimal})$`).exec(compact) ?? [];
  if (limit !== undefined) return sign === '<' ? { min: null, max: Number(limit) } : { min: Number(limit), max: null };
  const [, low, high] = new RegExp(`^(${decimal})?-(${decimal})?$`).exec(compact) ?? [];
  if (low === undefined && high === undefined) return null;
  return { min: low === undefined ? null : Number(low), max: high === undefined ? null : Number(high) };
}

export function writeRange({ min, max }: Bounds): string | null {
  if (min === null && max === null) return null;
  return `${min ?? ''}-${max ?? ''}`;
}

/** The type of a result, derived from its text if the lab does not specify it. */
export function typeOf(text: string): ResultType {
  if (isNumber(text)) return 'numeric';
  return readRange(text) === null ? 'comment' : 'range';
}

/** Where a value lies; nulls when it cannot be compared. */
export function compare(result: string, type: ResultType, { min, max }: Bounds) {
  const value = type === 'numeric' ? { min: Number(result), max: Number(result) } : type === 'range' ? readRange(result) : null;
  if (value === null) return { isAboveMax: null, isBelowMin: null };
  // A result of `>60` lies above a limit of 60.
  const [least, most] = [value.min ?? -Infinity, value.max ?? Infinity];
  const isOpen = type === 'range';
  return {
    isAboveMax: max === null ? null : least > max || (isOpen && value.max === null && least >= max),
    isBelowMin: min === null ? null : most < min || (isOpen && value.min === null && most <= min),
  };
}

const flags: Readonly<Record<string, Interpretation>> = {
  '': 'normal',
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

/** The meaning of the lab's flag; without one, a value outside its range is abnormal. */
export function interpret(flag: string | null, isOutside: boolean): Interpretation {
  const word = (flag ?? '').trim().toUpperCase();
  if (word === '' && isOutside) return 'abnormal';
  return flags[word] ?? 'unknown';
}

const worst: readonly Interpretation[] = ['critical', 'abnormal', 'unknown', 'normal'];

/** The worst interpretation of all results; unknown without any. */
export function overall(all: readonly Interpretation[]): Interpretation {
  return worst.find((word) => all.includes(word)) ?? 'unknown';
}
