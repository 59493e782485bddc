import { kindOfTitle } from '../layout/header.ts';
import type { Doubt } from '../model/report.ts';
import { numberOf, typeOfValue } from '../values/read-value.ts';
import { canonicalUnit, isDamagedExponent } from '../values/units.ts';
import { knownAnalyte, namesTwoAnalytes, quantityOf } from '../loinc/known-analytes.ts';

/** What the checks need to know about a result. */
export interface CheckedRow {
  readonly name: string;
  readonly value: string;
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  /** The range as printed. */
  readonly rangeText: string;
  readonly panel: string | null;
  /** The page it is on, and whether OCR read it. */
  readonly page: number;
  readonly isScanned: boolean;
}

/** A value this many times its range is as if a decimal point were lost. */
const farOutside = 10;
/** Bounds this many times each other, of which one has a point and the other none, are as if one lost it. */
const unevenMin = 5;
/** Rounded percentages of all white cells add to this. */
const wholeMin = 95;
const wholeMax = 102;
/** Indices of red cells are computed from three measured values; rounding and calibration explain this much. */
const indexTolerance = 0.07;
/** Rows of a page that have a unit, as a share, if the report prints units. */
const mostRows = 0.7;
/** Results of a page whose units contradict their names; with more, its values are not beside their names. */
const contradictionsMax = 1;

/** Whether the unit measures something else than the analyte. */
function hasWrongUnit({ name, unit }: CheckedRow): boolean {
  if (unit === null) return false;
  const [analyte, quantity] = [knownAnalyte(name), quantityOf(unit)];
  return analyte !== undefined && quantity !== undefined && !analyte.quantities.has(quantity);
}

/** Whether OCR damaged a unit: a power of ten, or a unit that is none beside a usual analyte. */
const hasDamagedUnit = ({ name, unit, isScanned }: CheckedRow): boolean =>
  unit !== null && (isDamagedExponent(unit) || (isScanned && canonicalUnit(unit) === undefined && knownAnalyte(name) !== undefined));

/** Whether a name contains the fields of a row or the titles of a table, as when two lines were joined. */
function containsFields(name: string): boolean {
  const words = name.split(' ');
  const isFollowedByUnit = words.some(
    (word, at) => at > 0 && /^[<>]?\d[\d.]*(?:-\d[\d.]*)?$/.test(words[at - 1] ?? '') && canonicalUnit(word) !== undefined,
  );
  return (
    isFollowedByUnit || /\b(?:in|above|below)\s?range\b/i.test(name) || words.filter((word) => kindOfTitle(word) !== undefined).length > 2
  );
}

/** Whether OCR lost the unit of a usual analyte, if the page prints units. */
const hasLostUnit = ({ name, unit, isScanned }: CheckedRow): boolean => isScanned && unit === null && knownAnalyte(name) !== undefined;

const printsUnits = (onPage: readonly CheckedRow[]): boolean =>
  onPage.filter(({ unit }) => unit !== null).length >= onPage.length * mostRows;

/** Whether a value read by OCR is as if it had lost its decimal point. */
function hasLostPoint({ value, min, max, rangeText, isScanned }: CheckedRow): boolean {
  const number = numberOf(value);
  if (!isScanned || number === undefined || value.includes('.') || max === null || max <= 0 || number <= max) return false;
  const tenth = number / 10;
  if (number >= max * farOutside) return tenth <= max * farOutside;
  const isPrintedExactly = /\d\.\d/.test(rangeText);
  return isPrintedExactly && tenth >= (min ?? 0) * 0.5 && tenth <= max * 2;
}

/** Whether a bound of a range as OCR read it lost its point, or the range is unreadable: `9.2-125`, `02-12`, `$0 - 70`. */
function hasMisreadRange({ rangeText, min, max, isScanned }: CheckedRow): boolean {
  if (!isScanned || !/\d/.test(rangeText)) return false;
  if (min === null && max === null) return !/[a-z]{3}/i.test(rangeText);
  const spans = [...rangeText.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)\s*[-–]\s*(\d+(?:\.\d+)?)/g)];
  return spans.some(([, low = '', high = '']) => {
    const isUneven = low.includes('.') !== high.includes('.') && Number(high) >= Number(low) * unevenMin;
    return isUneven || /^0\d/.test(low) || /^0\d/.test(high);
  });
}

