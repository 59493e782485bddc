import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '@pulsewire/connections';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { compose, type Portal } from '../../../services/portal/src/compose.ts';
import { useDatabase } from '../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';

const database = useDatabase();
let api: ApiHarness;
let portal: Portal;
let team: Caller;

beforeAll(async () => {
  api = await createApiHarness(database.current, { config: { trustedProxies: ['127.0.0.1/32'] as never[] } });
  team = await api.newCaller();
  await team.call('POST', '/v2/user', { client_user_id: 'ada-lovelace' });
  const { url } = await api.api.listen();
  const config = {
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'https://api.example',
    apiUrl: `${url}/`,
    linkTokenSecret: 'a secret of more than thirty-two characters',
    trustedProxies: ['127.0.0.1/32'],
  };
  portal = await compose(config, { logger: silentLogger, metrics: noMetrics });
});
afterAll(async () => {
  await portal.close();
  await api.close();
});

async function request(path: string, options: { cookie?: string; key?: string; address?: string } = {}) {
  const { cookie, key, address } = options;
  const headers = { ...(cookie !== undefined && { cookie }), ...(address !== undefined && { 'x-forwarded-for': address }) };
  const form = key === undefined ? {} : { method: 'POST', body: new URLSearchParams({ key }) };
  const response = await fetch(`http://127.0.0.1:${portal.port}/portal${path}`, { redirect: 'manual', headers, ...form });
  return { status: response.status, text: await response.text(), cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

it('the portal as a process of its own shows what the API at another address returns', async () => {
  const { status, cookie } = await request('/sign-in', { key: team.key });
  expect(status).toBe(303);
  const { text } = await request('/users', { cookie });
  expect(text).toContain('ada-lovelace');
  // Commands on pages are for people, who reach the API elsewhere.
  expect([text.includes('https://api.example'), text.includes('127.0.0.1')]).toEqual([true, false]);
});

it('the API sees the address of the person behind the portal and its proxy', async () => {
  const options = { team: team.team, label: 'office', allowedAddresses: ['203.0.113.9'] };
  const { key } = await createApiKey(database.current, api.clock, options);
  expect((await request('/sign-in', { key, address: '203.0.113.9' })).status).toBe(303);
  expect((await request('/sign-in', { key, address: '203.0.113.10' })).status).toBe(403);
});

it('the portal says so when the API is away, and shows no page as if it were empty', async () => {
  const { cookie } = await request('/sign-in', { key: team.key });
  await api.close();
  const { status, text } = await request('/users', { cookie });
  expect([status, text]).toEqual([502, expect.stringContaining('The API cannot be reached at the moment')]);
});
