import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { defaultsOf } from '../kit/settings.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import { findRenphoRefusal } from './connector.ts';
import { createEnvelope } from './envelope.ts';
import { createRenphoPassword } from './password.ts';
import { createPulls } from './pulls.ts';
import { renphoSettings } from './renpho.ts';

const values = { ...defaultsOf(renphoSettings), appKey: 'made-up-test-key' };
const envelope = createEnvelope(values.appKey);
if (!envelope) throw new Error('The key is too short');
const reply = (data: unknown) => ({
  code: 101,
  msg: 'success',
  data: data === null ? null : envelope.seal(JSON.stringify(data)).encryptData,
});
const open = (call: { readonly json?: unknown }): unknown =>
  envelope.open({ data: (call.json as { readonly encryptData: string } | undefined)?.encryptData });
const userId = '1800000000123456789';
const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: userId,
  grantedScopes: [],
  account: {},
};
const window = { startDate: '2024-11-17', endDate: '2024-11-18' };

describe('logins', () => {
  const call = {
    username: 'ada@mail.example',
    password: 'right',
    region: null,
    now: new Date('2026-03-12T12:00:00Z'),
    signal: AbortSignal.timeout(5000),
  };
  const login = (body: unknown, given = values) => createRenphoPassword(given).login({ ...call, http: createFakeLogin(() => ({ body })) });

  it('keep the credentials and every digit of the id', async () => {
    const text = `{"login":{"id":${userId},"token":"t","gender":1,"height":178,"heightUnit":1,"birthday":"1988-04-12"}}`;
    const outcome = await login({ code: '101', data: envelope.seal(text).encryptData });
    expect(outcome).toMatchObject({ kind: 'linked', providerUserId: userId, account: { user_id: userId, height: 178 } });
    expect(outcome).toMatchObject({
      tokens: { accessToken: 't', refreshToken: JSON.stringify({ email: call.username, password: 'right' }) },
    });
  });

  it('fail with status 200, and the error names the key that an operator has to set', async () => {
    expect(await login({ code: 104, msg: 'wrong user name or password', data: null })).toMatchObject({
      errorType: 'provider_credential_error',
    });
    expect(await login({ code: 500, data: null })).toMatchObject({ errorType: 'provider_api_error' });
    const withoutKey = await login(reply({}), { ...values, appKey: '' });
    expect(withoutKey).toMatchObject({ errorType: 'provider_api_error', message: expect.stringContaining('not configured') as string });
  });
});

describe('readings', () => {
  const row = (id: number, more: object = {}) => ({
    id: `19000000001234567${id}`,
    bUserId: userId,
    timeStamp: 1_731_848_503 + id,
    timeZone: '+1:00',
    weight: 70,
    ...more,
  });
  async function read(respond: (path: string, requested: unknown) => unknown) {
    const requested: (readonly [path: string, plain: unknown])[] = [];
    const http = createFakeHttp((call) => {
      requested.push([call.path, open(call)]);
      return respond(call.path, open(call));
    });
    const [measurements] = createPulls(values);
    const weights: unknown[] = [];
    const reasons = new Set<string>();
    for await (const { records, quarantined } of measurements?.pull({ http, user, window, signal: AbortSignal.timeout(5000) }) ?? []) {
      for (const record of records) if (record.kind === 'summary') weights.push(record.data['weight']);
      for (const { reason } of quarantined) reasons.add(reason);
    }
    return { asked: requested, weights, reasons: [...reasons] };
  }

  it('return each row once, though it may be in both calls or in one', async () => {
    const scale = [{ tableName: 'measurements_info_5', userIds: [7], count: 0 }];
    const { asked, weights } = await read((path) => {
      if (path.endsWith('/count')) return reply({ scale });
      return reply(path.includes('BodyComposition') ? [row(1), row(2)] : { list: [row(2, { weight: 1 }), row(3)] });
    });
    expect(weights).toEqual([70, 70, 70]);
    expect(asked[1]?.[1]).toEqual({ pageNum: 1, pageSize: 50, userIds: ['7'], tableName: 'measurements_info_5' });
  });

  it('keep the rows of another member number that the scale lists', async () => {
    const listed = '1616785610291589999';
    const scale = [{ tableName: 'measurements_info_7', userIds: [listed], count: 1 }];
    const other = row(1, { bUserId: listed, subUserId: 0, weight: 78.2 });
    const { weights, reasons } = await read((path) => reply(path.endsWith('/count') ? { scale } : [other]));
    expect({ weights, reasons }).toEqual({ weights: [78.2], reasons: [] });
  });

  it('report a list that has the rows of other people only', async () => {
    const scale = [{ tableName: 'measurements_info_7', userIds: [userId, '8'], count: 1 }];
    const { weights, reasons } = await read((path) => reply(path.endsWith('/count') ? { scale } : [row(1, { bUserId: '8' })]));
    expect({ weights, reasons }).toEqual({ weights: [], reasons: ['other_person'] });
  });

  it('derive the table if none is named, and send an empty object if no content is rejected', async () => {
    const { asked } = await read((path, plain) => {
      if (!path.endsWith('/count')) return reply(null);
      if (plain === undefined) throw providerError('provider_permanent', { status: 400 });
      return reply(null);
    });
    expect(asked[2]?.[1]).toMatchObject({ tableName: `measurements_info_${BigInt(userId) % 24n}`, userIds: [userId] });
  });

  it('do not treat the empty lists of an ended session as an account without data', async () => {
    await expect(read(() => reply([]))).rejects.toMatchObject({ code: 'provider_token_expired' });
  });
});

it('finds errors in responses of status 200', () => {
  const judge = (code: unknown) => findRenphoRefusal({ body: { code, data: null } })?.code ?? null;
  expect([101, '0', 401, '403', 429, -114, undefined].map(judge)).toEqual([
    null,
    null,
    'provider_token_expired',
    'provider_token_expired',
    'provider_rate_limited',
    'provider_transient',
    'provider_transient',
  ]);
});
