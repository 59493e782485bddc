import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, type FakeResponse } from '../kit/testing/fake-http.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import type { PulledPage, PullUser, RawPush } from '../kit/types/connector.ts';
import { kardia } from './connector.ts';
import { clinicOf, everyoneName, namesOf, patientName } from './names.ts';
import { kardiaPassword } from './password.ts';
import { kardiaPush } from './push.ts';

const apiKey = '3test974-cd11-48c3-a0dd-621test8test';
const clinic = clinicOf(apiKey);
const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'patient-1',
  grantedScopes: [],
  account: { region: 'us', ...namesOf(apiKey, ['patient-1', 'MRN-7']) },
};
const callbackUrl = 'https://our.example/v2/push/kardia/0123456789abcdef';
const address = { callbackUrl, verificationCode: 'code' };
const ours = `${callbackUrl}?clinic=${clinic}`;

describe('the callback of a clinic', () => {
  const register = async (get: FakeResponse, account: PullUser['account'] = user.account) => {
    const http = createFakeHttp((call) => (call.method === 'GET' ? get(call) : { url: call.form?.['url'] }));
    await kardiaPush.subscribe?.({ http, user: { ...user, account }, subscriptionId: 'x', address });
    return http.calls.flatMap(({ method, form }) => (method === 'PUT' ? form?.['url'] : []));
  };
  const missing: FakeResponse = () => {
    throw providerError('provider_permanent', { status: 404 });
  };

  it.each<[string, FakeResponse, readonly string[]]>([
    ['none', () => ({ url: null }), [ours]],
    ['no such page', missing, [ours]],
    ['an empty one', () => ({ url: '' }), [ours]],
    ['this one already', () => ({ url: ours }), []],
    ['one of ours with another code', () => ({ url: 'https://our.example/v2/push/kardia/fedcba' }), [ours]],
  ])('is set where the clinic has %s', async (_what, get, expected) => {
    expect(await register(get)).toEqual(expected);
  });

  it('of another system is kept', async () => {
    const http = createFakeHttp(() => ({ url: 'https://hospital.example/ecg' }));
    const call = { http, user, subscriptionId: 'x', address };
    await expect(kardiaPush.subscribe?.(call)).rejects.toMatchObject({ code: 'provider_permanent', details: { reason: 'callback_taken' } });
    expect(http.calls).toHaveLength(1);
  });

  it('names no clinic for patients linked before their names were kept, and is not set without an address', async () => {
    expect(await register(() => ({ url: null }), { region: 'us' })).toEqual([callbackUrl]);
    const http = createFakeHttp(() => ({}));
    await kardiaPush.subscribe?.({ http, user, subscriptionId: 'x', address: null });
    expect(http.calls).toEqual([]);
  });
});

const push = (body: unknown, query: RawPush['query'] = { clinic }): RawPush => ({
  method: 'POST',
  headers: {},
  query,
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
});
const noticesOf = (body: unknown, query?: RawPush['query']) => kardiaPush.parse(push(body, query)).notices;
const about = { kind: 'object', collection: 'recordings', objectId: 'latest' };

describe('a notice', () => {
  it('names a patient of the clinic by Kardia’s id or by the clinic’s own number', () => {
    const names = user.account['push_names'];
    for (const id of ['patient-1', 'MRN-7']) {
      const [notice, ...others] = noticesOf({ eventType: 'newRecording', customParticipantId: id });
      expect(notice).toEqual({ ...about, providerUserId: patientName(clinic, id), isAlias: true });
      expect(others).toEqual([]);
      expect(names).toContain(notice?.providerUserId);
    }
    const [other] = noticesOf({ eventType: 'newRecording', customParticipantId: 'MRN-7' }, { clinic: clinicOf('another key') });
    expect(names).not.toContain(other?.providerUserId);
  });

  it('without a patient is about everyone of the clinic, and about its recording if it names one', () => {
    expect(noticesOf({ eventType: 'newRecording' })).toEqual([{ ...about, providerUserId: everyoneName(clinic), isAlias: true }]);
    expect(noticesOf({ recordingId: 'r-1' })).toMatchObject([{ providerUserId: everyoneName(clinic), objectId: 'r-1' }]);
    expect(noticesOf({ patientID: 'patient-1', recordingID: 'r-1' })).toMatchObject([
      { providerUserId: patientName(clinic, 'patient-1'), objectId: 'r-1' },
    ]);
    expect(user.account['push_names']).toContain(everyoneName(clinic));
  });

  it('to an address without a clinic is matched by Kardia’s id only', () => {
    for (const query of [{}, { clinic: 'x' }])
      expect(noticesOf({ customParticipantId: 'patient-1' }, query)).toEqual([{ ...about, providerUserId: 'patient-1' }]);
    expect(noticesOf({ eventType: 'newRecording' }, {})).toEqual([]);
  });

  it('that a patient left never ends a connection; one that cannot be read is reported', () => {
    expect(noticesOf({ eventType: 'participantDisconnected', customParticipantId: 'patient-1' })).toEqual([]);
    for (const body of [7, null, [1]]) expect(kardiaPush.parse(push(body))).toMatchObject({ notices: [], unreadable: [{ pointer: '' }] });
    expect(() => kardiaPush.parse(push(undefined))).toThrow('unknown format');
  });

  it('is answered without being stored when it is empty, as when the callback is set', () => {
    const secrets = { verificationCode: 'code' };
    expect(kardiaPush.handshake(push(undefined), secrets)).toEqual({ status: 200, body: '' });
    expect(kardiaPush.handshake(push({}), secrets)).toBeNull();
    expect(kardiaPush.handshake({ ...push(undefined), method: 'GET' }, secrets)).toBeNull();
  });
});

