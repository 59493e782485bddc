import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Logger } from '@pulsewire/kernel';
import { findConnector, type Connector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, idleIngest, type ApiHarness } from '../support/harness.ts';

const database = useDatabase();
const mebibyte = 1024 * 1024;
const lines: (readonly [string, unknown])[] = [];
const write = (fields: object, event: string) => void lines.push([event, fields]);
const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
let harness: ApiHarness;
const calls: { readonly method: string; readonly segment: string | null; readonly bytes: number }[] = [];
beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    logger,
    connectors: [findConnector('garmin') as Connector],
    overrides: {
      ingest: {
        ...idleIngest,
        async receivePush(_connector, request, segment) {
          let bytes = request.body.length;
          for await (const chunk of request.chunks ?? []) bytes += chunk.length;
          calls.push({ method: request.method, segment, bytes });
          return { status: 200, body: '{"challenge":"c"}', contentType: 'application/json' };
        },
      },
    },
  });
});
afterAll(() => harness.close());

describe('the push address', () => {
  test('accepts GET, HEAD and POST, with or without a segment, and returns the connector’s response', async () => {
    const { app } = harness.api;
    const get = await app.inject({ method: 'GET', url: '/v2/push/fitbit?hub.challenge=c' });
    expect([get.statusCode, get.headers['content-type'], get.payload]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{"challenge":"c"}',
    ]);
    const head = await app.inject({ method: 'HEAD', url: '/v2/push/fitbit/segment-1' });
    expect([head.statusCode, head.payload]).toEqual([200, '']);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await app.inject({ method: 'POST', url: '/v2/push/fitbit/segment-2', headers: form, payload: 'userid=1&appli=4' });
    expect(calls).toEqual([
      { method: 'GET', segment: null, bytes: 0 },
      { method: 'HEAD', segment: 'segment-1', bytes: 0 },
      { method: 'POST', segment: 'segment-2', bytes: 16 },
    ]);
  });

  test('accepts chunked bodies up to the documented limit of the provider', async () => {
    const inject = (slug: string, bytes: number) => {
      // Chunked: without a Content-Length.
      const payload = Readable.from(Array.from({ length: bytes / mebibyte }, () => Buffer.alloc(mebibyte, 0x20)));
      return harness.api.app.inject({
        method: 'POST',
        url: `/v2/push/${slug}/segment`,
        headers: { 'transfer-encoding': 'chunked' },
        payload,
      });
    };
    expect((await inject('garmin', 10 * mebibyte)).statusCode).toBe(200);
    expect(calls.at(-1)?.bytes).toBe(10 * mebibyte);
    const taken = calls.length;
    lines.length = 0;
    for (const [slug, bytes] of [
      ['garmin', 101],
      ['fitbit', 5],
    ] as const) {
      const refused = await inject(slug, bytes * mebibyte);
      expect([refused.statusCode, refused.json()]).toEqual([413, { detail: 'The body, or one of its items, is too large' }]);
      expect(lines).toContainEqual(['push.rejected', { provider: slug, errorCode: 'body_too_large' }]);
    }
    expect(calls).toHaveLength(taken);
  });

  test('accepts a body of 1 MiB, as sent by a provider that batches thousands of notices', async () => {
    const payload = Buffer.alloc(mebibyte, 0x20);
    expect((await harness.api.app.inject({ method: 'POST', url: '/v2/push/fitbit', payload })).statusCode).toBe(200);
    expect(calls.at(-1)?.bytes).toBe(payload.length);
  });

  test('returns 404 for a provider that does not push', async () => {
    expect((await harness.api.app.inject({ method: 'POST', url: '/v2/push/other_band/x', payload: '{}' })).statusCode).toBe(404);
  });
});
