import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKnown, mergeResults } from './merge-results.ts';
import type { MeasuredResult, OrderResults } from '../model/results.ts';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`;

function measured(providerId: string, result: string, day: number): MeasuredResult {
  return {
    name: providerId,
    slug: providerId,
    loinc: null,
    loincSlug: null,
    providerId,
    sourceMarkers: null,
    type: 'numeric',
    result,
    unit: 'mg/dL',
    referenceRange: null,
    min: null,
    max: null,
    isAboveMax: null,
    isBelowMin: null,
    interpretation: 'unknown',
    flag: '',
    note: null,
    at: at(day),
  };
}

function report(day: number, values: Readonly<Record<string, string>>, changes: Partial<OrderResults> = {}): OrderResults {
  return {
    status: 'partial',
    interpretation: 'unknown',
    sampleId: 's',
    patient: { name: 'Ann Example', dob: '1990-02-01' },
    physician: null,
    lab: { slug: 'lab', name: 'Lab' },
    isFasting: false,
    timeZone: null,
    collectedAt: null,
    receivedAt: null,
    reportedAt: at(day),
    results: Object.entries(values).map(([id, value]) => measured(id, value, day)),
    missing: [],
    ...changes,
  };
}

const valuesOf = ({ results }: OrderResults) => Object.fromEntries(results.map(({ providerId, result }) => [providerId, result]));
const missing = (providerId: string, day: number, isInferred = false) => ({
  name: providerId,
  slug: providerId,
  loinc: null,
  loincSlug: null,
  providerId,
  sourceMarkers: null,
  failure: 'unknown_failure',
  note: null,
  at: at(day),
  isInferred,
});

test('a report keeps the results that it does not repeat', () => {
  const merged = mergeResults(report(1, { glucose: '90' }), report(2, { creatinine: '0.9' }));
  expect(valuesOf(merged)).toEqual({ glucose: '90', creatinine: '0.9' });
});

test('a correction replaces one value, and the former one is in the history', () => {
  const merged = mergeResults(
    report(1, { glucose: '90', iron: '50' }, { status: 'final' }),
    report(2, { glucose: '88' }, { status: 'final' }),
  );
  expect(valuesOf(merged)).toEqual({ glucose: '88', iron: '50' });
  expect(merged.history).toEqual([{ providerId: 'glucose', name: 'glucose', result: '90', unit: 'mg/dL', at: at(1), replacedAt: at(2) }]);
});

test('an older report replaces nothing newer, and does not put the report date back', () => {
  const merged = mergeResults(report(9, { glucose: '90' }, { status: 'final' }), report(2, { glucose: '88', iron: '50' }));
  expect([valuesOf(merged), merged.reportedAt, merged.status]).toEqual([{ glucose: '90', iron: '50' }, at(9), 'final']);
  expect(merged.history?.map(({ result }) => result)).toEqual(['88']);
});

test('a result that a final report merely lacks stays, and one that the lab cancels becomes a missing one', () => {
  const known = report(1, { glucose: '90' });
  expect(valuesOf(mergeResults(known, report(2, {}, { status: 'final', missing: [missing('glucose', 2, true)] })))).toEqual({
    glucose: '90',
  });
  const cancelled = mergeResults(known, report(2, {}, { missing: [missing('glucose', 2)] }));
  expect([valuesOf(cancelled), cancelled.missing.length, cancelled.history?.length]).toEqual([{}, 1, 1]);
});

test('several results under one code stay together, and a repeated value is no former one', () => {
  const culture = report(1, {}, { results: [measured('culture', 'E. coli', 1), measured('culture', 'K. pneumoniae', 1)] });
  const merged = mergeResults(culture, report(2, { glucose: '90' }));
  expect(merged.results.map(({ result }) => result)).toEqual(['E. coli', 'K. pneumoniae', '90']);
  expect(mergeResults(merged, report(3, { glucose: '90' })).history).toEqual([]);
});

test('a late value fills the gap of a final report', () => {
  const final = report(5, {}, { status: 'final', missing: [missing('glucose', 5, true)] });
  const merged = mergeResults(final, report(2, { glucose: '90' }));
  expect([valuesOf(merged), merged.missing]).toEqual([{ glucose: '90' }, []]);
});

test('a repeated or older report is known, and a changed or first final one is not', () => {
  const known = report(5, { glucose: '90' });
  expect(isKnown(known, report(6, { glucose: '90' }))).toBe(true);
  expect(isKnown(known, report(2, { glucose: '88' }))).toBe(true);
  expect(isKnown(known, report(6, { glucose: '88' }))).toBe(false);
  expect(isKnown(known, report(6, { glucose: '90' }, { status: 'final' }))).toBe(false);
});

test('reports in any order end with the newest value of each analyte', () => {
  const reports = fc.uniqueArray(
    fc.record({
      day: fc.integer({ min: 1, max: 28 }),
      values: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3')),
    }),
    { minLength: 1, maxLength: 6, selector: ({ day }) => day },
  );
  const property = fc.property(reports, (all) => {
    const merged = all.map(({ day, values }) => report(day, values)).reduce(mergeResults);
    const newest = Object.assign({}, ...all.toSorted((one, other) => one.day - other.day).map(({ values }) => values)) as object;
    expect(valuesOf(merged)).toEqual({ ...newest });
  });
  fc.assert(property);
});
