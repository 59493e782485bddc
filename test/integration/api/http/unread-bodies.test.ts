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

/** The response status of a request that announces 30 MB and sends one byte; null when there is no response before the rest arrives. */
function sendHeaders(path: string, headers: Record<string, string> = {}, waitMs = 20_000): Promise<number | null> {
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

describe('rejected before its body is read', () => {
  test('a push to a provider that does not push, and to an unknown address', async () => {
    expect(await sendHeaders('/v2/push/nobody')).toBe(404);
    expect(await sendHeaders('/v2/push/other_band/x')).toBe(404);
    expect(await sendHeaders('/v2/push/fitbit/guessed')).toBe(404);
    expect(received).toBe(0);
  });

  test('except for a push to a known address, whose body is awaited', async () => {
    expect(await sendHeaders('/v2/push/fitbit/known', { 'content-length': '900000' }, 500)).toBeNull();
    expect(received).toBe(0);
  });

  test('a push that exceeds the limit of its provider, whatever the limits of other providers', async () => {
    expect(await sendHeaders('/v2/push/fitbit/known')).toBe(413);
    expect(await sendHeaders('/v2/push/garmin/known', { 'content-length': String(101 * 1024 * 1024) })).toBe(413);
    expect(received).toBe(0);
    expect(await sendHeaders('/v2/push/garmin/known')).toBe(204);
  });

  test('a bulk operation of a team without bulk operations', async () => {
    const { key } = await harness.newCaller();
    for (const name of ['bulk_import', 'bulk_export', 'bulk_pause', 'bulk_trigger_historical_pull'])
      expect(await sendHeaders(`/v2/link/${name}`, { 'x-service-api-key': key })).toBe(403);
  });

  test('a demo connection of a production team', async () => {
    const { key } = await harness.newCaller();
    expect(await sendHeaders('/v2/link/connect/demo', { 'x-service-api-key': key })).toBe(403);
  });
});
