import http from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createAttackReceiver, type AttackReceiver } from './receiver.ts';

let receiver: AttackReceiver;
afterEach(() => receiver.close());

/** What a caller without any protection sees within a while: the status, the bytes, or the error. */
function call(path: string, withinMs = 300): Promise<{ status?: number; location?: string; bytes: number; error?: string }> {
  return new Promise((resolve) => {
    let bytes = 0;
    const request = http.request(`${receiver.url}${path}`, { method: 'POST', agent: false }, (response) => {
      const { location } = response.headers;
      const done = () => {
        resolve({ status: response.statusCode ?? 0, bytes, ...(location !== undefined && { location }) });
        response.destroy();
      };
      const timer = setTimeout(done, withinMs);
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('close', () => (clearTimeout(timer), done()));
      response.on('error', () => undefined);
    });
    const timer = setTimeout(() => request.destroy(Object.assign(new Error('silent'), { code: 'SILENT' })), withinMs);
    request.on('response', () => clearTimeout(timer));
    request.on('error', (error: NodeJS.ErrnoException) => (clearTimeout(timer), resolve({ bytes, error: error.code ?? error.message })));
    request.end('{}');
  });
}

test('each path does what its name says', async () => {
  receiver = await createAttackReceiver({ dripMs: 20 });
  expect((await call('/redirect-metadata')).location).toBe('http://169.254.169.254/latest/meta-data/');
  expect((await call('/redirect-loop')).location).toBe('/redirect-loop');
  expect((await call('/endless-body')).bytes).toBeGreaterThan(1_000_000);
  const dripped = await call('/slow-drip');
  expect([dripped.status, dripped.bytes > 0, dripped.bytes < 30]).toEqual([200, true, true]);
  expect((await call('/huge-headers')).error).toBe('HPE_HEADER_OVERFLOW');
  for (const silent of ['/slow-head', '/half-open', '/never-reads']) expect((await call(silent)).error, silent).toBe('SILENT');
  expect((await call('/reset')).bytes).toBeLessThan(100);
  expect((await call('/elsewhere')).status).toBe(404);
  expect(receiver.counts()).toMatchObject({ '/half-open': 1, '/endless-body': 1, unknown: 1 });
});

test('closing ends attacks that are under way', async () => {
  receiver = await createAttackReceiver();
  const attacks = ['/slow-drip', '/half-open', '/endless-body'].map((path) => call(path, 60_000));
  while (Object.keys(receiver.counts()).length < 3) await new Promise((resolve) => setImmediate(resolve));
  await receiver.close();
  expect((await Promise.all(attacks)).length).toBe(3);
  receiver = await createAttackReceiver();
});
