import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard, createWebhookSender, type SendResult, type WebhookSender } from '@pulsewire/outbound';
import { createAttackReceiver, type AttackReceiver } from '@pulsewire/sandbox';

let attacker: AttackReceiver;
let sender: WebhookSender;

beforeAll(async () => {
  attacker = await createAttackReceiver({ dripMs: 50 });
  sender = createWebhookSender({ guard: createAddressGuard({ allowedNetworks: ['127.0.0.0/8'] }), totalTimeoutMs: 1000 });
});
afterAll(async () => {
  await sender.close();
  await attacker.close();
});

async function attack(path: string, body = Buffer.from('{}')): Promise<{ result: SendResult; tookMs: number }> {
  const startedMs = performance.now();
  const result = await sender.send({ origin: new URL(attacker.url).origin, path, headers: ['content-type', 'application/json'], body });
  return { result, tookMs: performance.now() - startedMs };
}

describe('a receiver that wishes us ill', () => {
  it.each(['/slow-head', '/half-open'])('cannot hold an attempt beyond its deadline: %s', async (path) => {
    const { result, tookMs } = await attack(path);
    expect(result).toMatchObject({ outcome: 'failed', error: 'timeout' });
    expect(tookMs).toBeLessThan(1500);
  });

  it('cannot hold it by not reading what we send', async () => {
    const { result, tookMs } = await attack('/never-reads', Buffer.alloc(32 * 1024 * 1024, 'x'));
    expect(result.outcome).toBe('failed');
    expect(tookMs).toBeLessThan(1500);
  });

  it('cannot hold it with a body that drips: the status counts, the rest is left', async () => {
    const { result, tookMs } = await attack('/slow-drip');
    expect(result).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(tookMs).toBeLessThan(1500);
  });

  it('cannot make us read without end', async () => {
    const before = process.memoryUsage().rss;
    const { result } = await attack('/endless-body');
    expect(result).toMatchObject({ outcome: 'delivered', status: 200 });
    expect('bodyKept' in result && result.bodyKept.length).toBe(65_536);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('cannot make us read headers without end', async () => {
    expect((await attack('/huge-headers')).result).toMatchObject({ outcome: 'failed', error: 'bad_answer' });
  });

  it.each(['/redirect-metadata', '/redirect-loop'])('cannot send us elsewhere: %s', async (path) => {
    const before = attacker.counts()[path] ?? 0;
    expect((await attack(path)).result).toMatchObject({ outcome: 'refused' });
    expect(attacker.counts()[path]).toBe(before + 1);
  });

  it('may break off in the middle of its answer: the status was there', async () => {
    expect((await attack('/reset')).result).toMatchObject({ outcome: 'delivered', status: 200 });
  });
});
