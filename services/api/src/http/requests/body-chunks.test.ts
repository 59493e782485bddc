import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bodyChunks } from './body-chunks.ts';

const bounds = { bytesMax: 1e9, timeMs: 30_000, of: 'silence' } as const;

/** Sends a chunk of this size at each interval, and resolves with what became of the body after so many chunks. */
async function send(bytes: number, everyMs: number, chunks: number): Promise<{ readonly received: number; readonly failure?: unknown }> {
  const stream = new PassThrough();
  let received = 0;
  const reading = (async () => {
    try {
      for await (const chunk of bodyChunks(stream, bounds)) received += chunk.length;
      return { received };
    } catch (failure) {
      return { received, failure };
    }
  })();
  for (let sent = 0; sent < chunks && !stream.destroyed; sent++) {
    stream.write(Buffer.alloc(bytes));
    await vi.advanceTimersByTimeAsync(everyMs);
  }
  if (!stream.destroyed) stream.end();
  await vi.advanceTimersByTimeAsync(bounds.timeMs);
  return reading;
}

describe('a streamed body that is limited by silence', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  it('ends after about a minute when a client sends a byte every ten seconds', async () => {
    const { received, failure } = await send(1, 10_000, 1_000);
    expect(failure).toMatchObject({ code: 'body_not_received' });
    expect(received).toBeLessThanOrEqual(7);
  });

  it('is read to its end for ten minutes at 25 kB a second', async () => {
    expect(await send(250_000, 10_000, 60)).toEqual({ received: 15_000_000 });
  });

  it('ends when a fast client falls silent for longer than its limit', async () => {
    const { received, failure } = await send(5_000_000, 40_000, 3);
    expect(failure).toMatchObject({ code: 'body_not_received' });
    expect(received).toBe(5_000_000);
  });
});
