import { expect, test } from 'vitest';
import { inBatches } from './connections.ts';

const never = new AbortController().signal;

test('batches continue where the previous one ended, and their counts are added up', async () => {
  const starts: (string | null)[] = [];
  const result = await inBatches(never, async (after) => {
    starts.push(after);
    return { connections: 2, next: after === null ? 'a' : null, errors: [] };
  });
  expect([result, starts]).toEqual([{ connections: 4 }, [null, 'a']]);
  expect(await inBatches(never, async () => ({ connections: 0, next: null, errors: [] }))).toBeUndefined();
});

test('the error of an item is thrown after the following batches', async () => {
  const starts: (string | null)[] = [];
  const running = inBatches(never, async (after) => {
    starts.push(after);
    return { connections: 1, next: after === null ? 'a' : null, errors: after === null ? [new Error('first')] : [] };
  });
  await expect(running).rejects.toThrow('first');
  expect(starts).toEqual([null, 'a']);
});

test('no batch begins once the signal has aborted', async () => {
  const stop = new AbortController();
  let batches = 0;
  await inBatches(stop.signal, async () => {
    batches += 1;
    stop.abort();
    return { connections: 1, next: 'more', errors: [] };
  });
  expect(batches).toBe(1);
});
