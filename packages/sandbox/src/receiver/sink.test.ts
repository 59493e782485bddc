import net from 'node:net';
import { expect, test } from 'vitest';
import { createRequestCounter } from './request-counter.ts';
import { createSink } from './sink.ts';

const request = (id: string, body: string) =>
  `POST / HTTP/1.1\r\nhost: a\r\nwebhook-id: ${id}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test('the request count does not depend on where the bytes are split', () => {
  const bytes = Buffer.from(`${request('a', 'hello')}${request('b', '')}GET / HTTP/1.1\r\nhost: a\r\n\r\n${request('c', 'x\r\n\r\ny')}`);
  for (const size of [1, 2, 3, 7, 50, bytes.length]) {
    const ids: (string | undefined)[] = [];
    const counter = createRequestCounter({ onHead: (id) => ids.push(id), readsWebhookId: true });
    let completed = 0;
    for (let at = 0; at < bytes.length; at += size) completed += counter.push(bytes.subarray(at, at + size)).completed;
    expect([completed, ids]).toEqual([4, ['a', 'b', undefined, 'c']]);
  }
});

test('the sink serves real clients, keeps the first arrival of each id, and closes with connections open', async () => {
  const sink = await createSink({ recordedArrivalsMax: 2 });
  for (const id of ['a', 'b', 'a', 'c'])
    expect((await fetch(sink.url, { method: 'POST', body: 'x'.repeat(100_000), headers: { 'webhook-id': id } })).status).toBe(200);
  expect(sink.count()).toBe(4);
  expect([...sink.arrivals().keys()]).toEqual(['a', 'b']);
  sink.reset();
  expect([sink.count(), sink.arrivals().size]).toEqual([0, 0]);
  const socket = net.connect(Number(new URL(sink.url).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  await sink.close();
  socket.destroy();
});

test('a chunked request is rejected, not miscounted', async () => {
  const sink = await createSink();
  const body = new ReadableStream({ start: (controller) => (controller.enqueue(new Uint8Array(3)), controller.close()) });
  const response = await fetch(sink.url, { method: 'POST', body, duplex: 'half' });
  expect([response.status, sink.count()]).toEqual([411, 0]);
  await sink.close();
});