/** Whether a value that is compared with numbers is a word with a number in it, as when the text of another column precedes it. */
const isMixed = ({ value, min, max }: CheckedRow) =>
  (min !== null || max !== null) && /[a-z]{2}.*\s\d|^[a-z.]{3,}\s.*\d/i.test(value) && typeOfValue(value) === 'comment';

/** Two numbers where one belongs, of which the point between them may be lost: `16 5`. */
const isTorn = (value: string) => /^[<>]?\d[\d.,]*(?: \d[\d.,]*)+$/.test(value);

const cellTypes = ['770-8', '736-9', '5905-5', '713-8', '706-2'];

/** The rows of one panel of a page that are shares of white cells and contradict each other. */
function wrongShares(rows: readonly CheckedRow[]): readonly CheckedRow[] {
  const shares = rows.filter(({ name, unit }) => unit === '%' && cellTypes.includes(knownAnalyte(name)?.code ?? ''));
  const codes = new Set(shares.map(({ name }) => knownAnalyte(name)?.code));
  if (codes.size < shares.length) return [];
  const sum = shares.reduce((total, { value }) => total + (numberOf(value) ?? 0), 0);
  const isIncomplete =
    codes.size === cellTypes.length && sum < wholeMin && shares.every(({ value, isScanned }) => isScanned && numberOf(value) !== undefined);
  return sum > wholeMax || isIncomplete ? shares : [];
}

/** The red cell indices, and the measured values they are computed from, that contradict each other. */
function wrongIndices(rows: readonly CheckedRow[]): readonly CheckedRow[] {
  const of = (code: string) => rows.filter(({ name }) => knownAnalyte(name)?.code === code);
  const all = {
    hemoglobin: of('718-7'),
    hematocrit: of('4544-3'),
    cells: of('789-8'),
    mcv: of('787-2'),
    mch: of('785-6'),
    mchc: of('786-4'),
  };
  const numbers = Object.fromEntries(
    Object.entries(all).map(([key, found]) => [key, found.length === 1 ? numberOf(found[0]?.value ?? '') : undefined]),
  ) as Record<keyof typeof all, number | undefined>;
  if (all.hemoglobin[0]?.unit !== 'g/dL' || all.hematocrit[0]?.unit !== '%') return [];
  const formulas = [
    ['mcv', 'hematocrit', 'cells', 10],
    ['mch', 'hemoglobin', 'cells', 10],
    ['mchc', 'hemoglobin', 'hematocrit', 100],
  ] as const;
  const wrong = new Set<CheckedRow>();
  for (const [index, above, below, factor] of formulas) {
    const [printed, over, under] = [numbers[index], numbers[above], numbers[below]];
    if (printed === undefined || over === undefined || !under) continue;
    const computed = (over / under) * factor;
    if (Math.abs(computed - printed) > printed * indexTolerance)
      for (const key of [index, above, below]) for (const row of all[key]) wrong.add(row);
  }
  return [...wrong];
}

/** For each row why it may be wrong: whether unit, size and sum of its value fit its name, and whether its page was paired rightly. */
export function doubtsOfRows(rows: readonly CheckedRow[]): readonly (readonly Doubt[])[] {
  const doubts = new Map<CheckedRow, Set<Doubt>>(rows.map((row) => [row, new Set()]));
  const doubt = (row: CheckedRow, reason: Doubt) => doubts.get(row)?.add(reason);
  for (const row of rows) {
    if (hasWrongUnit(row) || hasDamagedUnit(row)) doubt(row, 'unit');
    if (hasLostPoint(row)) doubt(row, 'scale');
    if (hasMisreadRange(row)) doubt(row, 'misread');
    if (namesTwoAnalytes(row.name) || containsFields(row.name)) doubt(row, 'pairing');
    if (isMixed(row)) doubt(row, 'column');
    if (isTorn(row.value)) doubt(row, row.isScanned ? 'misread' : 'column');
  }
  for (const onPage of Map.groupBy(rows, ({ page }) => page).values()) {
    if (printsUnits(onPage)) for (const row of onPage) if (hasLostUnit(row)) doubt(row, 'unit');
    for (const inPanel of Map.groupBy(onPage, ({ panel }) => panel).values()) for (const row of wrongShares(inPanel)) doubt(row, 'sum');
    if (onPage[0]?.isScanned) for (const row of wrongIndices(onPage)) doubt(row, 'sum');
    const contradictions = onPage.filter(hasWrongUnit);
    if (contradictions.length > contradictionsMax) for (const row of onPage) doubt(row, 'pairing');
  }
  return rows.map((row) => [...(doubts.get(row) ?? [])]);
}
