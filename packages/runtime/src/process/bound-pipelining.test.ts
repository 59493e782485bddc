import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundPipelining, pipelinedMax } from './bound-pipelining.ts';

const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const waiting: ServerResponse[] = [];
let started = 0;
const server = createServer((_request, response) => {
  started += 1;
  if (isHeld) waiting.push(response);
  else response.end('ok');
});
boundPipelining(server);
let isHeld = false;
afterEach(() => {
  server.close();
  server.closeAllConnections();
  waiting.length = 0;
  [started, isHeld] = [0, false];
});

async function open() {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (part: string) => (text += part)).on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return { socket, closed, responses: () => text.split('HTTP/1.1 200').slice(1) };
}

test('a connection with too many requests sent ahead ends after the responses to the first of them', async () => {
  const { socket, closed, responses } = await open();
  socket.write(request.repeat(pipelinedMax + 8));
  await closed;
  const isLast = Array.from({ length: pipelinedMax }, (_, index) => index === pipelinedMax - 1);
  expect(responses().map((response) => /connection: close/i.test(response))).toEqual(isLast);
  expect(started).toBe(pipelinedMax);
});

test('of thousands of requests sent ahead only the first are started', async () => {
  const { socket, closed } = await open();
  socket.write(request.repeat(30_000));
  await closed;
  expect(started).toBe(pipelinedMax);
});

test('a connection that goes on sending while its responses wait is cut', async () => {
  isHeld = true;
  const { socket, closed } = await open();
  socket.write(request.repeat(10_000));
  await closed;
  expect(started).toBe(pipelinedMax);
});

test('any number of requests can follow each other on a connection, and a few can be sent ahead', async () => {
  const { socket, responses } = await open();
  for (let sent = 0; sent < 90; sent += 3) {
    socket.write(request.repeat(3));
    await expect.poll(() => responses().length).toBe(sent + 3);
  }
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('requests with expectations count too, which Node would answer itself', async () => {
  const { socket, closed } = await open();
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nexpect: x\r\n\r\n'.repeat(pipelinedMax + 8));
  await closed;
  expect(text.split('HTTP/1.1 417').length - 1).toBe(1);
  expect(started).toBe(0);
});
