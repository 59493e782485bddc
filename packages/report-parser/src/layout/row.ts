import { knownAnalyte } from '../loinc/known-analytes.ts';
import { canonicalUnit, looksLikeUnit } from '../values/units.ts';
import { daysOf } from '../values/dates.ts';
import { readFlag } from '../values/interpret.ts';
import { isLabelledRange } from '../values/range-for-patient.ts';
import { readRange } from '../values/read-range.ts';
import { cleanValue, isNumber, looksLikeValue } from '../values/read-value.ts';
import type { RowTexts } from './columns.ts';
import { toCells, type Line } from './lines.ts';
import { isGrade } from './test-names.ts';

/** One result as printed. */
export interface ResultRow {
  readonly name: string;
  readonly value: string;
  readonly flag: string;
  readonly unit: string;
  readonly range: string;
  /** Whether the percent sign stands in the value. */
  readonly isShare?: boolean;
  /** How certain OCR is of the value and the range, 0 to 100; absent for a text layer. */
  readonly confidence?: number | undefined;
  /** The same of its name. */
  readonly nameConfidence?: number | undefined;
}

const hasLetters = (text: string) => /[a-z]{2}|^[a-z]\d|^ph$|^[a-z]$/i.test(text);

/** A field of the report header such as `Patient: DOE, JANE`, which is not a test name. */
const isLabelled = (name: string) => /[^\s:]{2}\s*:\s+\S/.test(name);

/** Inserts the space that OCR omits between a number and the flag or unit behind it, as in `24H` and `9.2fL`. */
function spaced(text: string): string {
  const [, number = '', rest = ''] = /^([<>]?=?\s?\d[\d.,]*|.*\d)([a-zµμ%].*)$/i.exec(text) ?? [];
  const isFlagOrUnit = rest !== '' && (/^(?:HH?|LL?|A)$/.test(rest) || canonicalUnit(rest) !== undefined);
  return isFlagOrUnit ? `${number} ${rest}` : text;
}

interface SplitValue {
  readonly value: string;
  readonly flag: string;
  readonly unit: string;
}

/** Takes a flag in brackets or a mark before the number from a value: `9.10 [L]`, `*119`, `+ 612`. */
function takeFlag(text: string): { readonly rest: string; readonly flag: string } {
  const [, before = '', inside = ''] = /^(.*\d.*?)\s*[[({]\s*([^\])}]{1,16}?)\s*[\])}]$/.exec(text) ?? [];
  if (before !== '' && readFlag(inside) !== undefined) return { rest: before, flag: inside };
  const marked = /^(?:[*#!]+\s*|\+\s+)(?=[<>≤≥]?\s?\d)/.exec(text);
  return marked ? { rest: text.slice(marked[0].length), flag: '*' } : { rest: text, flag: '' };
}

/** Separates flag and unit from a value such as `105 H` or `H 5.2 mg/dL`. */
export function splitValue(printed: string): SplitValue {
  // A colon between name and value stands in the column of either.
  const { rest: text, flag: taken } = takeFlag(printed.replace(/^:\s*/, ''));
  let words = text.split(' ').filter((word) => word !== '');
  let flag = taken;
  let unit = '';
  const share = /^([<>≤≥]?=?\s?\d+(?:\.\d+)?)\s*%$/.exec(text);
  if (share) return { value: cleanValue(share[1] ?? ''), flag, unit: '%' };
  if (looksLikeValue(text)) return { value: cleanValue(text), flag, unit };
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length > 1 && readFlag(first) !== undefined && looksLikeValue(words[1] ?? '')) {
    flag = first;
    words = words.slice(1);
  } else if (words.length > 2 && readFlag(words.slice(-2).join(' ')) !== undefined) {
    flag = words.slice(-2).join(' ');
    words = words.slice(0, -2);
  } else if (words.length > 1 && readFlag(last) !== undefined) {
    flag = last;
    words = words.slice(0, -1);
  }
  // `30.9 L %`: the flag is between value and unit.
  if (
    words.length > 2 &&
    looksLikeValue(words[0] ?? '') &&
    readFlag(words[1] ?? '') !== undefined &&
    looksLikeUnit(words.slice(2).join(' '))
  )
    [flag, words] = [words[1] ?? '', [words[0] ?? '', ...words.slice(2)]];
  for (let count = 1; count < words.length; count++) {
    const [value, rest] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    if (!looksLikeValue(value) || !looksLikeUnit(rest)) continue;
    [words, unit] = [[value], rest];
    break;
  }
  const rest = words.join(' ');
  // The percent sign stays behind when the flag was removed: `7.2% (High)`.
  if (rest !== text && rest.endsWith('%')) return { ...splitValue(rest), flag };
  return { value: cleanValue(rest), flag, unit };
}

