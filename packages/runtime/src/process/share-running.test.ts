import { expect, it } from 'vitest';
import { shareRunning } from './share-running.ts';

it('callers during a run share it, and the next caller starts another, also after a failure', async () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const shared = shareRunning(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  const first = [shared(), shared(), shared()];
  runs[0]?.resolve(1);
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  const second = shared();
  runs[1]?.reject(new Error('failed'));
  await expect(second).rejects.toThrow('failed');
  const third = shared();
  runs[2]?.resolve(3);
  expect([await third, runs.length]).toEqual([3, 3]);
});
