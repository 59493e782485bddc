import { AppError } from '@pulsewire/kernel';
import type { PartnerResult } from '../partners/partner.ts';
import type { IncomingReport } from './report.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isInstant = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isInstant(value);
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Every problem of the file, by the name of the field. */
function problemsOf(file: Fields): readonly string[] {
  const { patient, results } = file;
  const wrong = (name: string, isRight: boolean, form: string) => (isRight ? [] : [`${name}: ${form}`]);
  const person = isFields(patient) ? patient : {};
  return [
    ...wrong('sample_id', text(file['sample_id']) !== null, 'a text'),
    ...wrong('status', ['final', 'partial', 'corrected'].includes(String(file['status'])), 'final, partial or corrected'),
    ...wrong('reported_at', isInstant(file['reported_at']), 'a date with time'),
    ...wrong('collected_at', file['collected_at'] === undefined || isInstant(file['collected_at']), 'a date with time'),
    ...wrong('results', Array.isArray(results) && results.length > 0, 'a list that is not empty'),
    ...items(results).flatMap((result, at) => [
      ...wrong(`results.${at}.provider_id`, isFields(result) && text(result['provider_id']) !== null, 'a text'),
      ...wrong(`results.${at}.value`, isFields(result) && text(result['value']) !== null, 'a text'),
    ]),
    ...(patient === undefined
      ? []
      : [
          ...wrong('patient.first_name', text(person['first_name']) !== null, 'a text'),
          ...wrong('patient.last_name', text(person['last_name']) !== null, 'a text'),
          ...wrong('patient.dob', isDay(person['dob']), 'a day, YYYY-MM-DD'),
        ]),
  ];
}

/** Reads the JSON report file of an operator; the README documents the format. Throws AppError `report_file_invalid` with every problem. */
export function readReportFile(labId: number, json: string): IncomingReport {
  let file: unknown;
  try {
    file = JSON.parse(json);
  } catch {
    throw new AppError({ code: 'report_file_invalid', kind: 'invalid', message: 'The file is not JSON' });
  }
  const fields = isFields(file) ? file : {};
  const problems = problemsOf(fields);
  if (problems.length > 0)
    throw new AppError({ code: 'report_file_invalid', kind: 'invalid', message: `Invalid report: ${problems.join('; ')}` });
  const person = isFields(fields['patient']) ? fields['patient'] : null;
  const at = new Date(String(fields['reported_at']));
  const results = items(fields['results']).map((item): PartnerResult => {
    const result = item as Fields;
    return {
      providerId: String(result['provider_id']),
      name: text(result['name']),
      value: String(result['value']),
      unit: text(result['unit']),
      referenceRange: text(result['reference_range']),
      flag: text(result['flag']),
      note: text(result['note']),
      at,
    };
  });
  return {
    labId,
    patient: person && {
      firstName: String(person['first_name']),
      lastName: String(person['last_name']),
      birthDate: String(person['dob']),
      gender: text(person['gender']),
    },
    isCorrection: fields['status'] === 'corrected',
    report: {
      status: fields['status'] === 'partial' ? 'partial' : 'final',
      sampleId: String(fields['sample_id']),
      results,
      missing: [],
      collectedAt: isInstant(fields['collected_at']) ? new Date(fields['collected_at']) : null,
      receivedAt: null,
      at,
    },
  };
}
