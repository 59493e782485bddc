import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { pipelinedMax } from './bound-pipelining.ts';
import { createPageServer } from './page-server.ts';

let server = createPageServer({ logger: silentLogger, metrics: noMetrics, isServing: () => true, bodyMs: 300 });
afterEach(async () => {
  await server.close();
  server = createPageServer({ logger: silentLogger, metrics: noMetrics, isServing: () => true, bodyMs: 300 });
});

it('ends a connection to the pages that sends too many requests ahead', async () => {
  await server.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('data', (part: string) => (text += part)).on('error', () => {});
  socket.write('GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(pipelinedMax + 8));
  await closed;
  expect(text.split('HTTP/1.1 404').length - 1).toBe(pipelinedMax);
});

describe('a client of the pages that sends its body slowly', () => {
  it('is disconnected even when no route reads the body', async () => {
    await server.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {}).resume();
    socket.write('POST /nothing HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n');
    const drops = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(drops);
    expect(socket.destroyed).toBe(true);
  });
});
