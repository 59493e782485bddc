import http from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createAttackReceiver, type AttackReceiver } from './receiver.ts';

let receiver: AttackReceiver;
afterEach(() => receiver.close());

/** What a caller without protection sees within `withinMs`: the status, the bytes, or the error. */
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

const readEnough = 1_000_000;

/** The received bytes, until the other side closes the connection or enough have arrived. */
function read(path: string): Promise<{ bytes: number; text: string }> {
  return new Promise((resolve, reject) => {
    let [bytes, text] = [0, ''];
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
    socket.on('error', reject);
    socket.on('close', () => resolve({ bytes, text }));
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (text.length < 1000) text += chunk.toString('latin1');
      if (bytes > readEnough) socket.destroy();
    });
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}`);
  });
}

test('each path carries out the attack in its name', async () => {
  receiver = await createAttackReceiver({ dripMs: 20 });
  expect((await call('/redirect-metadata')).location).toBe('http://169.254.169.254/latest/meta-data/');
  expect((await call('/redirect-loop')).location).toBe('/redirect-loop');
  expect((await call('/endless-body')).bytes).toBeGreaterThan(1_000_000);
  const dripped = await call('/slow-drip');
  expect([dripped.status, dripped.bytes > 0, dripped.bytes < 30]).toEqual([200, true, true]);
  expect((await call('/huge-headers')).error).toBe('HPE_HEADER_OVERFLOW');
  for (const silent of ['/slow-head', '/half-open', '/never-reads']) expect((await call(silent)).error, silent).toBe('SILENT');
  expect((await call('/reset')).bytes).toBeLessThan(100);
  const bomb = await call('/gzip-bomb', 10_000);
  expect([bomb.bytes > 0, bomb.bytes < 20_000]).toEqual([true, true]);
  expect((await call('/elsewhere')).status).toBe(404);
  expect(receiver.counts()).toMatchObject({ '/half-open': 1, '/endless-body': 1, unknown: 1 });
});

test.each(['/chunk-extension', '/blank-lines', '/endless-reason', '/interim-flood', '/tiny-chunks', '/unasked'])(
  '%s continues for as long as the client reads',
  async (path) => {
    receiver = await createAttackReceiver();
    const { bytes } = await read(path);
    expect(bytes).toBeGreaterThan(readEnough);
    await expect.poll(() => receiver.isOver(path)).toBe(true);
    expect(receiver.bytesSent(path)).toBeGreaterThan(readEnough);
  },
);

test.each([
  ['/close-early', /^$/],
  ['/bad-chunks', /\r\n\r\nzz\r\n/],
  ['/not-http', /^220 /],
])('%s ends at once', async (path, text) => {
  receiver = await createAttackReceiver();
  expect((await read(path)).text).toMatch(text);
});

test('closing ends attacks in progress', async () => {
  receiver = await createAttackReceiver();
  const attacks = ['/slow-drip', '/half-open', '/endless-body'].map((path) => call(path, 60_000));
  while (Object.keys(receiver.counts()).length < 3) await new Promise((resolve) => setImmediate(resolve));
  await receiver.close();
  expect((await Promise.all(attacks)).length).toBe(3);
  receiver = await createAttackReceiver();
});
