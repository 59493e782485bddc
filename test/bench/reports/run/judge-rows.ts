import type { ParsedReportData } from '@pulsewire/contract';
import { sameUnit } from './compare.ts';

/** A row as the page prints it. `loinc`: the only codes that may be matched without review. */
export interface PrintedRow {
  readonly test_name: string;
  readonly value: string;
  readonly units: string | null;
  readonly min_reference_range: number | null;
  readonly max_reference_range: number | null;
  readonly interpretation?: string;
  readonly loinc?: string | readonly string[];
}

/** The names of rows by how they were read. */
export interface Judgement {
  readonly exact: readonly string[];
  /** Returned with doubts, and without a code that nobody has to review. */
  readonly doubtful: readonly string[];
  /** Returned as certain with a wrong field. */
  readonly wrong: readonly string[];
  /** Returned as certain, and printed nowhere. */
  readonly invented: readonly string[];
  readonly missed: readonly string[];
}

type Result = ParsedReportData['results'][number];

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
const sameValue = (one: string, other: string) => plain(one) === plain(other) || (/^[-\d.]+$/.test(one) && Number(one) === Number(other));

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Spellings of one unit as one text: `cells/uL`, `/uL` and `/mm3` are one unit, and so are `x10^3/uL`, `thou/mm3` and `K/cmm`. */
const plainUnit = (unit: string | null) =>
  unit
    ?.toLowerCase()
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String(superscripts.indexOf(digit)))
    .replaceAll(/[µμ]/g, 'u')
    .replaceAll(/\s+/g, '')
    .replace(/(?:c(?:u\.?)?mm|mm3|mcl)$/, 'ul')
    .replace(/^cells?(?=\/)/, '')
    .replace(/^x(?=10)/, '')
    .replace(/^(?:thou|thousands?|k|x?1000|10[*e]3|103)(?=\/ul)/, '10^3')
    .replace(/^(?:mill?|millions?|m|10[*e]6|106)(?=\/ul)/, '10^6')
    .replace(/^lakhs?(?=\/ul)/, '10^5')
    .replace(/^10[*e]?(9|12)(?=\/l)/, '10^$1')
    .replace(/^g(?:m|ms)?%$/, 'g/dl')
    .replace(/^mm\/(?:1sthr|1sthour|hr|h)$/, 'mm/h') ?? null;

function wrongFields(row: PrintedRow, result: Result): readonly string[] {
  const isMatched = result.loinc_match_status === 'auto_match';
  const fields = {
    value: sameValue(result.value, row.value),
    unit: sameUnit(plainUnit(result.units), plainUnit(row.units)),
    range: result.min_reference_range === row.min_reference_range && result.max_reference_range === row.max_reference_range,
    interpretation: row.interpretation === undefined || result.interpretation === row.interpretation,
    code: row.loinc === undefined || !isMatched || [row.loinc].flat().includes(result.loinc_matches?.[0]?.loinc_code ?? ''),
  };
  return Object.entries(fields).flatMap(([field, isRight]) => (isRight ? [] : [field]));
}

const isSafe = ({ doubts, confidence, loinc_match_status: status }: Result) =>
  (doubts?.length ?? 0) > 0 && (confidence ?? 1) < 0.5 && status !== 'auto_match';

/** Compares results with the printed rows. Rows of one name are compared in their order. */
export function judgeRows(rows: readonly PrintedRow[], results: readonly Result[]): Judgement {
  const free = new Set(results);
  const judged = {
    exact: [] as string[],
    doubtful: [] as string[],
    wrong: [] as string[],
    invented: [] as string[],
    missed: [] as string[],
  };
  for (const row of rows) {
    const result = [...free].find(({ test_name: name }) => plain(name) === plain(row.test_name));
    if (!result) {
      judged.missed.push(row.test_name);
      continue;
    }
    free.delete(result);
    const wrong = wrongFields(row, result);
    if (isSafe(result)) judged.doubtful.push(row.test_name);
    else if (wrong.length === 0) judged.exact.push(row.test_name);
    else judged.wrong.push(`${row.test_name}: ${wrong.join(', ')}`);
  }
  for (const result of free) if (!isSafe(result)) judged.invented.push(`${result.test_name} ${result.value}`);
  return judged;
}
