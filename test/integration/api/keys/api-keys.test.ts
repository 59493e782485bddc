import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, type ApiKeyLimits } from '@pulsewire/connections';
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

const url = '/v2/team/api_key';
const create = (fields: object = {}) => caller.call('POST', url, { label: 'test', ...fields });
const as = (key: string) => (method: Parameters<Caller['call']>[0], path: string, body?: object) =>
  harness.bare(method, path, body, { 'x-service-api-key': key });

async function keyWith(limits: ApiKeyLimits): Promise<ReturnType<typeof as>> {
  const { key } = await createApiKey(database.current, harness.clock, { team: caller.team, label: 'limited', ...limits });
  return as(key);
}

// One call per scope; without the scope its response is always 403.
const calls = {
  read: ['GET', '/v2/user'],
  write: ['POST', '/v2/user'],
  webhooks: ['GET', '/v2/team/webhook'],
  secrets: ['GET', `/v2/team/webhook/${randomUUID()}/secret`],
  bulk: ['GET', '/v2/link/bulk_op'],
  manage: ['GET', url],
} as const;

describe('an API key', () => {
  it('can be created, listed without its text, changed, rotated and revoked', async () => {
    const made = (
      await create({ scopes: ['read'], expires_at: '2030-01-01T00:00:00Z', allowed_addresses: ['127.0.0.1', '203.0.113.7/24'] })
    ).body;
    expect(made).toMatchObject({ scopes: ['read'], allowed_addresses: ['127.0.0.1/32', '203.0.113.0/24'], last_used_at: null });
    const listed = (await caller.call('GET', url)).body.data.find(({ id }: { id: string }) => id === made.id);
    expect(listed).toEqual(Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'key')));
    expect((await caller.call('PATCH', `${url}/${made.id}`, { label: 'renamed', scopes: null })).body).toMatchObject({
      label: 'renamed',
      scopes: null,
      allowed_addresses: ['127.0.0.1/32', '203.0.113.0/24'],
    });
    const rotated = (await caller.call('POST', `${url}/${made.id}/rotate`, {})).body;
    expect(rotated).toMatchObject({ label: 'renamed', allowed_addresses: ['127.0.0.1/32', '203.0.113.0/24'] });
    expect((await as(made.key)('GET', '/v2/user')).status).toBe(401);
    expect((await as(rotated.key)('GET', '/v2/user')).status).toBe(200);
    expect((await caller.call('DELETE', `${url}/${rotated.id}`)).status).toBe(204);
    expect((await as(rotated.key)('GET', '/v2/user')).status).toBe(401);
    expect((await caller.call('POST', `${url}/${rotated.id}/rotate`, {})).status).toBe(404);
  });

  it.each(Object.keys(calls) as (keyof typeof calls)[])('with only the scope %s can do nothing else', async (scope) => {
    const limited = await keyWith({ scopes: [scope] });
    for (const [needed, [method, path]] of Object.entries(calls)) {
      const { status, body } = await limited(method, path);
      if (needed === scope) expect([needed, status]).not.toEqual([needed, 403]);
      else expect([needed, status, body.detail]).toEqual([needed, 403, `The API key lacks the scope ${needed}`]);
    }
  });

  it('cannot create, change or rotate a key with more scopes than its own', async () => {
    const manager = await keyWith({ scopes: ['manage', 'read'] });
    expect((await manager('POST', url, { label: 'more', scopes: ['secrets'] })).status).toBe(403);
    expect((await manager('POST', url, { label: 'all' })).status).toBe(403);
    const strong = (await create()).body;
    expect((await manager('PATCH', `${url}/${strong.id}`, { scopes: ['read'] })).status).toBe(403);
    expect((await manager('POST', `${url}/${strong.id}/rotate`, {})).status).toBe(403);
    expect((await manager('POST', url, { label: 'less', scopes: ['read'] })).status).toBe(200);
  });

  it('cannot revoke a key with more scopes than its own, except itself', async () => {
    const manager = await keyWith({ scopes: ['manage', 'read'] });
    const strong = (await create()).body;
    expect((await manager('DELETE', `${url}/${strong.id}`)).status).toBe(403);
    const own = (await caller.call('POST', url, { label: 'own', scopes: ['manage'] })).body;
    const weak = (await create({ scopes: ['read'] })).body;
    expect((await manager('DELETE', `${url}/${weak.id}`)).status).toBe(204);
    expect((await as(own.key)('DELETE', `${url}/${own.id}`)).status).toBe(204);
  });

  it('a key with an expiry and addresses grants and gets no later end and no other addresses', async () => {
    const bounds = { scopes: ['manage', 'read'], allowed_addresses: ['127.0.0.0/8'], expires_at: '2099-01-01T00:00:00Z' };
    const own = (await create(bounds)).body;
    const limited = as(own.key);
    for (const changes of [
      { allowed_addresses: null, expires_at: null },
      { allowed_addresses: null },
      { allowed_addresses: ['127.0.0.1', '203.0.113.1'] },
      { allowed_addresses: ['::/0'] },
      { expires_at: null },
      { expires_at: '2099-01-01T00:00:01Z' },
    ])
      expect((await limited('PATCH', `${url}/${own.id}`, changes)).status, JSON.stringify(changes)).toBe(403);
    const wider = { label: 'x', scopes: ['read'], allowed_addresses: ['0.0.0.0/0'] };
    expect((await limited('POST', url, wider)).body.detail).toBe(
      'This API key cannot grant or change addresses outside of its own: 127.0.0.0/8',
    );
    const made = (await limited('POST', url, { label: 'x', scopes: ['manage', 'read'] })).body;
    expect(made).toMatchObject({ allowed_addresses: ['127.0.0.0/8'], expires_at: '2099-01-01T00:00:00+00:00' });
    const unbound = (await create({ scopes: ['read'] })).body;
    expect((await limited('POST', `${url}/${unbound.id}/rotate`, {})).status).toBe(403);
    expect((await limited('PATCH', `${url}/${unbound.id}`, { label: 'renamed' })).status).toBe(403);
    expect((await limited('DELETE', `${url}/${unbound.id}`)).status).toBe(403);
    const later = (await create({ ...bounds, expires_at: '2099-01-01T00:00:01Z' })).body;
    expect((await limited('DELETE', `${url}/${later.id}`)).status).toBe(403);
    expect((await limited('DELETE', `${url}/${made.id}`)).status).toBe(204);
    const narrower = { allowed_addresses: ['127.0.0.1'], expires_at: '2098-01-01T00:00:00Z' };
    expect((await limited('PATCH', `${url}/${own.id}`, narrower)).status).toBe(200);
  });

  it.each(['0026-01-28T20:29:48Z', '0001-01-01T00:00:00Z'])('is refused with the past end %s, and listed if it has one', async (end) => {
    expect((await create({ expires_at: end })).status).toBe(422);
    const made = (await create()).body;
    expect((await caller.call('PATCH', `${url}/${made.id}`, { expires_at: end })).status).toBe(422);
    await database.current.sql`UPDATE api_keys SET expires_at = ${end} WHERE key_id = ${made.id}`;
    const { status, body } = await caller.call('GET', url);
    const listed = body.data.find(({ id }: { id: string }) => id === made.id);
    expect([status, listed.expires_at]).toEqual([200, end.replace('Z', '+00:00')]);
  });

  it('is rejected once it has expired', async () => {
    const limited = await keyWith({ expiresAt: new Date(harness.clock.now().getTime() + 1000) });
    expect((await limited('GET', '/v2/user')).status).toBe(200);
    harness.clock.advance(2000);
    expect((await limited('GET', '/v2/user')).status).toBe(401);
  });

  it('is not revived by a change once it has expired', async () => {
    const made = (await create({ expires_at: new Date(harness.clock.now().getTime() + 1000).toISOString() })).body;
    harness.clock.advance(2000);
    for (const changes of [{ expires_at: null }, { label: 'again' }])
      expect((await caller.call('PATCH', `${url}/${made.id}`, changes)).status).toBe(404);
    expect((await as(made.key)('GET', '/v2/user')).status).toBe(401);
  });

  it('works only from the addresses to which it is bound', async () => {
    expect((await (await keyWith({ allowedAddresses: ['203.0.113.0/24'] }))('GET', '/v2/user')).status).toBe(403);
    expect((await (await keyWith({ allowedAddresses: ['127.0.0.0/8'] }))('GET', '/v2/user')).status).toBe(200);
  });

  it('is rotated with an overlap, during which both keys work', async () => {
    const made = (await create()).body;
    const rotated = (await caller.call('POST', `${url}/${made.id}/rotate`, { overlap: 60 })).body;
    for (const key of [made.key, rotated.key]) expect((await as(key)('GET', '/v2/user')).status).toBe(200);
    harness.clock.advance(61_000);
    expect((await as(made.key)('GET', '/v2/user')).status).toBe(401);
    expect((await as(rotated.key)('GET', '/v2/user')).status).toBe(200);
  });

  it('of another team is a 404', async () => {
    const other = await harness.newCaller();
    const { id } = (await create()).body;
    for (const [method, path] of [
      ['PATCH', `${url}/${id}`],
      ['POST', `${url}/${id}/rotate`],
      ['DELETE', `${url}/${id}`],
    ] as const)
      expect((await other.call(method, path, {})).status).toBe(404);
  });

  it('is rejected with every invalid field of the request, including unknown ones', async () => {
    const reply = await create({ scopes: ['read', 'everything'], expires_at: 'soon', allowed_addresses: ['10.0.0.0/99'], scope: 'read' });
    expect(reply.status).toBe(422);
    expect(reply.body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1))).toEqual([
      ['scopes', 1],
      ['expires_at'],
      ['allowed_addresses', 0],
      ['scope'],
    ]);
  });
});

describe('a misspelt field', () => {
  it.each([
    ['POST', '/v2/team/webhook', { url: 'https://receiver.test/hook', filter_type: ['daily.data.sleep.created'] }, ['body', 'filter_type']],
    ['GET', '/v2/team/message?event_typ=x', undefined, ['query', 'event_typ']],
  ] as const)('is refused by %s %s instead of being ignored', async (method, path, body, loc) => {
    const reply = await caller.call(method, path, body);
    expect(reply.status).toBe(422);
    expect(reply.body.detail).toEqual([expect.objectContaining({ type: 'extra_forbidden', loc, input: null })]);
  });
});
