import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const create = async (fields: object = {}) =>
  (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook', ...fields })).body;
const types = (reply: { body: { detail: { loc: (string | number)[]; type: string }[] } }) =>
  reply.body.detail.map(({ loc, type }) => [loc.slice(1).join('.'), type]);

describe('webhook endpoints', () => {
  it('are created, read, changed, listed and deleted', async () => {
    const made = await create({ filter_types: ['daily.data.sleep.created'], rate_limit: 5 });
    expect(made).toMatchObject({ url: 'https://receiver.test/hook', disabled: false, description: '', rate_limit: 5 });
    const path = `/v2/team/webhook/${made.id}`;
    expect((await caller.call('GET', path)).body).toEqual(made);
    expect((await caller.call('PATCH', path, { disabled: true, filter_types: null })).body).toMatchObject({
      disabled: true,
      filter_types: null,
      rate_limit: 5,
    });
    expect((await caller.call('GET', '/v2/team/webhook')).body.data.map(({ id }: { id: string }) => id)).toContain(made.id);
    expect((await caller.call('DELETE', path)).status).toBe(204);
    expect((await caller.call('GET', path)).status).toBe(404);
    expect((await caller.call('DELETE', path)).status).toBe(404);
  });

  it('are listed in pages', async () => {
    const own = await harness.newCaller();
    for (let i = 0; i < 3; i++) {
      harness.clock.advance(5);
      await own.call('POST', '/v2/team/webhook', { url: `https://receiver.test/${i}` });
    }
    const first = (await own.call('GET', '/v2/team/webhook?limit=2')).body;
    const second = (await own.call('GET', `/v2/team/webhook?limit=2&next_cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data].map(({ url }: { url: string }) => url.at(-1))).toEqual(['0', '1', '2']);
    expect(second.next_cursor).toBeNull();
    expect(types(await own.call('GET', '/v2/team/webhook?next_cursor=junk'))).toEqual([['next_cursor', 'value_error']]);
  });

  it('report every invalid field', async () => {
    const body = {
      url: 'nope',
      rate_limit: 0,
      filter_types: ['daily.data.sleep.created', 'no.such.type'],
      secret: 'short',
      disabled: 'yes',
    };
    expect(types(await caller.call('POST', '/v2/team/webhook', body))).toEqual([
      ['rate_limit', 'greater_than_equal'],
      ['url', 'value_error'],
      ['disabled', 'bool_parsing'],
      ['filter_types.1', 'enum'],
      ['secret', 'string_pattern_mismatch'],
    ]);
    expect(types(await caller.call('POST', '/v2/team/webhook', { url: 'http://10.0.0.8/hook' }))).toEqual([['url', 'value_error']]);
    expect(types(await caller.call('POST', '/v2/team/webhook', { url: 'ftp://receiver.test' }))).toEqual([['url', 'value_error']]);
  });

  it('keep their secret until it is rotated', async () => {
    const path = `/v2/team/webhook/${(await create()).id}/secret`;
    const first = (await caller.call('GET', path)).body.key;
    expect(first).toMatch(/^whsec_/);
    expect((await caller.call('POST', `${path}/rotate`)).status).toBe(204);
    const second = (await caller.call('GET', path)).body.key;
    expect(second).not.toBe(first);
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    await caller.call('POST', `${path}/rotate`, { key: given });
    const reply = await caller.call('GET', path);
    expect([reply.body.key, reply.headers['cache-control']]).toEqual([given, 'no-store']);
    expect(types(await caller.call('POST', `${path}/rotate`, { key: 'whsec_YQ==' }))).toEqual([['key', 'value_error']]);
  });

  it('have custom headers, hide sensitive values, and reject reserved names', async () => {
    const path = `/v2/team/webhook/${(await create()).id}/headers`;
    expect((await caller.call('PUT', path, { headers: { 'x-one': '1', authorization: 'Bearer s' } })).status).toBe(204);
    expect((await caller.call('GET', path)).body).toEqual({ headers: { 'x-one': '1' }, sensitive: ['authorization'] });
    expect(types(await caller.call('PUT', path, { headers: { 'webhook-id': 'x' } }))).toEqual([['headers', 'value_error']]);
    expect(types(await caller.call('PUT', path, { headers: { 'x-one': 1 } }))).toEqual([['headers.x-one', 'string_type']]);
  });

  it('list their attempts and accept a recovery', async () => {
    const path = `/v2/team/webhook/${(await create()).id}`;
    expect((await caller.call('GET', `${path}/attempt?status=failed`)).body).toEqual({ data: [], next_cursor: null });
    expect(types(await caller.call('GET', `${path}/attempt?status=lost`))).toEqual([['status', 'enum']]);
    const recovered = await caller.call('POST', `${path}/recover`, { since: '2026-01-01T00:00:00+01:00' });
    expect([recovered.status, recovered.body.messages]).toEqual([202, 0]);
    expect(types(await caller.call('POST', `${path}/recover`, {}))).toEqual([['since', 'missing']]);
    expect((await caller.call('POST', `/v2/team/webhook/${randomUUID()}/recover`, { since: '2026-01-01T00:00:00Z' })).status).toBe(404);
  });
});
