import { createHmac, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTeam, putOAuthCredential } from '@pulsewire/connections';
import { createCipher, type Cipher } from '@pulsewire/database';
import { findConnector, type Connector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness } from '../support/harness.ts';

const database = useDatabase();
const applications = 50;
let harness: ApiHarness;
let port: number;
let opened = 0;

const sealing = createCipher(new Map([[1, randomBytes(32)]]));
const cipher: Cipher = {
  ...sealing,
  open(sealed, context) {
    opened += 1;
    return sealing.open(sealed, context);
  },
};

beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    connectors: ['oura', 'polar', 'whoop_v2'].map((slug) => findConnector(slug) as Connector),
    overrides: { cipher, ingest: undefined, onRouteResponse: undefined },
  });
  await harness.api.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = harness.api.app.server.address() as AddressInfo);
  for (let number = 0; number < applications; number++) {
    const { teamId } = await createTeam(database.current, harness.clock, { name: 'Team', isSandbox: false });
    const application = { clientId: `id-${number}`, clientSecret: `secret-${number}`, redirectUrlOverride: null };
    await putOAuthCredential(database.current, { cipher, clock: harness.clock }, { teamId, provider: 'fitbit', ...application });
  }
});
afterAll(() => harness.close());

/** Resolves to the response status. With `announced`, the request declares that many bytes and sends one. */
function push(slug: string, headers: Record<string, string>, body: Buffer | { readonly announced: number }): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const length = String('announced' in body ? body.announced : body.length);
  const call = request({ port, path: `/v2/push/${slug}`, method: 'POST', headers: { ...headers, 'content-length': length } });
  call.on('response', (response) => {
    response.resume();
    resolve(response.statusCode);
    if ('announced' in body) call.destroy();
  });
  call.on('error', reject);
  if ('announced' in body) call.write('[');
  else call.end(body);
  return promise;
}

const sha1 = (body: Buffer, secret: string) => createHmac('sha1', `${secret}&`).update(body).digest('base64');
const inbox = async () =>
  (await database.current.sql<{ owners: string[] }[]>`SELECT owners FROM push_inbox ORDER BY received_at, push_id`).map(
    ({ owners }) => owners,
  );

describe('an invalid push', () => {
  test.each(['fitbit', 'oura', 'polar', 'whoop_v2', 'nobody'])(
    'is refused with a status that the OpenAPI document lists: %s',
    async (slug) => {
      type Named = { readonly paths: Readonly<Record<string, { readonly post: { readonly responses: object } }>> };
      const { paths } = JSON.parse((await harness.api.app.inject('/openapi.json')).payload) as Named;
      const status = await push(slug, {}, Buffer.from('[]'));
      expect(Object.keys(paths['/v2/push/{provider}']?.post.responses ?? {})).toContain(String(status));
    },
  );

  test.each([
    ['fitbit', {}, 404],
    ['fitbit', { 'x-fitbit-signature': 'short' }, 404],
    ['oura', { 'x-oura-signature': 'a'.repeat(64) }, 401],
    ['whoop_v2', { 'x-whoop-signature-timestamp': '1' }, 401],
    ['polar', { 'polar-webhook-signature': 'short' }, 401],
  ])('is rejected by its headers, before its body is read: %s %j', async (slug, headers: Record<string, string>, status) => {
    expect(await push(slug, headers, { announced: 10_000 })).toBe(status);
  });

  test.each(['polar', 'oura', 'whoop_v2'])('is not read when it is longer than one notification of %s', async (slug) => {
    const headers = {
      'polar-webhook-signature': 'a'.repeat(64),
      'x-oura-signature': 'a'.repeat(64),
      'x-oura-timestamp': '1',
      'x-whoop-signature': `${'a'.repeat(43)}=`,
      'x-whoop-signature-timestamp': '1',
    };
    expect(await push(slug, headers, { announced: 17_000 })).toBe(413);
  });

  test('is rejected before its JSON is parsed when it is unsigned and longer than a ping', async () => {
    expect(await push('polar', {}, Buffer.from('{"event":"PING"}'))).toBe(200);
    expect(await push('polar', {}, Buffer.from(`{"event":"PING","more":${'['.repeat(5000)}`))).toBe(401);
    expect(await push('polar', {}, Buffer.from(`{"event":"PING","more":"${'x'.repeat(5000)}"}`))).toBe(401);
  });

  test('decrypts each secret at most once, however many forged pushes arrive', async () => {
    opened = 0;
    for (let number = 0; number < 40; number++)
      expect(await push('fitbit', { 'x-fitbit-signature': `${'a'.repeat(27)}=` }, Buffer.from('[]'))).toBe(404);
    expect(opened).toBeLessThanOrEqual(applications);
    expect(await inbox()).toEqual([]);
  });
});

describe('bodies that are still arriving', () => {
  /** Sends this many bytes of a body, then waits. Resolves to the response status, or undefined when disconnected. */
  async function begin(slug: string, headers: Record<string, string>, bytes: number) {
    const call = request({
      port,
      path: `/v2/push/${slug}`,
      method: 'POST',
      headers: { ...headers, 'content-length': String(1024 * 1024) },
    });
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    call.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', () => resolve(undefined));
    await new Promise<void>((sent) => call.write(Buffer.alloc(bytes, 32), () => sent()));
    return { answered: promise, cut: () => call.destroy() };
  }

  test('use bounded memory per provider, and do not block other providers', async () => {
    const headers = { 'x-fitbit-signature': `${'a'.repeat(27)}=` };
    const calls = await Promise.all(Array.from({ length: 40 }, () => begin('fitbit', headers, 1024 * 1024 - 1)));
    const busy = await Promise.any(calls.map(async ({ answered }) => ((await answered) === 503 ? 503 : Promise.reject(new Error('open')))));
    expect(busy).toBe(503);
    expect(await push('polar', {}, Buffer.from('{"event":"PING"}'))).toBe(200);
    for (const { cut } of calls) cut();
    const body = Buffer.from('[{}]');
    await expect.poll(() => push('fitbit', { 'x-fitbit-signature': sha1(body, 'secret-3') }, body)).toBe(204);
  });
});

describe('a valid push', () => {
  test('is accepted for the application that signed it, even with a secret set after others were cached', async () => {
    const body = Buffer.from('[]');
    expect(await push('fitbit', { 'x-fitbit-signature': sha1(body, 'secret-7') }, body)).toBe(204);
    const { teamId } = await createTeam(database.current, harness.clock, { name: 'Late', isSandbox: false });
    const application = { clientId: 'late', clientSecret: 'late secret', redirectUrlOverride: null };
    await putOAuthCredential(database.current, { cipher, clock: harness.clock }, { teamId, provider: 'fitbit', ...application });
    harness.clock.advance(2000);
    expect(await push('fitbit', { 'x-fitbit-signature': sha1(body, 'late secret') }, body)).toBe(204);
    expect((await inbox()).at(-1)).toEqual([teamId]);
  });
});
