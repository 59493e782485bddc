import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation of the document, with ids in its path that do not exist. */
function operations(): { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly url: string }[] {
  const paths = harness.api.document()['paths'] as Record<string, object>;
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => ({
        method: method.toUpperCase() as 'GET',
        url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'provider' ? 'fitbit' : randomUUID())),
      })),
  );
}

it('forbids caches to store the response of any operation, errors included', async () => {
  const isStorable: string[] = [];
  const all = operations();
  expect(all.length).toBeGreaterThan(50);
  for (const { method, url } of all)
    for (const headers of [{ 'x-service-api-key': caller.key }, {}]) {
      const reply = await harness.api.app.inject({ method, url, headers });
      if (reply.headers['cache-control'] !== 'no-store') isStorable.push(`${method} ${url} ${reply.statusCode}`);
    }
  expect(isStorable).toEqual([]);
});

it('forbids caches to store what a team reads', async () => {
  const reply = await harness.api.app.inject({ method: 'GET', url: '/v2/user', headers: { 'x-service-api-key': caller.key } });
  expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store']);
});

it('lets caches store the OpenAPI document and the logos', async () => {
  for (const url of ['/openapi.json', '/logos/fitbit.svg']) {
    const reply = await harness.api.app.inject({ method: 'GET', url });
    expect([reply.statusCode, reply.headers['cache-control']]).not.toEqual([200, 'no-store']);
  }
});
