import { createCipheriv, createDecipheriv } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryOf } from '../kit/create-simulator.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';
import { renphoDefinition } from './definition.ts';

let simulator: ProviderSimulator;
let ada: SimulatedAccount;

beforeAll(async () => {
  simulator = await entryOf(renphoDefinition).start({ applications: [] });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', historyDays: 20 });
});
afterAll(() => simulator.close());

interface ReceivedResponse {
  readonly code: number;
  /** Decrypted; null when there was nothing. */
  readonly text: string | null;
}

const key = () => simulator.settings['appKey'] ?? '';

async function post(path: string, request: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ReceivedResponse> {
  const cipher = createCipheriv('aes-128-ecb', key(), null);
  const encryptData = Buffer.concat([cipher.update(JSON.stringify(request)), cipher.final()]).toString('base64');
  const response = await fetch(`${simulator.url}/${path}`, { method: 'POST', body: JSON.stringify({ encryptData }), headers });
  const { code, data } = (await response.json()) as { readonly code: number; readonly data: string | null };
  if (data === null) return { code, text: null };
  const decipher = createDecipheriv('aes-128-ecb', key(), null);
  return { code, text: Buffer.concat([decipher.update(data, 'base64'), decipher.final()]).toString() };
}

async function signIn(password = ada.credentials.password): Promise<ReceivedResponse & { readonly token: string }> {
  const response = await post('renpho-aggregation/user/login', { login: { email: ada.email, password } });
  return { ...response, token: /"token":"(\w+)"/.exec(response.text ?? '')?.[1] ?? '' };
}

const measurements = 'RenphoHealth/scale/queryAllMeasureDataList';

test('rows of a table have ids of 19 digits as numbers, and weights in kg', async () => {
  const { token, text } = await signIn();
  expect(text).toMatch(new RegExp(`"id":${ada.providerUserId}\\b`));
  expect(ada.providerUserId).toHaveLength(19);
  const tableName = `measurements_info_${BigInt(ada.providerUserId) % 24n}`;
  const request = { pageNum: 1, pageSize: 50, userIds: [ada.providerUserId], tableName };
  const rows = await post(measurements, request, { token });
  expect(rows.text).toMatch(/"weight":(7\d|69)/);
  expect((await post(measurements, { ...request, pageNum: 2 }, { token })).text).toBeNull();
});

test('a wrong password is an error code in a response with status 200', async () => {
  expect(await signIn('wrong')).toMatchObject({ code: 104, text: null });
});

test('lists of a session that another sign-in has ended are empty, other calls are rejected', async () => {
  const { token } = await signIn();
  await signIn();
  expect(await post('renpho-aggregation/device/count', {}, { token })).toEqual({ code: 401, text: null });
  expect(await post(measurements, { pageNum: 1, pageSize: 50, userIds: [], tableName: '' }, { token })).toEqual({ code: 101, text: '[]' });
});
