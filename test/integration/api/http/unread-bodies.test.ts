import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConnector, type Connector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, idleIngest, type ApiHarness } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let port: number;
let received = 0;

beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    connectors: [findConnector('garmin') as Connector],
    overrides: {
      ingest: {
        ...idleIngest,
        rejectUnknownAddress: async (_connector, segment) => (segment === 'known' ? null : { status: 404, body: '' }),
        async receivePush() {
          received += 1;
          return { status: 204, body: '' };
        },
      },
    },
  });
  await harness.api.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = harness.api.app.server.address() as AddressInfo);
});
afterAll(() => harness.close());

/** The status of the answer to a request that announces 30 MB and sends one byte; null when none comes while the rest is missing. */
function answerToHeaders(path: string, headers: Record<string, string> = {}, waitMs = 20_000): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const length = String(30 * 1024 * 1024);
  const call = request({
    port,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  });
  const timer = setTimeout(() => resolve(null), waitMs);
  call.on('response', (response) => resolve(response.statusCode ?? null));
  call.on('error', () => {});
  call.write('{');
  return promise.finally(() => {
    clearTimeout(timer);
    call.destroy();
  });
}

describe('a request that may not be made is turned away before its body is read', () => {
  test('a push to a provider that does not call, and to an address that is none of ours', async () => {
    expect(await answerToHeaders('/v2/push/nobody')).toBe(404);
    expect(await answerToHeaders('/v2/push/other_band/x')).toBe(404);
    expect(await answerToHeaders('/v2/push/fitbit/guessed')).toBe(404);
    expect(received).toBe(0);
  });

  test('but the body of one at a known address is waited for', async () => {
    expect(await answerToHeaders('/v2/push/fitbit/known', { 'content-length': '900000' }, 500)).toBeNull();
    expect(received).toBe(0);
  });

  test('a push that is longer than its provider says that they are, whatever other providers send', async () => {
    expect(await answerToHeaders('/v2/push/fitbit/known')).toBe(413);
    expect(await answerToHeaders('/v2/push/garmin/known', { 'content-length': String(101 * 1024 * 1024) })).toBe(413);
    expect(received).toBe(0);
    expect(await answerToHeaders('/v2/push/garmin/known')).toBe(204);
  });

  test('a bulk operation of a team for which none is switched on', async () => {
    const { key } = await harness.newCaller();
    for (const name of ['bulk_import', 'bulk_export', 'bulk_pause', 'bulk_trigger_historical_pull'])
      expect(await answerToHeaders(`/v2/link/${name}`, { 'x-service-api-key': key })).toBe(403);
  });

  test('a demo connection of a production team', async () => {
    const { key } = await harness.newCaller();
    expect(await answerToHeaders('/v2/link/connect/demo', { 'x-service-api-key': key })).toBe(403);
  });
});
