import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/support/harness.ts';
import { createBulkHarness, type BulkHarness } from './harness.ts';

const database = useDatabase();
let harness: BulkHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createBulkHarness(database.current);
  caller = await harness.enabledCaller();
});
afterAll(() => harness.close());

const send = (body: string) => caller.call('POST', '/v2/link/bulk_import', body);

describe('a body that is not UTF-8', () => {
  it.each([
    ['in a recipe', Buffer.from([0xff]), '"}]}'],
    ['at its end', Buffer.from([0xc3]), ''],
  ])('rejects a body that is not UTF-8: %s', async (_where, broken, end) => {
    const payload = Buffer.concat([Buffer.from('{"provider":"fitbit","connections":[{"provider_id":"a'), broken, Buffer.from(end)]);
    const headers = { 'content-type': 'application/json', 'x-service-api-key': caller.key };
    const reply = await harness.api.api.app.inject({ method: 'POST', url: '/v2/link/bulk_import', headers, payload });
    expect([reply.statusCode, reply.json().detail[0].msg]).toEqual([422, 'Must be UTF-8']);
  });
});

describe('a deeply nested body', () => {
  const levels = 100_000;
  const brackets = '['.repeat(levels) + ']'.repeat(levels);

  it.each([
    ['in a recipe', `{"provider":"fitbit","connections":[${brackets}]}`],
    ['outside the recipes', `{"ignored":${brackets},"provider":"fitbit","connections":[]}`],
    ['in objects', `{"provider":"fitbit","connections":[${'{"a":'.repeat(levels)}`],
  ])('is rejected at the first level that is too deep, without reading further: %s', async (_where, text) => {
    const reply = await send(text);
    expect([reply.status, reply.body.detail]).toEqual([
      422,
      [expect.objectContaining({ type: 'json_invalid', msg: 'Must not be nested deeper than 32 levels' })],
    ]);
    expect(reply.body.detail[0].loc[1]).toBeLessThan(250);
  });

  it('is rejected as not an object when the body itself is a list', async () => {
    const reply = await send(brackets);
    expect([reply.status, reply.body.detail]).toEqual([422, [{ type: 'model_attributes_type', loc: ['body'], msg: 'Must be an object' }]]);
  });
});
