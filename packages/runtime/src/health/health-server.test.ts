import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { createHealth } from './health.ts';
import { publicHealthRoutes } from './health-routes.ts';
import { startHealthServer } from './health-server.ts';
import { createMetrics } from '../metrics/metrics.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const state = { isServing: true, databaseIsUp: true };
const endpoints = {
  metrics: createMetrics({ service: 'test' }),
  health: createHealth({
    isServing: () => state.isServing,
    workers: () => [{ name: 'relay', state: 'running', restarts: 0, lastError: null }],
    checks: () => [
      {
        name: 'database',
        check: () => (state.databaseIsUp ? Promise.resolve() : Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))),
      },
    ],
  }),
};

async function ownServer(): Promise<string> {
  const server = await startHealthServer({ ...endpoints, host: '127.0.0.1', port: 0 });
  closers.push(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

async function publicServer(): Promise<string> {
  const app = Fastify();
  publicHealthRoutes(app, endpoints.health);
  closers.push(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

it('is ready while it serves and its checks pass, and alive all the time', async () => {
  const base = await ownServer();
  const status = async (path: string) => (await fetch(base + path)).status;
  Object.assign(state, { isServing: true, databaseIsUp: true });
  expect(await status('/health/ready')).toBe(200);
  expect(await status('/health/live')).toBe(200);
  expect(await status('/metrics')).toBe(200);
  state.databaseIsUp = false;
  const response = await fetch(`${base}/health/ready`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: 'unavailable', checks: { database: 'ECONNREFUSED' } });
  Object.assign(state, { isServing: false, databaseIsUp: true });
  expect(await status('/health/ready')).toBe(503);
  expect(await status('/health/live')).toBe(200);
});

it('exposes neither checks nor workers nor metrics to the public', async () => {
  const base = await publicServer();
  Object.assign(state, { isServing: true, databaseIsUp: false });
  const response = await fetch(`${base}/health/ready`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ status: 'unavailable' });
  expect(await (await fetch(`${base}/health/live`)).json()).toEqual({ status: 'ok' });
  expect((await fetch(`${base}/metrics`)).status).toBe(404);
});

it('serves no other paths on its own server', async () => {
  const base = await ownServer();
  expect((await fetch(`${base}/anything`)).status).toBe(404);
  expect((await fetch(`${base}/health/live`, { method: 'POST' })).status).toBe(405);
});

it('serves at most twenty scrapes at once, and the health checks beside them', async () => {
  const release = Promise.withResolvers<void>();
  const metrics = {
    async render() {
      await release.promise;
      return { contentType: 'text/plain', body: 'metrics' };
    },
  };
  const server = await startHealthServer({ ...endpoints, metrics, host: '127.0.0.1', port: 0 });
  closers.push(() => server.close());
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
  const scrapes = Array.from({ length: 30 }, () => status('/metrics'));
  expect(await Promise.race(scrapes)).toBe(503);
  expect(await status('/health/live')).toBe(200);
  release.resolve();
  const statuses = await Promise.all(scrapes);
  expect(statuses.filter((code) => code === 200)).toHaveLength(20);
  expect(await status('/metrics')).toBe(200);
});
