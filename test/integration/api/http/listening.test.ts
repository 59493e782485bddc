import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let port: number;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { host: 'localhost' } });
  ({ port } = await harness.api.listen());
});
afterAll(() => harness.close());

it('the API has one server on localhost, also where that has two addresses', () => {
  expect(harness.api.app.addresses()).toHaveLength(1);
});

it.each([
  ['a path that does not exist', 'GET', '/nothing'],
  ['a method that its path does not have', 'DELETE', '/v2/providers'],
  ['the headers alone', 'HEAD', '/docs'],
])('a connection stays open after a request for %s', async (_name, method, path) => {
  const agent = new Agent({ keepAlive: true });
  const host = 'localhost';
  const [response] = (await once(request({ agent, host, port, method, path }).end(), 'response')) as [IncomingMessage];
  expect(response.headers.connection).toBe('keep-alive');
  response.resume();
  agent.destroy();
});
