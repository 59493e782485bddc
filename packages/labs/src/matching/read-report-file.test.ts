import { expect, test } from 'vitest';
import { readReportFile } from './read-report-file.ts';

const right = {
  sample_id: 'S-1',
  status: 'corrected',
  reported_at: '2026-05-01T10:00:00Z',
  patient: { first_name: 'Ann', last_name: 'Example', dob: '1990-02-01' },
  results: [{ provider_id: '301001', value: '90', unit: 'mg/dL' }],
};

test('converts a report file to a report of the lab', () => {
  const { labId, patient, isCorrection, report } = readReportFile(27, JSON.stringify(right));
  expect([labId, patient?.birthDate, isCorrection, report.status]).toEqual([27, '1990-02-01', true, 'final']);
  expect(report.results).toMatchObject([{ providerId: '301001', value: '90', unit: 'mg/dL', flag: null }]);
  expect(readReportFile(27, JSON.stringify({ ...right, patient: undefined })).patient).toBeNull();
});

test('reports every problem of a report file at once', () => {
  const wrong = { status: 'done', reported_at: 'soon', patient: { dob: '1.2.1990' }, results: [{ value: 90 }] };
  for (const name of [
    'sample_id',
    'status',
    'reported_at',
    'patient.first_name',
    'patient.dob',
    'results.0.provider_id',
    'results.0.value',
  ])
    expect(() => readReportFile(27, JSON.stringify(wrong))).toThrow(name);
  for (const text of ['', '[]', 'null', '{"results":"none"}']) expect(() => readReportFile(27, text)).toThrow(/Invalid report|not JSON/);
});
