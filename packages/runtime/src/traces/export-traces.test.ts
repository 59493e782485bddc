import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { recordSpan } from '@pulsewire/kernel';
import { expect, it, onTestFinished } from 'vitest';
import { exportTraces } from './export-traces.ts';

interface Received {
  readonly path: string | undefined;
  readonly body: string;
}

async function startCollector(handle: (received: Received) => boolean): Promise<string> {
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      if (handle({ path: request.url, body })) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const span = { name: 'pull', traceId: 'ab'.repeat(16), durationMs: 40, attributes: { provider: 'fitbit' } };

it('sends recorded spans to the OTLP endpoint when it closes, in the trace of the work', async () => {
  const received: Received[] = [];
  const endpoint = await startCollector((request) => received.push(request) > 0);
  const traces = await exportTraces({ endpoint, service: 'ingest' });
  recordSpan({ ...span, parentSpanId: 'cd'.repeat(8), isFailed: true });
  recordSpan({ ...span, name: 'unsampled', isSampled: false });
  recordSpan({ ...span, name: 'without a trace', traceId: null });
  await traces.close();

  expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
  const [{ resource, scopeSpans }] = JSON.parse(received[0]?.body ?? '').resourceSpans;
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'pulsewire-ingest' } });
  const [sent, ...others] = scopeSpans[0].spans;
  expect(others).toEqual([]);
  expect(sent).toMatchObject({ name: 'pull', traceId: 'ab'.repeat(16), parentSpanId: 'cd'.repeat(8), status: { code: 2 } });
  expect(sent.attributes).toEqual([{ key: 'provider', value: { stringValue: 'fitbit' } }]);
  expect(BigInt(sent.endTimeUnixNano) - BigInt(sent.startTimeUnixNano)).toBe(40_000_000n);
});

it('records the root span under the id that later steps have as their parent', async () => {
  const received: Received[] = [];
  const endpoint = await startCollector((request) => received.push(request) > 0);
  const traces = await exportTraces({ endpoint, service: 'ingest' });
  recordSpan({ ...span, name: 'root', isRoot: true });
  recordSpan({ ...span, name: 'step' });
  await traces.close();
  const [{ scopeSpans }] = JSON.parse(received[0]?.body ?? '').resourceSpans;
  const [root, step] = scopeSpans[0].spans;
  expect(root).toMatchObject({ name: 'root', traceId: span.traceId });
  expect(root.parentSpanId ?? '').toBe('');
  expect(step).toMatchObject({ name: 'step', traceId: span.traceId, parentSpanId: root.spanId });
});

it('sends nothing after close', async () => {
  const received: Received[] = [];
  const endpoint = await startCollector((request) => received.push(request) > 0);
  await (await exportTraces({ endpoint, service: 'api' })).close();
  recordSpan(span);
  expect(received).toEqual([]);
});

it('closes even if the endpoint does not respond', async () => {
  const arrived = Promise.withResolvers<void>();
  const endpoint = await startCollector(() => {
    arrived.resolve();
    return false;
  });
  const traces = await exportTraces({ endpoint, service: 'api' });
  recordSpan(span);
  await expect(traces.close()).resolves.toBeUndefined();
  await arrived.promise;
}, 20_000);
