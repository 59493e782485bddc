import Fastify from 'fastify';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { boundConnectionAge } from './connection-age.ts';

it('ends a kept connection after a response once it is old enough, and not before', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  boundConnectionAge(app, 300);
  app.get('/', async () => 'ok');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = () =>
    new Promise<string | undefined>((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', () => resolve(response.headers.connection)))
        .on('error', reject);
    });
  expect(await ask()).toBe('keep-alive');
  await expect.poll(ask).toBe('close');
  expect(await ask()).toBe('keep-alive');
});
