import { expect, it } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import type { PulledPage } from '../kit/types/connector.ts';
import { kardia } from './connector.ts';
import { createContext } from './kardia.ts';
import { idsOfIncomplete, mapRecordings } from './map-recordings.ts';
import { kardiaPassword } from './password.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'w',
  grantedScopes: [],
  account: {},
};
const context = createContext(user);
const window = { startDate: '2026-03-01', endDate: '2026-03-31' };

describeMappers(import.meta.url, { recordings: (body) => mapRecordings(body, window, context) });

const patients = (...emails: (string | null)[]) => ({
  status: 200,
  body: { data: emails.map((email, index) => ({ id: `patient-${index}`, email })), pageInfo: { hasNextPage: false, endCursor: 'end' } },
});

it.each([
  ['one patient', patients(null, 'Ann@example.test'), { kind: 'linked', providerUserId: 'patient-1' }],
  ['nobody', patients('ben@example.test'), { kind: 'refused', errorType: 'provider_credential_error' }],
  ['two patients', patients('ann@example.test', 'ann@example.test'), { kind: 'refused', errorType: 'provider_credential_error' }],
  ['an unknown key', { status: 401, body: {} }, { kind: 'refused', errorType: 'provider_credential_error' }],
  ['an overload', { status: 503, body: undefined }, { kind: 'refused', errorType: 'provider_api_error' }],
])('links exactly one patient: an address of %s', async (_name, response, expected) => {
  const http = createFakeLogin(() => response);
  const call = { http, username: 'ann@example.test', password: 'key', region: null, now: new Date(), signal: AbortSignal.timeout(5000) };
  expect(await kardiaPassword.login(call)).toMatchObject(expected);
});

it('reads recordings alone that the list has without a signal, and only those of the window', async () => {
  const listed = (id: string, recordedAt: string, more = {}) => ({ id, recordedAt, heartRate: 70, duration: 30_000, ...more });
  const page = {
    data: [
      listed('bare', '2026-03-05T08:00:00+05:30'),
      listed('gone', '2026-03-06T08:00:00+05:30'),
      listed('whole', '2026-03-07T08:00:00+05:30', { algorithmDetermination: 'normal', data: { amplitudeResolution: 500 } }),
      listed('old', '2026-02-05T08:00:00+05:30'),
    ],
    pageInfo: { hasNextPage: false },
  };
  const signal = { frequency: 300, amplitudeResolution: 500, samples: { leadI: [2000, 0] } };
  const http = createFakeHttp(({ path }) => {
    if (path.endsWith('/recordings')) return page;
    if (path === '/v1/recordings/bare') return listed('bare', '2026-03-05T08:00:00+05:30', { data: { raw: signal } });
    throw providerError('provider_permanent', { status: 404 });
  });
  const [pull] = kardia.pulls;
  const pages: PulledPage[] = [];
  for await (const one of pull?.pull({ http, user, window, signal: AbortSignal.timeout(5000) }) ?? []) pages.push(one);
  expect(http.paths).toEqual(['/v1/patients/w/recordings?limit=10', '/v1/recordings/bare', '/v1/recordings/gone']);
  const voltages = pages
    .flatMap(({ records }) => records)
    .flatMap((record) => (record.kind === 'samples' && record.subKind === 'lead_1' ? record.samples : []));
  expect(voltages.map(({ value }) => value)).toEqual([1, 0]);
});

it('reads a recording alone that the list has without determination and resolution, and keeps the note', async () => {
  const listed = { id: 'rec1', patientID: 'w', duration: 30_000, heartRate: 65, recordedAt: '2026-03-15T15:53:00+05:00' };
  const samples = [397, -262, -426];
  const signal = { frequency: 300, amplitudeResolution: 500, samples: { leadI: samples } };
  const http = createFakeHttp(({ path }) =>
    path === '/v1/recordings/rec1'
      ? { ...listed, algorithmDetermination: 'afib', note: 'felt dizzy', data: { raw: signal } }
      : { data: [{ ...listed, data: { frequency: 300, mains_freq: 60, samples: { lead_I: samples } } }], pageInfo: {} },
  );
  const records: CanonicalRecord[] = [];
  const [pull] = kardia.pulls;
  for await (const page of pull?.pull({ http, user, window, signal: AbortSignal.timeout(5000) }) ?? []) records.push(...page.records);
  expect(records[0]).toMatchObject({ data: { classification: 'atrial_fibrillation', voltage_sample_count: 3 } });
  const samplesOf = (resource: string) =>
    records.flatMap((record) => (record.kind === 'samples' && record.resource === resource ? record.samples : []));
  expect(samplesOf('electrocardiogram_voltage')).toHaveLength(3);
  expect(samplesOf('note')).toMatchObject([{ extra: { text: 'felt dizzy' } }]);
});

it.each([
  ['the determination', { data: { amplitudeResolution: 500 } }],
  ['the resolution', { algorithmDetermination: 'normal', data: { samples: {} } }],
  ['the signal', { algorithmDetermination: 'normal' }],
])('reads a recording alone whose entry in the list lacks only %s', (_name, entry) => {
  const body = { data: [{ id: 'rec1', recordedAt: '2026-03-15T15:53:00+05:00', ...entry }] };
  expect(idsOfIncomplete(body, window)).toEqual(['rec1']);
});

it('asks for more recordings a page only while those of the last page were small', async () => {
  const sizes: Readonly<Record<string, number>> = { '': 1, second: 5_000_000, third: 1 };
  const following: Readonly<Record<string, string>> = { '': 'second', second: 'third' };
  const limits: (string | undefined)[] = [];
  const http = createFakeHttp(({ query }) => {
    const start = query?.['start'] ?? '';
    limits.push(query?.['limit']);
    const pageInfo = { hasNextPage: start in following, endCursor: following[start] };
    return { data: [], pageInfo, padding: 'x'.repeat(sizes[start] ?? 0) };
  });
  const [pull] = kardia.pulls;
  for await (const page of pull?.pull({ http, user, window, signal: AbortSignal.timeout(5000) }) ?? []) expect(page.records).toEqual([]);
  expect(limits).toEqual(['10', '30', '10']);
});
