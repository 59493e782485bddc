import { readFlag } from '../values/interpret.ts';
import { readRange } from '../values/read-range.ts';
import { isNumber, looksLikeValue } from '../values/read-value.ts';
import { canonicalUnit, looksLikeUnit } from '../values/units.ts';
import { kindOfTitle } from './header.ts';
import { toCells, type Line } from './lines.ts';
import { readRowWithoutColumns, splitValue, type ResultRow } from './row.ts';
import { isGrade } from './test-names.ts';

const textOf = (line: Line) =>
  toCells(line)
    .map(({ text }) => text)
    .join(' ');

const isMeasured = (value: string) => isNumber(value) || /^[<>≤≥]/.test(value);

/** Takes the bracketed parts of a text that are a flag or a range, such as `(High)` and `(Normal: 70 - 100)`. */
function takeBrackets(text: string): { readonly rest: string; readonly flag: string; readonly range: string } {
  let [flag, range] = ['', ''];
  const rest = text.replaceAll(/[([]([^()[\]]{1,60})[)\]]/g, (whole, inside: string) => {
    const plain = inside
      .replace(/^(?:biological )?(?:ref(?:erence)?\.?|normal|range|nl?)(?: ?(?:range|interval|values?))?(?:\s*[:=]\s*|\s+(?=\S))/i, '')
      .trim();
    if (flag === '' && readFlag(plain) !== undefined) flag = plain;
    else if (range === '' && (readRange(plain) || (plain !== inside && looksLikeValue(plain)))) range = plain;
    else return whole;
    return ' ';
  });
  return { rest: rest.replaceAll(/\s+/g, ' ').trim(), flag, range };
}

/** The result in a line of text such as `Hemoglobin: 14.5 g/dL (Normal: 13.5 - 17.5)`. */
export function readInlineRow(line: Line): ResultRow | undefined {
  const [, name = '', tail = ''] = /^([^:=<>]{2,60}?)\s*[:=]\s*(\S.{0,120})$/.exec(textOf(line)) ?? [];
  if (!/[a-z]{2}/i.test(name) || name.split(' ').length > 8 || kindOfTitle(name) !== undefined || isGrade(name)) return undefined;
  const { rest: plain, flag: bracketed, range } = takeBrackets(tail);
  const starred = /\*([a-z]+)\*$/i.exec(plain)?.[1] ?? '';
  const rest = starred === '' ? plain : plain.slice(0, -starred.length - 2).trim();
  const flag = bracketed || starred;
  const split = splitValue(rest);
  if (
    !(isMeasured(split.value) || (range !== '' && looksLikeValue(split.value))) ||
    (canonicalUnit(split.unit) === undefined && range === '')
  )
    return undefined;
  return { name, value: split.value, flag: flag || split.flag, unit: split.unit, range, ...(split.unit === '%' && { isShare: true }) };
}

const labelledRange =
  /^(?:(?:normal|reference|ref\.?|expected|healthy|standard|target|biological|optimal)? ?(?:range|interval|limits|values?)|ref(?:erence)?\.?|normal)\s*:\s*(\S.*)$/i;

/** The range of a text such as `Ref: 0.2 - 1.2` or `Normal range: 4.0 to 11.0 10*9/L`. */
export function rangeOfText(text: string): string | undefined {
  const range = labelledRange.exec(text)?.[1];
  return range !== undefined && readRange(range) ? range : undefined;
}

const status =
  /^(in range|above range|below range|out of range|within range|above normal|below normal|normal|optimal|high|low|abnormal|critical(?: high| low)?)\s*[·•|:,–-]?\s+(?=[<>≤≥\d])/i;
const statusBehind =
  /\s*[·•|,–-]?\s*\b(in range|above range|below range|out of range|within range|normal|optimal|high|low|abnormal|critical)$/i;

/** The result in a line that stands below its name: `In Range · 43.9 %`, or `14.3 g/dL`. */
export function readRowBelowName(line: Line, hasRange = false): ResultRow | undefined {
  const text = textOf(line);
  if (text.length > 60) return undefined;
  const found = status.exec(text) ?? statusBehind.exec(text);
  const { rest, range } = takeBrackets(found ? text.replace(found[0], '') : text);
  const split = splitValue(rest);
  const isPlain = found || hasRange ? split.unit === '' && range === '' && !hasRange : canonicalUnit(split.unit) === undefined;
  if (!(isMeasured(split.value) || (hasRange && looksLikeValue(split.value))) || isPlain) return undefined;
  const flag = found?.[1] ?? split.flag;
  return {
    name: '',
    value: split.value,
    flag: /^optimal$/i.test(flag) ? 'normal' : flag,
    unit: split.unit,
    range,
    ...(split.unit === '%' && { isShare: true }),
  };
}

/** How well the fields of a row fit what their columns are for. */
function fitOf({ value, unit, range, flag }: ResultRow): number {
  const ofValue = isMeasured(value) ? 2 : looksLikeValue(value) ? 1 : 0;
  const ofUnit = unit === '' ? 0 : canonicalUnit(unit) !== undefined ? 1 : looksLikeUnit(unit) ? 0.5 : -1;
  const ofRange = range === '' ? 0 : readRange(range) ? 1 : /\d/.test(range) ? -1 : 0;
  return ofValue + ofUnit + ofRange + (flag === '' || readFlag(flag) !== undefined ? 0 : -1);
}

/**
 * A row whose cells do not stand under their titles, by their format: every cell must be a field, and the fields must fit clearly better
 * than those that the columns yield.
 */
export function readRowByFormat(line: Line, byColumns: ResultRow | undefined): ResultRow | undefined {
  const [, ...cells] = toCells(line).map(({ text }) => text);
  const isField = (text: string) =>
    isMeasured(splitValue(text).value) || readRange(text) !== undefined || readFlag(text) !== undefined || looksLikeUnit(text);
  if (cells.length < 2 || !cells.every(isField)) return undefined;
  const row = readRowWithoutColumns(line);
  if (!row || !isMeasured(row.value) || canonicalUnit(row.unit) === undefined || !readRange(row.range)) return undefined;
  return byColumns && fitOf(row) < fitOf(byColumns) + 2 ? undefined : row;
}