/** Separates the unit from a range such as `70-99 mg/dL` or `3.4-10.8 10*3/uL`. */
function unitInRange(range: string): string {
  const words = range.split(' ');
  for (let count = 1; count < words.length; count++) {
    const rest = words.slice(count).join(' ');
    if (canonicalUnit(rest) !== undefined && readRange(words.slice(0, count).join(' '))) return rest;
  }
  const tail = /(?:\d|\))\s+([^\s\d].*)$/.exec(range)?.[1] ?? '';
  return looksLikeUnit(tail) ? tail : '';
}

/** Separates the range from a unit that is long enough to reach it, as in `Thousand/uL 3.4-10.8`. */
function rangeInUnit(text: string): readonly [unit: string, range: string] {
  const words = text.split(' ');
  for (let count = 1; count < words.length; count++) {
    const [unit, range] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    if (canonicalUnit(unit) !== undefined && (readRange(range) || isLabelledRange(range))) return [unit, range];
  }
  return [text, ''];
}

/** Takes the unit from the end of a name if there is no other: `Ferritin (ng/mL)`. */
function withUnitOfName(name: string, unit: string): { readonly name: string; readonly unit: string } {
  const [, own = '', inBrackets = ''] = /^(.*\S)\s*[([]([^()[\]]+)[)\]]$/.exec(name) ?? [];
  const isUnit = inBrackets.includes('/') || inBrackets === '%' ? looksLikeUnit(inBrackets) : false;
  return unit === '' && isUnit ? { name: own, unit: inBrackets } : { name, unit };
}

/** Reasons for a missing result, which have neither unit nor range. */
const notMeasured = /^(?:not (?:done|performed|processed|tested|measured)|unable to test|tnp|qns|insufficient.*|sample insufficient)$/i;

/** Labels of the head of a report, beside which a number is no result. */
const isHeadLabel = (name: string) =>
  /^(?:age|sex|gender|dob|mrn|page|bed|ward|room|room no|visit|(?:age|sex|gender) ?\/ ?(?:age|sex|gender))\s*:?$/i.test(name);

/** Whether a text is a date or a time, or a part of one, or follows a label. */
const isPartOfDate = (text: string) =>
  /\d:\d{2}|^:|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d/i.test(text) || daysOf(text).length > 0;

/** Separates the range from a value that stands nearer to its title: `1.6 1.0-2.5`. */
function rangeInValue(text: string): readonly [value: string, range: string] {
  const words = text.split(' ');
  for (let count = 1; count < words.length; count++) {
    const [value, range] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    if (looksLikeValue(splitValue(value).value) && /[-–<>≤≥]|to/.test(range) && readRange(range)) return [value, range];
  }
  return [text, ''];
}

/** The result in a line of a table; undefined for titles, notes and other lines. */
export function readRow(texts: RowTexts): ResultRow | undefined {
  let { name, value: valueText, flag, unit, range } = texts;
  if (valueText === '' && looksLikeValue(flag)) [valueText, flag] = [flag, ''];
  // The titles of value and unit can be close together, and both stand nearer to the second.
  if (valueText === '') {
    const [first = '', ...rest] = unit.split(' ');
    const [ownUnit, ownRange] = rangeInUnit(rest.join(' '));
    if (looksLikeValue(first) && ownRange !== '' && range === '') [valueText, unit, range] = [first, ownUnit, ownRange];
    else if (looksLikeValue(splitValue(unit).value) && splitValue(unit).unit !== '') [valueText, unit] = [unit, ''];
  }
  if (unit !== '' && range !== '' && readRange(unit) && !readRange(range)) [unit, range] = [range, unit];
  if (range === '' && readRange(unit)) [unit, range] = ['', unit];
  if (unit === '' && range !== '' && canonicalUnit(range) !== undefined) [unit, range] = [range, ''];
  if (range === '') [unit, range] = rangeInUnit(unit);
  // Without a unit, the flag can be nearer to the title of the unit.
  if (flag === '' && /^(?:HH?|LL?|A)$/.test(unit)) [flag, unit] = [unit, ''];
  const [beforeUnit = '', ...unitWords] = unit.split(' ');
  if (flag === '' && readFlag(beforeUnit) !== undefined && looksLikeUnit(unitWords.join(' ')))
    [flag, unit] = [beforeUnit, unitWords.join(' ')];
  if (flag !== '' && readFlag(flag) === undefined) {
    const [ownFlag = '', ...ownUnit] = flag.split(' ');
    if (unit === '' && readFlag(ownFlag) !== undefined && looksLikeUnit(ownUnit.join(' '))) [flag, unit] = [ownFlag, ownUnit.join(' ')];
  }
  if (flag !== '' && readFlag(flag) === undefined) {
    if (unit === '' && looksLikeUnit(flag)) [unit, flag] = [flag, ''];
    else if (range === '' && readRange(flag)) [range, flag] = [flag, ''];
  }
  if (unit === '' && range === '') [valueText, range] = rangeInValue(valueText);
  const split = splitValue(looksLikeValue(valueText) ? valueText : spaced(valueText));
  range = spaced(range);
  name = name
    .replace(/(?:[\s:…_]|\s\.|\.{2,})+$/, '')
    .replace(/\s*[*†‡¹²³]+$/, '')
    .replace(/^\d{1,3}[.)]\s+(?=\S)/, '')
    .trim();
  if (!hasLetters(name) || isHeadLabel(name) || isLabelled(name) || isGrade(name) || split.value === '') return undefined;
  const isTyped = looksLikeValue(split.value);
  const isOfHead = !isTyped && [split.value, unit, range].some((text) => isPartOfDate(text));
  if (!isTyped && ((range === '' && unit === '') || split.value.length > 40 || split.value.includes(':') || isOfHead)) return undefined;
  return {
    ...withUnitOfName(name, unit || split.unit || unitInRange(range)),
    value: split.value,
    flag: flag || split.flag,
    range,
    ...(split.unit === '%' && { isShare: true }),
  };
}

