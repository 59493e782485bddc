import type { Analyte } from '../facts/analyte.ts';
import type { Random } from './random.ts';
import type { Style } from './style.ts';
import type { TrueRow } from './truth.ts';

/** One result as a layout prints it, with its ground truth. */
export interface Result {
  readonly name: string;
  readonly value: string;
  readonly unit: string;
  readonly range: string;
  readonly flag: string;
  readonly comment: readonly string[];
  readonly truth: TrueRow;
}

interface Measure {
  readonly unit: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly low: number;
  readonly high: number;
  readonly decimals: number;
  readonly loinc: readonly string[];
}

const spellMicro = (unit: string, micro: Style['micro']) => unit.replace(/^u(?=g|mol)|(?<=\/)u(?=L)/, micro);

function measureOf(analyte: Analyte, spelling: number, style: Style): Measure {
  const { molar, units } = analyte;
  const usesMolar = style.isMolar && molar !== undefined;
  const convert = (value: number | undefined) =>
    value === undefined ? undefined : usesMolar ? Number((value * molar.factor).toFixed(molar.decimals)) : value;
  return {
    unit: spellMicro(usesMolar ? molar.unit : (units[spelling % Math.max(units.length, 1)] ?? ''), style.micro),
    min: convert(analyte.min),
    max: convert(analyte.max),
    low: convert(analyte.low) ?? 0,
    high: convert(analyte.high) ?? 0,
    decimals: usesMolar ? molar.decimals : analyte.decimals,
    loinc: usesMolar ? molar.loinc : analyte.loinc,
  };
}

function rangeText({ min, max, decimals }: Measure, style: Style): string {
  const print = (value: number) => value.toFixed(decimals);
  if (min !== undefined && max !== undefined) return style.between(print(min), print(max));
  if (max !== undefined) return style.below.text(print(max));
  return min === undefined ? '' : style.above.text(print(min));
}

type Side = 'high' | 'low' | 'inside';

function sideOf(value: number, { min, max }: Measure, style: Style): Side {
  const hasBoth = min !== undefined && max !== undefined;
  if (max !== undefined && (value > max || (value === max && !hasBoth && !style.below.isInclusive))) return 'high';
  if (min !== undefined && (value < min || (value === min && !hasBoth && !style.above.isInclusive))) return 'low';
  return 'inside';
}

/** The value as printed, and on which side of the range it is; sometimes beyond the measurable range of the method. */
function drawValue(measure: Measure, style: Style, random: Random, given: number | undefined): { value: string; side: Side } {
  const { min, max, decimals } = measure;
  if (given !== undefined) return { value: given.toFixed(decimals), side: sideOf(Number(given.toFixed(decimals)), measure, style) };
  if (random.chance(0.03) && max !== undefined) return { value: `>${(max * 2).toFixed(decimals)}`, side: 'high' };
  const half = (min ?? 0) / 2;
  if (random.chance(0.03) && Number(half.toFixed(decimals)) > 0) return { value: `<${half.toFixed(decimals)}`, side: 'low' };
  const isInside = random.chance(0.7);
  const drawn = isInside ? random.between(min ?? measure.low, max ?? measure.high) : random.between(measure.low, measure.high);
  const value = drawn.toFixed(decimals);
  return { value, side: sideOf(Number(value), measure, style) };
}

function drawMeasured(
  analyte: Analyte,
  name: string,
  spelling: number,
  style: Style,
  random: Random,
  blood: ReadonlyMap<string, number>,
): Omit<Result, 'comment'> {
  const measure = measureOf(analyte, spelling, style);
  const { value, side } = drawValue(measure, style, random, blood.get(analyte.loinc[0] ?? ''));
  const isCritical = side !== 'inside' && style.flags !== null && random.chance(0.08);
  const { flags } = style;
  let flag = '';
  if (flags !== null && side === 'high') flag = isCritical ? flags.veryHigh : flags.high;
  if (flags !== null && side === 'low') flag = isCritical ? flags.veryLow : flags.low;
  const interpretation = isCritical ? 'critical' : side === 'inside' ? 'normal' : 'abnormal';
  return {
    name,
    value,
    unit: measure.unit,
    range: rangeText(measure, style),
    flag,
    truth: {
      name,
      value,
      unit: measure.unit || null,
      min: measure.min ?? null,
      max: measure.max ?? null,
      interpretations: [interpretation],
      panel: null,
      loinc: measure.loinc,
    },
  };
}

function drawWorded(analyte: Analyte, name: string, style: Style, random: Random): Omit<Result, 'comment'> {
  const words = analyte.words ?? { normal: [], abnormal: [] };
  const isNormal = random.chance(0.8);
  const expected = random.pick(words.normal);
  const value = isNormal ? expected : random.pick(words.abnormal);
  const flag = isNormal ? '' : (style.flags?.odd ?? '');
  return {
    name,
    value,
    unit: '',
    range: expected,
    flag,
    truth: {
      name,
      value,
      unit: null,
      min: null,
      max: null,
      // Without a flag, only the reference can show whether a word is normal; other readings are accepted too.
      interpretations: isNormal ? ['normal', 'unknown'] : flag === '' ? ['abnormal', 'unknown'] : ['abnormal'],
      panel: null,
      loinc: analyte.loinc,
    },
  };
}

/**
 * Draws one result. `spelling` selects among the names and units of a test and is the same for a whole report, as is `blood`, the values that
 * belong together.
 */
export function drawResult(
  analyte: Analyte,
  spelling: number,
  style: Style,
  random: Random,
  blood: ReadonlyMap<string, number> = new Map(),
): Result {
  const printed = analyte.names[spelling % analyte.names.length] ?? '';
  const name = style.isUpper ? printed.toUpperCase() : printed;
  const drawn = analyte.words ? drawWorded(analyte, name, style, random) : drawMeasured(analyte, name, spelling, style, random, blood);
  return { ...drawn, comment: analyte.comment ?? [] };
}
