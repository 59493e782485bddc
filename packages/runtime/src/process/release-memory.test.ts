import { expect, it } from 'vitest';
import { releaseStartMemory } from './release-memory.ts';

it('gives back what is not needed any more, and leaves no way to collect garbage behind', () => {
  let waste: object[] | null = Array.from({ length: 500_000 }, (_, number) => ({ number, text: `waste ${number}` }));
  const before = process.memoryUsage().heapUsed;
  expect(waste).toHaveLength(500_000);
  waste = null;
  releaseStartMemory();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before - 20 * 2 ** 20);
  expect(globalThis).not.toHaveProperty('gc');
});
