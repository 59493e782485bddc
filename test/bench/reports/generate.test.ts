import { describe, expect, it } from 'vitest';
import type { Analyte } from './facts/analyte.ts';
import { panels } from './facts/panels.ts';
import { generateReports } from './generate.ts';
import { layouts } from './layouts/all.ts';
import { compare, sameUnit, type ReadData } from './run/compare.ts';

const analytes: readonly Analyte[] = Object.values(panels).flatMap((panel) => panel.analytes);

async function textsOf(seed: number) {
  const reports = [];
  for await (const report of generateReports({ seed, texts: 1, forms: ['text'] })) reports.push(report);
  return reports;
}

/** The last digit of a LOINC code follows from the others: every second one doubled, from the right. */
function hasCheckDigit(code: string): boolean {
  const [number = '', digit] = code.split('-');
  const odd = number
    .split('')
    .toReversed()
    .filter((_, index) => index % 2 === 0);
  const even = number
    .split('')
    .toReversed()
    .filter((_, index) => index % 2 === 1);
  const doubled = String(Number(odd.toReversed().join('')) * 2);
  const sum = [...even, ...doubled.split('')].reduce((total, each) => total + Number(each), 0);
  return digit === String((10 - (sum % 10)) % 10);
}

describe('generated lab reports', () => {
  it('have LOINC codes with correct check digits', () => {
    const codes = analytes.flatMap(({ loinc, molar }) => [...loinc, ...(molar?.loinc ?? [])]);
    expect(codes.filter((code) => !hasCheckDigit(code))).toEqual([]);
  });

  it('are the same for the same seed and differ for another seed', async () => {
    const [one, again, other] = [await textsOf(1), await textsOf(1), await textsOf(2)];
    expect(one).toHaveLength(layouts.length);
    expect(again).toEqual(one);
    expect(one.map(({ truth }, index) => truth.rows.length > 0 && truth !== other[index]?.truth)).not.toContain(false);
    expect(other.map(({ files }) => files)).not.toEqual(one.map(({ files }) => files));
  });
});

describe('the comparison', () => {
  const row = {
    name: 'Glucose',
    value: '90',
    unit: 'mg/dL',
    min: 70,
    max: 99,
    interpretations: ['normal'],
    panel: null,
    loinc: ['2345-7'],
  };
  const none = [null];
  const head = {
    patient_first_name: none,
    patient_last_name: none,
    dob: none,
    gender: none,
    lab_name: none,
    date_reported: none,
    date_collected: none,
    specimen_number: none,
  };
  const read = {
    test_name: 'Glucose',
    value: '90',
    units: 'mg/dL',
    min_reference_range: 70,
    max_reference_range: 99,
    interpretation: 'normal',
    source_panel_name: null,
    loinc_match_status: 'auto_match',
    loinc_matches: [{ loinc_code: '2345-7' }],
  };
  const metadata: ReadData['metadata'] = {
    patient_first_name: null,
    patient_last_name: null,
    dob: null,
    gender: null,
    lab_name: null,
    date_reported: null,
    date_collected: null,
    specimen_number: null,
  };
  const scoreOf = (...results: readonly Partial<typeof read>[]) =>
    compare({ rows: [row], head }, { metadata, results: results.map((result) => ({ ...read, ...result })) });

  it('counts a row as exact only when every field is exact', () => {
    expect(scoreOf({})).toMatchObject({ rows: 1, exact: 1, extra: 0, loinc: 1, head: 8, faults: [] });
    for (const wrong of [
      { test_name: 'Glucos' },
      { value: '9' },
      { units: 'mmol/L' },
      { max_reference_range: 100 },
      { interpretation: 'abnormal' },
    ]) {
      expect(scoreOf(wrong)).toMatchObject({ exact: 0, loinc: 1 });
    }
  });

  it('counts results that are not on the report, missing rows and wrong codes', () => {
    expect(scoreOf({}, { test_name: 'Note' })).toMatchObject({ exact: 1, extra: 1 });
    expect(scoreOf()).toMatchObject({ exact: 0, loinc: 0, rows: 1 });
    expect(scoreOf({ loinc_matches: [{ loinc_code: '2339-0' }] })).toMatchObject({ exact: 1, loinc: 0, wrongMatches: 1 });
  });

  it('treats spellings of one unit as equal, and different units as different', () => {
    expect(sameUnit('K/uL', 'x10E3/µL')).toBe(true);
    expect(sameUnit('mcg/dL', 'ug/dL')).toBe(true);
    expect(sameUnit('mg/dL', 'mg/L')).toBe(false);
    expect(sameUnit(null, '%')).toBe(false);
  });
});