/** The result in a line of a report without a header: a name, a value, and a unit or a range, in any order. */
export function readRowWithoutColumns(line: Line): ResultRow | undefined {
  const cells = toCells(line).map(({ text }) => text);
  const [first = '', ...rest] = cells;
  const isValueNext = (texts: readonly string[]) => looksLikeValue(splitValue(texts[0] ?? '').value);
  // `Sodium   *   147`: the mark is a flag in a column of its own.
  const isMarked = (/^[*!#]{1,2}$/.test(rest[0] ?? '') || readFlag(rest[0] ?? '') !== undefined) && isValueNext(rest.slice(1));
  const fields = isMarked ? rest.slice(1) : rest;
  const isWordNext = fields.length > 1 && /^\([a-z][a-z -]*\)$/i.test(fields[1] ?? '');
  const parts = isValueNext(fields) || isWordNext ? [first, ...fields] : splitAtValue(cells.join(' '));
  const [name = '', valueText = '', ...others] = parts;
  if (name.endsWith(':') || isLabelled(name) || !hasLetters(name) || isHeadLabel(name) || isGrade(name) || name.split(' ').length > 8)
    return undefined;
  const { value, flag, unit } = splitValue(looksLikeValue(valueText) ? valueText : spaced(valueText));
  const found = { flag: isMarked ? (rest[0] ?? '') : flag, unit, range: '' };
  for (const text of others) {
    if (found.flag === '' && readFlag(text) !== undefined) found.flag = text;
    else if (found.range === '' && readRange(text)) found.range = text;
    else if (found.unit === '' && looksLikeUnit(text)) found.unit = text;
    else if (found.unit === '' && found.range === '' && rangeInUnit(text)[1] !== '') [found.unit, found.range] = rangeInUnit(text);
    else if (found.range === '') found.range = text;
  }
  // `Color   Dark Yellow   (Yellow)   abnormal`: words with the expected ones in parentheses.
  const isMissing = notMeasured.test(value) && knownAnalyte(name) !== undefined;
  const isFindingRow = rest.length > 1 && /^\([a-z][a-z -]*\)$/i.test(found.range) && value !== '' && value.split(' ').length <= 3;
  if (
    !isFindingRow &&
    !isMissing &&
    (!looksLikeValue(value) || (found.unit === '' && !readRange(found.range) && !isLabelledRange(found.range)))
  )
    return undefined;
  return {
    ...withUnitOfName(name.replace(/(?:[\s…_]|\s\.|\.{2,})+$/, ''), found.unit),
    value,
    flag: found.flag,
    range: isFindingRow ? found.range.slice(1, -1) : found.range,
    ...(found.unit === '' && unitInRange(found.range) !== '' && { unit: unitInRange(found.range) }),
    ...(unit === '%' && { isShare: true }),
  };
}

/** Splits a line with cells close together: `Glucose 90 mg/dL 70-99`. */
function splitAtValue(text: string): readonly string[] {
  const words = text.split(' ');
  const at = words.findIndex((word, index) => index > 0 && (isNumber(word) || /^[<>]=?\d/.test(word)));
  if (at < 1) return [];
  const tail: string[] = [];
  for (let from = at + 1; from < words.length;) {
    let count = Math.min(4, words.length - from);
    while (count > 1 && !isField(words.slice(from, from + count).join(' '))) count--;
    tail.push(words.slice(from, from + count).join(' '));
    from += count;
  }
  return [words.slice(0, at).join(' '), words[at] ?? '', ...tail];
}

const isField = (text: string) => readFlag(text) !== undefined || readRange(text) !== undefined || canonicalUnit(text) !== undefined;
