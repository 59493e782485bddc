import { afterAll, beforeAll, expect, test } from 'vitest';
import { ihealthDefinition } from './definition.ts';
import { entryOf } from '../kit/create-simulator.ts';
import { approveAuthorization } from '../kit/oauth/approve-authorization.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';

const redirectUri = 'http://127.0.0.1/callback';
const client = { client_id: 'APP', client_secret: 'app-secret', redirect_uri: redirectUri };
let simulator: ProviderSimulator;
let ada: SimulatedAccount;

beforeAll(async () => {
  const applications = [{ clientId: 'APP', clientSecret: 'app-secret', redirectUris: [redirectUri] }];
  simulator = await entryOf(ihealthDefinition).start({ applications });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', historyDays: 30 });
});
afterAll(() => simulator.close());

interface Tokens {
  readonly AccessToken: string;
  readonly RefreshToken: string;
  readonly UserID: string;
}

async function get(url: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(`${url}?${new URLSearchParams({ ...client, ...query }).toString()}`);
  return response.json();
}

async function link(): Promise<Tokens> {
  const query = new URLSearchParams({ client_id: 'APP', response_type: 'code', redirect_uri: redirectUri, APIName: 'OpenApiBG OpenApiBP' });
  const back = await approveAuthorization(`${simulator.endpoints.authorizeUrl}?${query.toString()}`, { account: ada.name });
  const code = new URL(back).searchParams.get('code') ?? '';
  return (await get(simulator.endpoints.tokenUrl ?? '', { grant_type: 'authorization_code', code })) as Tokens;
}

const nowSeconds = Math.floor(Date.now() / 1000);
const range = { start_time: String(nowSeconds - 25 * 86_400), end_time: String(nowSeconds + 86_400) };
const file = (tokens: Tokens, name: string, page = '1') =>
  get(`${simulator.url}/openapiv2/user/${tokens.UserID}/${name}.json/`, {
    ...range,
    access_token: tokens.AccessToken,
    sc: 'serial',
    sv: `secret-of-${name}`,
    page_index: page,
  });

test('pages hold 50 readings whose times are the local clock written as if it were UTC', async () => {
  const tokens = await link();
  const first = (await file(tokens, 'glucose')) as { readonly BGDataList: readonly object[]; readonly NextPageUrl: string };
  expect(first.BGDataList).toHaveLength(50);
  expect(first.NextPageUrl).toContain('page_index=2');
  const { BPDataList } = (await file(tokens, 'bp')) as { readonly BPDataList: readonly Record<string, string | number>[] };
  const reading = BPDataList[0];
  const wallClock = new Date(Number(reading?.['MDate']) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  expect(wallClock).toBe(reading?.['measurement_time']);
  expect(Date.parse(`${wallClock.replace(' ', 'T')}${reading?.['time_zone']}`) / 1000).toBe(Number(reading?.['LastChangeTime']) - 37);
});

test('errors are in the body of a response with status 200, and a refresh returns a new pair', async () => {
  const tokens = await link();
  expect(await file(tokens, 'sleep')).toMatchObject({ ErrorDescription: 'The user has not authorized the API' });
  ada.expireTokens();
  expect(await file(tokens, 'bp')).toMatchObject({ ErrorDescription: 'Token is expired' });
  const renewal = { response_type: 'refresh_token', refresh_token: tokens.RefreshToken, UserID: tokens.UserID };
  const renewed = (await get(simulator.endpoints.tokenUrl ?? '', renewal)) as Tokens;
  expect(renewed.RefreshToken).not.toBe(tokens.RefreshToken);
  expect(await file(renewed, 'bp')).toHaveProperty('BPDataList');
});
