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

const create = async (fields: object): Promise<string> =>
  (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook', ...fields })).body.id;
const keysOf = (id: string) => harness.bare('GET', `/.well-known/webhook-keys/${id}`);

describe('public keys of webhook endpoints', () => {
  it('are public, as a JWK set that may be cached for five minutes', async () => {
    const id = await create({ signature: 'both' });
    const reply = await keysOf(id);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/jwk-set+json; charset=utf-8',
      'cache-control': 'public, max-age=300',
    });
    const { keys } = JSON.parse(reply.text) as { keys: { x: string }[] };
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: expect.any(String), x: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    const secret = (await caller.call('GET', `/v2/team/webhook/${id}/secret`)).body;
    expect(secret).toEqual({ key: expect.stringMatching(/^whsec_/), public_key: expect.stringMatching(/^whpk_/) });
    expect(Buffer.from(secret.public_key.slice(5), 'base64').toString('base64url')).toBe(keys[0]?.x);
  });

  it('return the same 404 for an endpoint without keys and an unknown one', async () => {
    const none = await keysOf(await create({}));
    const unknown = await keysOf(randomUUID());
    expect([none.status, unknown.status]).toEqual([404, 404]);
    expect(none.text).toBe(unknown.text);
    expect((await keysOf('no-uuid')).status).toBe(422);
  });

  it('include replaced keys for the overlap of a rotation, whose invalid fields are all reported', async () => {
    const id = await create({ signature: 'v1a' });
    const rotate = (body: object) => caller.call('POST', `/v2/team/webhook/${id}/secret/rotate`, body);
    expect((await rotate({ overlap: 3600 })).status).toBe(204);
    const keys = () => keysOf(id).then(({ text }) => (JSON.parse(text) as { keys: object[] }).keys);
    expect(await keys()).toHaveLength(2);
    harness.clock.advance(3_601_000);
    expect(await keys()).toHaveLength(1);
    const refused = await rotate({ key: 'whsk_c2hvcnQ=', overlap: 604_801 });
    expect(refused.status).toBe(422);
    expect((await rotate({ key: 'whsk_c2hvcnQ=' })).body.detail[0].loc).toEqual(['body', 'key']);
    const both = await rotate({ key: 'secret', overlap: -1 });
    expect(both.body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1)).toSorted()).toEqual(['key', 'overlap']);
  });
});
