import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/setup.ts';
import { createBulkStage, type BulkStage } from './setup.ts';

const database = useDatabase();
let stage: BulkStage;
let caller: Caller;

beforeAll(async () => {
  stage = await createBulkStage(database.current);
  caller = await stage.enabledCaller();
});
afterAll(() => stage.close());

const send = (body: string) => caller.call('POST', '/v2/link/bulk_import', body);

describe('a body that is nested deeply', () => {
  const levels = 100_000;
  const brackets = '['.repeat(levels) + ']'.repeat(levels);

  it.each([
    ['in a recipe', `{"provider":"fitbit","connections":[${brackets}]}`],
    ['beside the recipes', `{"ignored":${brackets},"provider":"fitbit","connections":[]}`],
    ['as a whole', brackets],
    ['in objects', `{"provider":"fitbit","connections":[${'{"a":'.repeat(levels)}`],
  ])('is refused where the nesting becomes too deep, without reading on: %s', async (_where, text) => {
    const reply = await send(text);
    expect([reply.status, reply.body.detail]).toEqual([
      422,
      [expect.objectContaining({ type: 'json_invalid', msg: 'Must not be nested deeper than 32 levels' })],
    ]);
    expect(reply.body.detail[0].loc[1]).toBeLessThan(250);
  });
});
