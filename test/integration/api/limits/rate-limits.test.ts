import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, getApiKey, takeTokens, updateApiKey } from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { distinctOperations, send, type Ids } from '../support/every-operation.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const perSecond = 20;
/** Tokens for a fifth of a second: what a process may hold beyond the bucket. */
const batch = 4;
const burst = 2 * perSecond;
let stages: readonly ApiHarness[];
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  const open = () => createApiHarness(database.current, { config: { rateLimit: perSecond } });
  stages = [await open(), await open()];
  harness = stages[0] as ApiHarness;
  caller = await harness.newCaller();
});
afterAll(async () => {
  for (const one of stages) await one.close();
});

const list = (key: string, from = harness) => from.bare('GET', '/v2/user?limit=1', undefined, { 'x-service-api-key': key });
/** Backdates the last refill of every bucket, as if this time had passed. */
const passS = (seconds: number) =>
  database.current.sql`UPDATE api_key_buckets SET refilled_at = refilled_at - make_interval(secs => ${seconds}::float8)`;

async function newKey(rateLimit: number | null = null): Promise<{ key: string; keyId: string }> {
  const { key, apiKey } = await createApiKey(database.current, harness.clock, { team: caller.team, label: 'limited', rateLimit });
  return { key, keyId: apiKey.keyId };
}

describe('the rate limit of a key', () => {
  it('allows a burst, then responds with 429, Retry-After and the rate limit headers', async () => {
    const { key } = await newKey();
    const replies = [];
    for (let i = 0; i < burst + 3 * perSecond; i += 1) replies.push(await list(key));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(replies.slice(0, burst).map(({ status }) => status)).toEqual(Array.from({ length: burst }, () => 200));
    for (const { headers } of replies) {
      expect(headers['ratelimit-policy']).toBe(`"key";q=${burst};w=2`);
      expect(headers['ratelimit']).toMatch(/^"key";r=\d+;t=\d+$/);
    }
    expect(refused[0]?.headers['ratelimit']).toBe('"key";r=0;t=2');
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.body).toEqual({ detail: expect.any(String) });
  });

  it('counts every kind of read', async () => {
    const { key } = await newKey(1);
    const reader: Caller = {
      ...caller,
      call: (method, url, body, headers) => harness.bare(method, url, body, { ...headers, 'x-service-api-key': key }),
    };
    const reads = distinctOperations.filter(({ method, security }) => method === 'GET' && security.some((one) => 'apiKey' in one));
    expect(reads.length).toBeGreaterThan(50);
    const ids = new Proxy({} as Ids, { get: () => '00000000-0000-4000-8000-000000000000' });
    for (const operation of reads) {
      // The bucket holds two tokens: a third read within a second is refused before validation.
      const statuses = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await send(reader, operation, ids)).status);
      expect(statuses, operation.operationId).toContain(429);
    }
  });

  it('is shared by two processes, with at most one batch each beyond the bucket', async () => {
    const { key } = await newKey(2 * perSecond);
    await Promise.all(stages.map((one) => list(key, one)));
    await passS(60);
    const startedAtMs = performance.now();
    const replies = await Promise.all(Array.from({ length: 300 }, (_, i) => list(key, stages[i % 2])));
    const refilled = Math.ceil(((performance.now() - startedAtMs) / 1000) * 2 * perSecond);
    const passed = replies.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(2 * burst);
    expect(passed).toBeLessThanOrEqual(2 * burst + 2 * 2 * batch + refilled);
  });

  it('does not affect another key of the team', async () => {
    const { key } = await newKey(1);
    await Promise.all(Array.from({ length: 20 }, () => list(key)));
    expect([(await list(key)).status, (await caller.call('GET', '/v2/user?limit=1')).status]).toEqual([429, 200]);
  });

  it('takes tokens in batches, not with one statement per request', async () => {
    const { key, keyId } = await newKey(perSecond);
    await list(key);
    const version = async () =>
      (await database.current.sql<{ xmin: string }[]>`SELECT xmin::text FROM api_key_buckets WHERE key_id = ${keyId}`)[0]?.xmin;
    const before = await version();
    await list(key);
    expect(await version()).toBe(before);
  });

  it('never grants more tokens than the bucket holds, even concurrently', async () => {
    const { keyId } = await newKey();
    const taken = await Promise.all(
      Array.from({ length: 50 }, () => takeTokens(database.current, keyId, { perSecond: 0.001, burst: 60 }, 7)),
    );
    expect(taken.reduce((sum, { granted }) => sum + granted, 0)).toBe(60);
  });

  it('can be lowered through the API, but never raised', async () => {
    const { key } = await newKey(10);
    const as = (method: 'POST' | 'PATCH', path: string, body: object) =>
      harness.bare(method, `/v2/team/api_key${path}`, { ...body }, { 'x-service-api-key': key });
    const made = await as('POST', '', { label: 'x' });
    expect([made.status, made.body.rate_limit]).toEqual([200, 10]);
    const path = `/${made.body.id}`;
    expect((await as('PATCH', path, { rate_limit: 5 })).body.rate_limit).toBe(5);
    expect((await as('PATCH', path, { rate_limit: null })).body.rate_limit).toBe(5);
    for (const wanted of [6, 100_000]) {
      const refused = await as('PATCH', path, { rate_limit: wanted });
      expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'rate_limit']]);
    }
    expect((await as('POST', '', { label: 'x', rate_limit: 11 })).status).toBe(422);
    await updateApiKey(database.current, harness.clock, caller.team.teamId, made.body.id, { rateLimit: 500 });
    expect((await getApiKey(database.current, caller.team.teamId, made.body.id)).rateLimit).toBe(500);
  });
});