describe('the recording of a notice', () => {
  const [pull] = kardia.pulls;
  const now = new Date('2026-03-12T16:00:00Z');
  const signal = AbortSignal.timeout(5000);
  const recording = (patientID: string) => ({
    id: 'r-1',
    patientID,
    recordedAt: '2026-01-05T08:00:00+05:30',
    heartRate: 70,
    duration: 30_000,
  });
  async function read(objectId: string, respond: FakeResponse) {
    const http = createFakeHttp(respond);
    const pages: PulledPage[] = [];
    for await (const page of pull?.pullObject?.({ http, user, objectId, now, signal }) ?? []) pages.push(page);
    return { paths: http.paths, records: pages.flatMap(({ records }) => records), ranges: pages.flatMap(({ partOf = [] }) => partOf) };
  }

  it('is read alone if it is the patient’s, whatever its day', async () => {
    const own = await read('r-1', () => recording('patient-1'));
    expect(own.paths).toEqual(['/v1/recordings/r-1']);
    expect(own.records.map(({ resource }) => resource)).toEqual(['electrocardiogram', 'heartrate']);
    expect(own.ranges).toEqual([]);
    expect((await read('r-1', () => recording('patient-2'))).records).toEqual([]);
    const gone: FakeResponse = () => {
      throw providerError('provider_permanent', { status: 404 });
    };
    expect((await read('r-1', gone)).records).toEqual([]);
  });

  it('is one of the last week when the notice names none', async () => {
    const complete = { algorithmDetermination: 'normal', data: { amplitudeResolution: 500 } };
    const listed = (id: string, recordedAt: string) => ({ ...recording('patient-1'), id, recordedAt, ...complete });
    const page = { data: [listed('new', '2026-03-12T08:00:00Z'), listed('old', '2026-03-01T08:00:00Z')], pageInfo: { hasNextPage: false } };
    const { paths, records } = await read('latest', () => page);
    expect(paths).toEqual(['/v1/patients/patient-1/recordings?limit=10']);
    expect(records.filter(({ kind }) => kind === 'summary')).toHaveLength(1);
  });
});

it.each([
  [{ mrn: 'MRN-7' }, ['patient-1', 'MRN-7']],
  [{ patientMRN: 'MRN-7' }, ['patient-1', 'MRN-7']],
  [{}, ['patient-1']],
])('keeps hashes of the names of a linked patient, never the clinic’s number: %j', async (more, ids) => {
  const body = { data: [{ id: 'patient-1', email: 'ann@example.test', ...more }], pageInfo: { hasNextPage: false } };
  const http = createFakeLogin(() => ({ body }));
  const call = { http, username: 'ann@example.test', password: apiKey, region: null, now: new Date(), signal: AbortSignal.timeout(5000) };
  const outcome = await kardiaPassword.login(call);
  expect(outcome).toMatchObject({ kind: 'linked', account: { region: 'us', ...namesOf(apiKey, ids) } });
  const facts = outcome.kind === 'linked' ? JSON.stringify(outcome.account) : '';
  expect([facts.includes('MRN-7'), facts.includes(apiKey)]).toEqual([false, false]);
});
