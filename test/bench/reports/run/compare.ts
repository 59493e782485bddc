import type { TrueHead, TrueRow, Truth } from '../model/truth.ts';

/** The compared part of a parsing job's result. */
export interface ReadResult {
  readonly test_name: string;
  readonly value: string;
  readonly units: string | null;
  readonly min_reference_range: number | null;
  readonly max_reference_range: number | null;
  readonly interpretation: string | null;
  readonly source_panel_name: string | null;
  readonly loinc_match_status: string | null;
  readonly loinc_matches: readonly { readonly loinc_code: string }[] | null;
  /** Why it may be wrong. A doubtful result is compared with no range. */
  readonly doubts?: readonly string[] | null;
}

export interface ReadData {
  readonly metadata: Readonly<Record<keyof TrueHead, string | null>>;
  readonly results: readonly ReadResult[];
}

/** How one report was read. */
export interface Score {
  readonly rows: number;
  readonly exact: number;
  /** Results that match no row of the report. */
  readonly extra: number;
  /** Results that may be wrong by the parser's own account. */
  readonly doubtful: number;
  /** Results without a doubt whose value, unit or range is wrong, or that match no row. */
  readonly wrongAsCertain: number;
  readonly loinc: number;
  /** Wrong codes that the parser accepted without requesting review. */
  readonly wrongMatches: number;
  readonly panels: number;
  readonly head: number;
  readonly headFields: number;
  /** The mistakes, for `--verbose`. */
  readonly faults: readonly string[];
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Spellings of one unit count as equal: `K/uL` is `x10E3/uL`. */
export function sameUnit(one: string | null, other: string | null): boolean {
  const plain = (unit: string | null) =>
    (unit ?? '')
      .toLowerCase()
      .replaceAll(/[µμ]/g, 'u')
      .replaceAll(/\s+/g, '')
      .replace(/^mcg/, 'ug')
      .replace(/^(k|thous|thousand|x?10e3|x?10\^3|10\*3|x10\*3|x10\^3)\/ul$/, '10^3/ul')
      .replace(/^(m|mill|million|x?10e6|x?10\^6|10\*6|x10\*6|x10\^6)\/ul$/, '10^6/ul')
      .replace(/^(seconds|sec|s)$/, 's')
      .replace(/^mm\/(hr|h)$/, 'mm/h')
      .replace(/^\{?ratio\}?$/, 'ratio')
      .replace(/^ml\/min\/\{?1\.73(_?m2)?\}?$/, 'ml/min/1.73m2');
  return plain(one) === plain(other);
}

/** Number of single-character changes that turn one text into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * For each row of the report the result that was read from it: the one with the nearest name, and of several the one with the same value.
 */
function pair(rows: readonly TrueRow[], results: readonly ReadResult[]): (ReadResult | undefined)[] {
  const free = new Set(results);
  return rows.map((row) => {
    const name = letters(row.name);
    let best: { readonly result: ReadResult; readonly cost: number } | undefined;
    for (const result of free) {
      const read = letters(result.test_name);
      const cost = distance(name, read) / Math.max(name.length, read.length, 1) + (squeeze(result.value) === row.value ? 0 : 0.1);
      if (cost < 0.45 && (!best || cost < best.cost)) best = { result, cost };
    }
    if (best) free.delete(best.result);
    return best?.result;
  });
}

function wrongFields(row: TrueRow, result: ReadResult): string[] {
  const wrong: string[] = [];
  const check = (field: string, isRight: boolean, read: unknown, expected: unknown) => {
    if (!isRight) wrong.push(`${field} ${JSON.stringify(read)} instead of ${JSON.stringify(expected)}`);
  };
  check('name', squeeze(result.test_name) === row.name, result.test_name, row.name);
  check('value', squeeze(result.value) === row.value, result.value, row.value);
  check('unit', sameUnit(result.units, row.unit), result.units, row.unit);
  check('min', result.min_reference_range === row.min, result.min_reference_range, row.min);
  check('max', result.max_reference_range === row.max, result.max_reference_range, row.max);
  const isUnclear = (result.doubts?.length ?? 0) > 0 && result.interpretation === 'unknown';
  check(
    'interpretation',
    isUnclear || row.interpretations.includes(result.interpretation ?? 'unknown'),
    result.interpretation,
    row.interpretations,
  );
  return wrong;
}

/** Compares the parsed result with the printed report. Null: the report could not be read at all. */
export function compare(truth: Truth, read: ReadData | null): Score {
  const fields = Object.keys(truth.head) as (keyof TrueHead)[];
  const score = {
    rows: truth.rows.length,
    exact: 0,
    extra: 0,
    doubtful: 0,
    wrongAsCertain: 0,
    loinc: 0,
    wrongMatches: 0,
    panels: 0,
    head: 0,
    headFields: fields.length,
  };
  const faults: string[] = [];
  const pairs = pair(truth.rows, read?.results ?? []);
  truth.rows.forEach((row, index) => {
    const result = pairs[index];
    if (!result) return void faults.push(`missing: ${row.name} ${row.value}`);
    const wrong = wrongFields(row, result);
    if (wrong.length === 0) score.exact += 1;
    else faults.push(`${row.name}: ${wrong.join(', ')}`);
    const isDoubtful = (result.doubts?.length ?? 0) > 0;
    if (isDoubtful) score.doubtful += 1;
    else if (wrong.some((field) => /^(?:value|unit|min|max) /.test(field))) score.wrongAsCertain += 1;
    const code = result.loinc_matches?.[0]?.loinc_code;
    if (code !== undefined && row.loinc.includes(code)) score.loinc += 1;
    else {
      faults.push(`${row.name}: LOINC ${code ?? 'none'} (${result.loinc_match_status}) instead of ${row.loinc.join(' ')}`);
      if (result.loinc_match_status === 'auto_match') score.wrongMatches += 1;
    }
    if (squeeze(result.source_panel_name ?? '') === (row.panel ?? '')) score.panels += 1;
    else faults.push(`${row.name}: panel ${JSON.stringify(result.source_panel_name)} instead of ${JSON.stringify(row.panel)}`);
  });
  for (const result of read?.results ?? []) {
    if (pairs.includes(result)) continue;
    score.extra += 1;
    if ((result.doubts?.length ?? 0) === 0) score.wrongAsCertain += 1;
    faults.push(`not on the report: ${result.test_name} = ${result.value}`);
  }
  for (const field of fields) {
    const value = read ? read.metadata[field] : null;
    if (truth.head[field].includes(value === null ? null : squeeze(value))) score.head += 1;
    else faults.push(`${field}: ${JSON.stringify(value)} instead of ${JSON.stringify(truth.head[field])}`);
  }
  return { ...score, faults };
}
