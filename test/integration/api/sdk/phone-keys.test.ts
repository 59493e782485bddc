import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createAuditRecorder, listAuditEntries, type AuditRecorder } from '@pulsewire/audit';
import { createApiKey } from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let recorder: AuditRecorder;
let harness: ApiHarness;
let caller: Caller;
let addresses = 0;

beforeAll(async () => {
  recorder = createAuditRecorder({ database: database.current, logger: silentLogger, metrics: noMetrics, waitMs: 1 });
  // Behind a proxy, so that each test can use its own address.
  const config = { trustedProxies: ['127.0.0.0/8'] as never[], rateLimit: 5 };
  harness = await createApiHarness(database.current, { config, overrides: { audit: recorder } });
  caller = await harness.newCaller();
});
afterAll(async () => {
  await harness.close();
  await recorder.close();
});

const newAddress = () => `203.0.113.${(addresses += 1)}`;
const newUser = async (owner = caller) => (await owner.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;
const newKey = async (options: object, owner = caller) =>
  (await createApiKey(database.current, harness.clock, { team: owner.team, label: 'app', ...options })).key;

const sync = (userId: string, key: string, from = newAddress()) => {
  const headers = { 'x-open-wearables-api-key': key, 'x-forwarded-for': from };
  return harness.bare('POST', `/api/v1/sdk/users/${userId}/sync`, { provider: 'google', data: {} }, headers);
};
const signIn = (userId: string, secret: string, from = newAddress(), appId = caller.team.teamId) =>
  harness.bare('POST', `/api/v1/users/${userId}/token`, { app_id: appId, app_secret: secret }, { 'x-forwarded-for': from });

async function entriesOf(action: string, teamId = caller.team.teamId) {
  const entries = await listAuditEntries(database.current, { teamId, limit: 1000 });
  return entries.filter((entry) => entry.action === action);
}

it.each([
  ['uploads', sync, 503],
  ['sign-ins', signIn, 429],
])('rejects %s after 60 unknown keys from one address in a minute', async (_, send, refusal) => {
  const [userId, from] = [await newUser(await harness.newCaller()), newAddress()];
  const statuses: number[] = [];
  for (let i = 0; i < 65; i += 1) statuses.push((await send(userId, `pk_${i}`, from)).status);
  expect([statuses.indexOf(refusal), new Set(statuses)]).toEqual([60, new Set([401, refusal])]);
  const elsewhere = await harness.bare('GET', '/v2/user', undefined, { 'x-service-api-key': 'pk_x', 'x-forwarded-for': from });
  expect(elsewhere.status).toBe(429);
});

it('limits the rate of a key, with 503 for uploads because phones discard data after a 4xx', async () => {
  const userId = await newUser();
  const flood = async (send: typeof sync) => {
    const key = await newKey({ rateLimit: 1 });
    const replies = [];
    for (let i = 0; i < 8; i += 1) replies.push(await send(userId, key));
    return replies;
  };
  const uploads = await flood(sync);
  expect(new Set(uploads.map(({ status }) => status))).toEqual(new Set([202, 503]));
  expect(Number(uploads.find(({ status }) => status === 503)?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(new Set((await flood(signIn)).map(({ status }) => status))).toEqual(new Set([200, 429]));
});

it('accepts a key only from its addresses and with the scope write', async () => {
  const [userId, home] = [await newUser(), newAddress()];
  const bound = await newKey({ allowedAddresses: [`${home}/32`] });
  const reader = await newKey({ scopes: ['read'] });
  expect([(await sync(userId, bound, home)).status, (await sync(userId, bound)).status]).toEqual([202, 403]);
  expect([(await signIn(userId, bound, home)).status, (await signIn(userId, bound)).status]).toEqual([200, 403]);
  expect([(await sync(userId, reader)).status, (await signIn(userId, reader)).status]).toEqual([403, 403]);
});

it('records sign-ins of phones in the audit log before it returns tokens, rejected ones too', async () => {
  const owner = await harness.newCaller();
  const { teamId } = owner.team;
  const [userId, home] = [await newUser(owner), newAddress()];
  expect((await signIn(userId, owner.key, home, teamId)).status).toBe(200);
  expect(await entriesOf('createPhoneToken', teamId)).toMatchObject([
    { effect: 'secret', actorKind: 'key', userId, target: { app_id: teamId }, address: home, status: 200 },
  ]);
  expect((await signIn(userId, owner.key, home, caller.team.teamId)).status).toBe(401);
  await expect.poll(async () => (await entriesOf('createPhoneToken', teamId)).map(({ status }) => status)).toContain(401);
});

it('records uploads with a key in the audit log', async () => {
  const owner = await harness.newCaller();
  const userId = await newUser(owner);
  expect((await sync(userId, owner.key)).status).toBe(202);
  expect(await entriesOf('syncPhone', owner.team.teamId)).toMatchObject([{ effect: 'change', userId, status: 202 }]);
});
