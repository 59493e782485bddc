import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createUnsentPages } from './unsent-pages.ts';

it('a team whose browser reads no pages gets no more of them until it reads or leaves; other teams do', async () => {
  const pages = createUnsentPages(10_000_000);
  const page = 'x'.repeat(20_000_000);
  const server = createServer((_request, response) => {
    pages.hold('reader', response, page.length);
    response.end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => pages.admits('reader')).toBe(false);
  expect(pages.admits('another')).toBe(true);
  socket.resume();
  await expect.poll(() => pages.admits('reader')).toBe(true);
  socket.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => pages.admits('reader')).toBe(false);
  socket.destroy();
  await expect.poll(() => pages.admits('reader')).toBe(true);
  server.close();
});
