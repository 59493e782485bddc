import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createAddressGuard,
  createNameResolver,
  createWebhookSender,
  type ResolveName,
  type SendResult,
  type WebhookSender,
} from '@pulsewire/outbound';
import { createAttackReceiver, createNameServer, type AttackReceiver, type NameServer } from '@pulsewire/sandbox';

const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'] });
let attacker: AttackReceiver;
let sender: WebhookSender;

beforeAll(async () => {
  attacker = await createAttackReceiver({ dripMs: 50 });
  sender = createWebhookSender({ guard, totalTimeoutMs: 1000 });
});
afterAll(async () => {
  await sender.close();
  await attacker.close();
});

const headers = ['content-type', 'application/json'];
const post = (origin: string, path: string, by = sender, body = Buffer.from('{}')): Promise<SendResult> =>
  by.send({ origin, path, headers, body });

const attack = (path: string, body = Buffer.from('{}')): Promise<SendResult> => post(new URL(attacker.url).origin, path, sender, body);

describe('a malicious receiver', () => {
  it.each(['/slow-head', '/half-open'])('cannot hold an attempt beyond its deadline: %s', async (path) => {
    expect(await attack(path)).toMatchObject({ outcome: 'failed', error: 'timeout' });
  });

  it('cannot prolong an attempt by not reading the request', async () => {
    expect((await attack('/never-reads', Buffer.alloc(32 * 1024 * 1024, 'x'))).outcome).toBe('failed');
  });

  it('cannot prolong an attempt by sending the body slowly: only the status counts', async () => {
    expect(await attack('/slow-drip')).toMatchObject({ outcome: 'delivered', status: 200 });
  });

  it('cannot make us read an unlimited body', async () => {
    const before = process.memoryUsage().rss;
    const result = await attack('/endless-body');
    expect(result).toMatchObject({ outcome: 'delivered', status: 200 });
    expect('bodyKept' in result && result.bodyKept.length).toBe(65_536);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('cannot make us read unlimited headers', async () => {
    expect(await attack('/huge-headers')).toMatchObject({ outcome: 'failed', error: 'bad_response' });
  });

  it.each([
    ['/tiny-headers', { outcome: 'failed', error: 'bad_response' }],
    ['/tiny-trailers', { outcome: 'delivered', status: 200 }],
  ])('has its headers and trailers parsed only up to the slice that reaches their limit: %s', async (path, result) => {
    // Bytes passed to the parser; socket buffers may hold more.
    const { read } = Readable.prototype;
    let given = 0;
    Readable.prototype.read = function (this: Readable, size?: number): unknown {
      const chunk: unknown = read.call(this, size);
      if (Buffer.isBuffer(chunk) && this instanceof Socket && this.remotePort === Number(new URL(attacker.url).port)) given += chunk.length;
      return chunk;
    };
    try {
      expect(await attack(path)).toMatchObject(result);
    } finally {
      Readable.prototype.read = read;
    }
    // The parser counts eight of the eleven bytes of a field.
    expect(given).toBeLessThan((16_384 * 11) / 8 + 1500);
  });

  it.each([
    ['/chunk-extension', { outcome: 'delivered', status: 200 }],
    ['/tiny-chunks', { outcome: 'delivered', status: 200 }],
    ['/blank-lines', { outcome: 'failed', error: 'bad_response' }],
    ['/endless-reason', { outcome: 'failed', error: 'bad_response' }],
    ['/interim-flood', { outcome: 'failed', error: 'bad_response' }],
  ])('cannot make us read unlimited bytes that are neither header nor body: %s', async (path, expected) => {
    expect(await attack(path)).toMatchObject(expected);
    await expect.poll(() => attacker.isOver(path), { timeout: 5000 }).toBe(true);
    // The cap plus socket buffers; without the cap, many times that would arrive within the deadline.
    expect(attacker.bytesSent(path)).toBeLessThan(32 * 1024 * 1024);
  });

  it('cannot keep sending on a reused connection', async () => {
    expect(await attack('/unasked')).toMatchObject({ outcome: 'delivered', status: 200 });
    await expect.poll(() => attacker.isOver('/unasked'), { timeout: 10_000 }).toBe(true);
    expect(attacker.bytesSent('/unasked')).toBeLessThan(32 * 1024 * 1024);
  });

  it('cannot make us decompress a compressed response', async () => {
    const result = await attack('/gzip-bomb');
    expect(result).toMatchObject({ outcome: 'delivered', status: 200 });
    expect('bodyKept' in result && result.bodyKept.length).toBeLessThan(20_000);
  });

  it.each(['/redirect-metadata', '/redirect-loop'])('cannot redirect us: %s', async (path) => {
    const before = attacker.counts()[path] ?? 0;
    expect(await attack(path)).toMatchObject({ outcome: 'refused' });
    expect(attacker.counts()[path]).toBe(before + 1);
  });

  it.each(['/reset', '/bad-chunks'])('may abort in the middle of its response; its status still counts: %s', async (path) => {
    expect(await attack(path)).toMatchObject({ outcome: 'delivered', status: 200 });
  });

  it.each([
    ['/close-early', 'connection_closed'],
    ['/upgrade', 'connection_closed'],
    ['/not-http', 'bad_response'],
  ])('that sends no valid response is reported with its own error: %s', async (path, error) => {
    expect(await attack(path)).toMatchObject({ outcome: 'failed', error });
  });
});

describe('a malicious name server', () => {
  let names: NameServer;
  let named: WebhookSender;
  let resolveName: ResolveName;
  const origin = (name: string) => `http://${name}:${new URL(attacker.url).port}`;

  beforeAll(async () => {
    names = await createNameServer((name, queriedBefore) => {
      if (name.startsWith('silent')) return 'silence';
      if (name === 'rebinding.example.org') return queriedBefore === 0 ? ['127.0.0.1'] : ['169.254.169.254'];
      if (name === 'two-faced.example.org') return ['127.0.0.1', '10.0.0.1'];
      if (name === 'mapped.example.org') return ['127.0.0.1', '::ffff:a00:1'];
      if (name === 'only-four.example.org') return { only: 4, addresses: ['127.0.0.1'] };
      if (name === 'only-six.example.org') return { only: 6, addresses: ['::1'] };
      if (name === 'only-private.example.org') return { only: 4, addresses: ['10.0.0.1'] };
      if (name === 'nat64.example.org') return ['64:ff9b::a9fe:a9fe'];
      return name === 'good.example.org' ? ['127.0.0.1'] : 'unknown';
    });
    resolveName = createNameResolver({ servers: [names.address], timeoutMs: 60_000 });
    named = createWebhookSender({ guard, resolveName, totalTimeoutMs: 15_000, connectTimeoutMs: 500 });
  });
  afterAll(async () => {
    await named.close();
    await names.close();
  });

  it('cannot redirect us after the check: each connection resolves the name once and checks the address', async () => {
    const before = attacker.counts()['/close-early'] ?? 0;
    const [first, second] = [
      await post(origin('rebinding.example.org'), '/close-early', named),
      await post(origin('rebinding.example.org'), '/close-early', named),
    ];
    expect(first).toMatchObject({ error: 'connection_closed' });
    expect(second).toMatchObject({ error: 'address_blocked' });
    expect(attacker.counts()['/close-early']).toBe(before + 1);
    expect(names.counts()['rebinding.example.org']).toBe(2);
  });

  it.each(['two-faced', 'mapped', 'nat64'])('cannot hide a forbidden address among others: %s', async (name) => {
    expect(await post(origin(`${name}.example.org`), '/', named)).toMatchObject({ outcome: 'failed', error: 'address_blocked' });
  });

  it('without a record for a name is reported with its own error', async () => {
    expect(await post(origin('unknown.example.org'), '/', named)).toMatchObject({ outcome: 'failed', error: 'dns_failed' });
  });

  it('cannot delay an attempt by never responding for one of the families', async () => {
    expect(await resolveName('only-four.example.org')).toEqual(['127.0.0.1']);
    expect(await resolveName('only-six.example.org')).toEqual(['::1']);
    expect(await post(origin('only-four.example.org'), '/close-early', named)).toMatchObject({ error: 'connection_closed' });
    expect(await post(origin('only-private.example.org'), '/', named)).toMatchObject({ error: 'address_blocked' });
  });

  it('cannot block the resolution of other names by never responding', async () => {
    const silent = Array.from({ length: 32 }, (_, i) => post(origin(`silent-${i}.example.org`), '/', named));
    expect(await post(origin('good.example.org'), '/close-early', named)).toMatchObject({ error: 'connection_closed' });
    for (const result of await Promise.all(silent)) expect(result).toMatchObject({ outcome: 'failed', error: 'connect_timeout' });
  });
});

describe('unusual notations of an address', () => {
  const closed = createWebhookSender({ guard: createAddressGuard(), totalTimeoutMs: 5000 });
  afterAll(() => closed.close());

  it.each([
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://127.1',
    'http://0',
    'http://127.0.0.1.',
    'http://[::ffff:7f00:1]',
    'http://[::ffff:169.254.169.254]',
    'http://[64:ff9b::a9fe:a9fe]',
    'http://[2002:a9fe:a9fe::]',
    'http://[fe80::1]',
    'http://localhost',
    'http://LOCALHOST.',
    'http://metadata.localhost',
    'http://１２７.0.0.1',
  ])('cannot bypass the address guard: %s', async (origin) => {
    const result = await post(origin, '/', closed);
    // Some systems cannot resolve a name that others resolve to the local machine.
    expect(result).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/^(address_blocked|dns_failed)$/) });
  });

  it.each([22, 25, 53, 6000, 6667])('port %i of another protocol is rejected', async (port) => {
    expect(await post(`http://127.0.0.1:${port}`, '/')).toMatchObject({ outcome: 'failed', error: 'address_blocked' });
  });
});
