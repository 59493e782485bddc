import type { Analyte, Quantity } from '../catalogue/analyte.ts';
import { bounds, sideOf, type Limits, type Side } from '../catalogue/limits.ts';
import type { Random } from './random.ts';
import type { Style } from './style.ts';
import type { Interpretation, Row } from './truth.ts';

/** A row of the truth, and what a layout may print beside it. */
export interface Line extends Row {
  analyte: Analyte;
  limits: Limits | null;
  side: Side | null;
}

interface Patient {
  male: boolean;
}

export function measure(
  analyte: Analyte,
  number: number | undefined,
  patient: Patient,
  style: Style,
  random: Random,
  mayFail: boolean,
): Line {
  const name = style.name(variant(namesOf(analyte, style), style.nameVariant), analyte);
  const row = emptyRow(name, analyte);
  if (analyte.words !== undefined) return inWords(row, analyte.words, style, random);
  const quantity = quantityOf(analyte, style);
  const limits = bounds(patient.male ? quantity.range.male : quantity.range.female);
  const sexes =
    quantity.range.male === quantity.range.female ? null : { male: bounds(quantity.range.male), female: bounds(quantity.range.female) };
  row.limits = limits;
  row.unit = quantity.unit === '' ? null : style.unit(quantity.unit);
  const text = style.range(limits, sexes);
  row.range = { low: text === null ? null : limits.low, high: text === null ? null : limits.high, text };
  chooseCode(row, quantity, name);
  if (mayFail) {
    row.value = random.pick(style.notMeasured);
    row.notMeasured = true;
    if (!style.unitWithoutValue) row.unit = null;
    return row;
  }
  const printed = writeNumber(analyte, quantity, (number ?? 1) * quantity.factor, random);
  const sign = printed.sign;
  row.numeric = Number(printed.digits);
  row.comparator = sign;
  row.value = `${sign === null ? '' : style.comparator(sign)}${style.value(printed.digits)}`;
  row.side = sideOf(row.numeric, sign, limits);
  const degree = isCritical(row.numeric, sign, limits, row.side) ? (`critical ${row.side as 'low' | 'high'}` as const) : row.side;
  row.flag = degree === null ? null : style.flag(degree);
  row.emphasis = row.side === 'low' || row.side === 'high' ? style.emphasis : null;
  row.interpretation = said(row, degree);
  return row;
}

function said(row: Line, degree: string | null): Interpretation | null {
  if (row.side === null) return null;
  const outside = row.side !== 'inside';
  if (outside && row.flag !== null && degree?.startsWith('critical') === true && /crit|[HL]{2}|!|\*\*/i.test(row.flag)) return 'critical';
  if (row.flag !== null || row.emphasis !== null || row.range.text !== null) return outside ? 'abnormal' : 'normal';
  return null;
}

function isCritical(number: number, sign: string | null, { low, high }: Limits, side: Side | null): boolean {
  if (sign !== null || low === null || high === null) return false;
  const width = high - low;
  return (side === 'high' && number > high + width * 1.2) || (side === 'low' && number < low - width * 0.8);
}

function inWords(row: Line, words: NonNullable<Analyte['words']>, style: Style, random: Random): Line {
  const isExpected = random.chance(0.84);
  row.value = random.pick(isExpected ? words.expected : words.abnormal);
  row.range.text = style.wordRange(words.range);
  const [loinc = '', ...also] = (words.loinc ?? '').split(' ');
  row.loinc = loinc === '' ? null : loinc;
  row.loincAlso = also;
  row.side = isExpected ? 'inside' : 'high';
  row.flag = style.flag(isExpected ? 'inside' : 'abnormal');
  row.emphasis = isExpected ? null : style.emphasis;
  const marks = style.emphasis !== null || style.flag('abnormal') !== null;
  if (marks) row.interpretation = isExpected ? 'normal' : 'abnormal';
  // Without marks the range has to say it: a word beside it, such as pale yellow beside yellow, leaves it open.
  else if (row.range.text !== null) row.interpretation = row.value === row.range.text ? 'normal' : isExpected ? null : 'abnormal';
  return row;
}

function writeNumber(analyte: Analyte, quantity: Quantity, number: number, random: Random): { digits: string; sign: '<' | '>' | null } {
  const digits = number.toFixed(quantity.decimals);
  const { low, high } = analyte.reportable ?? {};
  const atEdge = random.chance(0.1);
  const convert = (text: string) => (quantity.factor === 1 ? text : (Number(text) * quantity.factor).toFixed(quantity.decimals));
  if (low !== undefined && (Number(digits) < Number(convert(low)) || (atEdge && high === undefined)))
    return { digits: convert(low), sign: '<' };
  if (high !== undefined && (Number(digits) > Number(convert(high)) || (atEdge && low === undefined)))
    return { digits: convert(high), sign: '>' };
  return { digits, sign: null };
}

function chooseCode(row: Line, quantity: Quantity, name: string): void {
  row.loinc = quantity.loinc;
  row.loincAlso = [...quantity.loincAlso];
  if (/fasting/i.test(name) && row.loinc === '2345-7') [row.loinc, row.loincAlso] = ['1558-6', ['2345-7']];
  if (/^e?gfr$/i.test(name)) [row.loinc, row.loincAlso] = [null, ['98979-8', '62238-1', '33914-3', '69405-9']];
}

const countryOfNames = { conventional: 'us', si: 'uk', india: 'in' } as const;

function namesOf(analyte: Analyte, style: Style): readonly string[] {
  return analyte.names[countryOfNames[style.quantities[0] ?? 'conventional']];
}

function quantityOf(analyte: Analyte, style: Style): Quantity {
  for (const kind of style.quantities) {
    const quantity = analyte[kind];
    if (quantity !== undefined) return quantity;
  }
  const fallback = analyte.conventional ?? analyte.si;
  if (fallback === undefined) throw new Error(`${analyte.key} has neither units nor words.`);
  return fallback;
}

function variant(names: readonly string[], index: number): string {
  return names[Math.min(index, names.length - 1)] ?? '';
}

function emptyRow(name: string, analyte: Analyte): Line {
  return {
    name,
    value: '',
    numeric: null,
    comparator: null,
    unit: null,
    range: { low: null, high: null, text: null },
    flag: null,
    emphasis: null,
    interpretation: null,
    loinc: null,
    loincAlso: [],
    section: null,
    specimen: null,
    notMeasured: false,
    previous: [],
    analyte,
    limits: null,
    side: null,
  };
}
