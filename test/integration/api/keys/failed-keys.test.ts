import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { createApiKey, createTeam, forgetLinkSessions } from '@pulsewire/connections';
import { addressesMax, createFailedKeys, failuresMax, reportedTogether } from '../../../../services/api/src/limits/failed-keys.ts';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness } from '../support/harness.ts';

const database = useDatabase();
let stages: readonly [ApiHarness, ApiHarness];
let address = '';
let count = 0;

beforeAll(async () => {
  // Behind a proxy, so that each test can use its own address.
  const open = () => createApiHarness(database.current, { config: { trustedProxies: ['127.0.0.0/8'] as never[] } });
  stages = [await open(), await open()];
});
afterAll(() => Promise.all(stages.map((harness) => harness.close())));

const newAddress = () => `198.51.100.${(count += 1)}`;
const ask = (harness: ApiHarness, key: string, from = address) =>
  harness.bare('GET', '/v2/user?limit=1', undefined, { 'x-service-api-key': key, 'x-forwarded-for': from });

async function guess(harness: ApiHarness, tries: number): Promise<readonly number[]> {
  const statuses = [];
  for (let i = 0; i < tries; i += 1) statuses.push((await ask(harness, `pk_${i}`)).status);
  return statuses;
}
const refusedAmong = (statuses: readonly number[]) => statuses.filter((status) => status === 429).length;

/** Advances the database and the processes by a minute. */
async function passMinute(): Promise<void> {
  await database.current.sql`UPDATE failed_keys SET since = since - interval '1 minute'`;
  for (const harness of stages) harness.clock.advance(60_000);
}

describe('unknown keys', () => {
  it('get 429 after 60 from one address in a minute; valid keys never do', async () => {
    address = newAddress();
    const [harness] = stages;
    const statuses = await guess(harness, 70);
    expect([statuses.indexOf(429), new Set(statuses)]).toEqual([60, new Set([401, 429])]);
    const refused = await ask(harness, 'pk_wrong');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1);
    expect((await ask(harness, (await harness.newCaller()).key)).status).toBe(200);
    await passMinute();
    expect((await ask(harness, 'pk_wrong')).status).toBe(401);
  });

  it('are counted across two processes, with at most four more in each', async () => {
    address = newAddress();
    const [one, other] = stages;
    expect(refusedAmong(await guess(one, 40))).toBe(0);
    const statuses = await guess(other, 40);
    expect(refusedAmong(statuses)).toBeGreaterThanOrEqual(40 - (failuresMax - 40) - (reportedTogether - 1));
    expect(refusedAmong(await guess(one, reportedTogether + 1))).toBeGreaterThanOrEqual(1);
    address = newAddress();
    expect(refusedAmong(await guess(other, 1))).toBe(0);
  });

  it('are counted across processes even when sent concurrently', async () => {
    address = newAddress();
    const replies = await Promise.all(Array.from({ length: 300 }, (_, i) => ask(stages[i % 2] as ApiHarness, `pk_${i}`)));
    expect(replies.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(failuresMax + 2 * (reportedTogether - 1));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  it('are written in batches, and no longer once their address is rejected', async () => {
    address = newAddress();
    const [harness] = stages;
    const version = async () =>
      (
        await database.current.sql<{ version: string; failures: number }[]>`
        SELECT xmin::text AS version, failures FROM failed_keys WHERE address = ${address}`
      )[0];
    await guess(harness, reportedTogether - 1);
    expect(await version()).toBeUndefined();
    await guess(harness, 1);
    expect((await version())?.failures).toBe(reportedTogether);
    await guess(harness, failuresMax);
    const refused = await version();
    expect(refused?.failures).toBeGreaterThanOrEqual(failuresMax);
    await guess(harness, 20);
    expect(await version()).toEqual(refused);
  });

  it('from an unparsable address are counted too', async () => {
    address = 'unknown';
    expect(refusedAmong(await guess(stages[0], 70))).toBe(10);
  });

  it('are counted by each process separately while the database does not respond', async () => {
    const real = database.current.sql as unknown as (strings: readonly string[], ...values: unknown[]) => unknown;
    const broken = (strings: readonly string[], ...values: unknown[]) =>
      strings[0]?.includes('INSERT') ? Promise.reject(new Error('down')) : real(strings, ...values);
    const sql = Object.assign(broken, database.current.sql);
    const failed = createFailedKeys({ database: { ...database.current, sql: sql as never }, clock: stages[0].clock, logger: silentLogger });
    const kinds = [];
    for (let i = 0; i <= failuresMax; i += 1) kinds.push((await failed.refusal('203.0.113.7'))?.kind);
    expect([kinds.indexOf('rate_limited'), kinds.length]).toEqual([failuresMax, failuresMax + 1]);
  });

  it('are kept in memory for a bounded number of addresses, and read back from the database', async () => {
    const failed = createFailedKeys({ database: database.current, clock: stages[0].clock, logger: silentLogger });
    const fail = async (from: string) => (await failed.refusal(from))?.kind;
    for (let i = 0; i < failuresMax; i += 1) await fail('203.0.113.7');
    expect(await fail('203.0.113.7')).toBe('rate_limited');
    for (let i = 0; i < addressesMax; i += 1) await fail(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    const kinds = [];
    for (let i = 0; i < reportedTogether; i += 1) kinds.push(await fail('203.0.113.7'));
    expect(kinds).toEqual([...Array.from({ length: reportedTogether - 1 }, () => undefined), 'rate_limited']);
  });

  it('leave no rows once they no longer count', async () => {
    await passMinute();
    await forgetLinkSessions(database.current, stages[0].clock, 1000);
    expect(await database.current.sql`SELECT 1 FROM failed_keys`).toHaveLength(0);
  });
});

it('compares an IPv4 address that a proxy writes as IPv6 with the IPv4 networks of a key', async () => {
  const [harness] = stages;
  const team = await createTeam(database.current, harness.clock, { name: 'Mapped', isSandbox: true });
  const { key } = await createApiKey(database.current, harness.clock, { team, label: 'bound', allowedAddresses: ['203.0.113.0/24'] });
  const statuses = [];
  for (const from of ['::ffff:203.0.113.9', '::FFFF:cb00:7109', '::ffff:203.0.114.9'])
    statuses.push((await ask(harness, key, from)).status);
  expect(statuses).toEqual([200, 200, 403]);
});
