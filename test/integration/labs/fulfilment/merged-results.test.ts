import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findLabBySlug, readReportFile, takeReport } from '@pulsewire/labs';
import { useFulfilment } from '../support/fulfilment.ts';
import { patient } from '../support/order-body.ts';

const harness = useFulfilment();

interface Case {
  readonly receive: readonly Readonly<Record<string, unknown>>[];
}

interface ShownResult {
  readonly name: string;
  readonly result: string;
  readonly value: number;
  readonly interpretation: string;
  readonly is_above_max_range: boolean | null;
  readonly is_below_min_range: boolean | null;
  readonly provider_id: string;
}

/** Orders a test, receives the reports of a case for it in turn, and reads its results. */
async function resultsOf(name: string) {
  const { receive } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'results', `${name}.json`), 'utf8')) as Case;
  const { id } = await harness.order(harness.tests.walkIn);
  await harness.work();
  const { sampleId } = harness.ofLab(id)[0] as { sampleId: string };
  const lab = await findLabBySlug(harness.database.current, 'quest');
  const team = { teamId: harness.team.team.teamId, isSandbox: false, partialResults: false, minorOrdering: false, humanReview: false };
  for (const report of receive) {
    const { first_name: firstName, last_name: lastName, dob, gender } = patient;
    const own = { ...report, sample_id: sampleId, patient: { first_name: firstName, last_name: lastName, dob, gender } };
    await takeReport(harness.labs(), { ...team, bookingBeforeRequisition: false }, readReportFile(lab?.labId ?? 0, JSON.stringify(own)));
  }
  const { body } = await harness.team.call('GET', `/v3/order/${id}/result`);
  const results = body.results as readonly ShownResult[];
  const byName = Object.fromEntries(results.map((result) => [result.name, result]));
  return { id, body, results, byName, statuses: await harness.statuses(id) };
}

const place = ({ is_above_max_range: above, is_below_min_range: below }: ShownResult) =>
  above === true ? 'above' : below === true ? 'below' : null;

test('two partial reports with a result each end with both results', async () => {
  const { results } = await resultsOf('two-partials');
  expect(results.map(({ result }) => result).toSorted()).toEqual(['0.9', '90']);
});

test('a correction of one result keeps the six others, and the order is corrected', async () => {
  const { id, results, statuses } = await resultsOf('correction');
  expect(results).toHaveLength(7);
  expect(results.find((one) => one.provider_id === '301001')?.result).toBe('88');
  expect(statuses.slice(-2)).toEqual(['completed', 'corrected']);
  const { body } = await harness.team.call('GET', `/v3/order/${id}/result/history`);
  expect(body.data).toEqual([
    {
      name: expect.any(String),
      provider_id: '301001',
      result: '90',
      unit: 'mg/dL',
      reported_at: '2026-11-27T10:00:00+00:00',
      replaced_at: '2026-11-28T10:00:00+00:00',
    },
  ]);
});

test('a report that was made before the last one changes neither results nor dates nor the status', async () => {
  const { body, results, statuses } = await resultsOf('older-correction');
  expect(results.find((one) => one.provider_id === '301001')?.result).toBe('90');
  expect([body.metadata.date_reported, statuses.at(-1)]).toEqual(['2026-11-28', 'completed']);
});

test('values that equal a strict limit are abnormal, and those that equal an inclusive one normal', async () => {
  const { byName } = await resultsOf('strict-limits');
  const shown = Object.fromEntries(Object.entries(byName).map(([name, one]) => [name, [one.interpretation, place(one)]]));
  expect(shown).toMatchObject({
    HDL: ['abnormal', 'below'],
    LDL: ['abnormal', 'above'],
    Troponin: ['abnormal', 'above'],
    'Base excess': ['abnormal', 'below'],
    WBC: ['normal', null],
  });
});

test('what was not measured is missing with its reason, and what was not compared is not normal', async () => {
  const { body, byName } = await resultsOf('not-measured');
  const missing = (body.missing_results as readonly { name: string; inferred_failure_type: string; note: string | null }[]).map(
    ({ name, inferred_failure_type: failure, note }) => [name, failure, note],
  );
  expect(missing).toContainEqual(['Ferritin', 'unknown_failure', 'Test not performed']);
  expect(missing).toContainEqual(['Iron', 'quantity_not_sufficient_failure', 'Quantity not sufficient']);
  expect(byName['Culture']?.interpretation).toBe('unknown');
  expect([byName['Potassium']?.value, byName['Potassium']?.interpretation]).toEqual([4.1, 'normal']);
  expect([byName['CEA']?.result, byName['CEA']?.interpretation, byName['CEA'] && place(byName['CEA'])]).toEqual([
    '1250.5',
    'abnormal',
    'above',
  ]);
  expect([byName['HCV RNA']?.result, byName['HCV RNA']?.interpretation]).toEqual(['1200000', 'unknown']);
});
