import { canonicalUnit, looksLikeUnit } from '../values/units.ts';
import { readFlag } from '../values/interpret.ts';
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
const isLabelled = (name: string) => /:\s+\S/.test(name);

/** Inserts the space that OCR omits between a number and the flag or unit behind it, as in `24H` and `9.2fL`. */
function spaced(text: string): string {
  const [, number = '', rest = ''] = /^([<>]?=?\s?\d[\d.,]*|.*\d)([a-zµμ%].*)$/i.exec(text) ?? [];
  const isolatesRefused = rest !== '' && (/^(?:HH?|LL?|A)$/.test(rest) || canonicalUnit(rest) !== undefined);
  return isolatesRefused ? `${number} ${rest}` : text;
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
  const { rest: text, flag: taken } = takeFlag(printed);
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
    if (canonicalUnit(unit) !== undefined && readRange(range)) return [unit, range];
  }
  return [text, ''];
}

/** The result in a line of a table; undefined for titles, notes and other lines. */
export function readRow(texts: RowTexts): ResultRow | undefined {
  let { name, value: valueText, flag, unit, range } = texts;
  if (valueText === '' && looksLikeValue(flag)) [valueText, flag] = [flag, ''];
  if (unit !== '' && range !== '' && readRange(unit) && !readRange(range)) [unit, range] = [range, unit];
  if (range === '' && readRange(unit)) [unit, range] = ['', unit];
  if (unit === '' && range !== '' && canonicalUnit(range) !== undefined) [unit, range] = [range, ''];
  if (range === '') [unit, range] = rangeInUnit(unit);
  if (flag !== '' && readFlag(flag) === undefined) {
    if (unit === '' && looksLikeUnit(flag)) [unit, flag] = [flag, ''];
    else if (range === '' && readRange(flag)) [range, flag] = [flag, ''];
  }
  const split = splitValue(looksLikeValue(valueText) ? valueText : spaced(valueText));
  range = spaced(range);
  name = name
    .replace(/(?:[\s:…_]|\s\.|\.{2,})+$/, '')
    .replace(/\s*[*†‡¹²³]+$/, '')
    .trim();
  if (!hasLetters(name) || isLabelled(name) || isGrade(name) || split.value === '') return undefined;
  const isTyped = looksLikeValue(split.value);
  if (!isTyped && ((range === '' && unit === '') || split.value.length > 40 || split.value.includes(':'))) return undefined;
  return {
    name,
    value: split.value,
    flag: flag || split.flag,
    unit: unit || split.unit || unitInRange(range),
    range,
    ...(split.unit === '%' && { isShare: true }),
  };
}

/** The result in a line of a report without a header: a name, a value, and a unit or a range, in any order. */
export function readRowWithoutColumns(line: Line): ResultRow | undefined {
  const cells = toCells(line).map(({ text }) => text);
  const [first = '', ...rest] = cells;
  const parts = rest.length > 0 && looksLikeValue(splitValue(rest[0] ?? '').value) ? [first, ...rest] : splitAtValue(cells.join(' '));
  const [name = '', valueText = '', ...others] = parts;
  if (name.endsWith(':') || isLabelled(name) || !hasLetters(name) || isGrade(name) || name.split(' ').length > 8) return undefined;
  const { value, flag, unit } = splitValue(looksLikeValue(valueText) ? valueText : spaced(valueText));
  const found = { flag, unit, range: '' };
  for (const text of others) {
    if (found.flag === '' && readFlag(text) !== undefined) found.flag = text;
    else if (found.range === '' && readRange(text)) found.range = text;
    else if (found.unit === '' && looksLikeUnit(text)) found.unit = text;
    else if (found.range === '') found.range = text;
  }
  if (!looksLikeValue(value) || (found.unit === '' && !readRange(found.range))) return undefined;
  return {
    name: name.replace(/(?:[\s…_]|\s\.|\.{2,})+$/, ''),
    value,
    ...found,
    unit: found.unit || unitInRange(found.range),
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
