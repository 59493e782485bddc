import { expect, it } from 'vitest';
import { fixedWaits } from './sources/waits.ts';
import { read, sourceFiles } from './sources/workspace.ts';

it('finds fixed pauses and upper bounds of durations, and neither polls nor named times', () => {
  const code = [
    'await sleep(500);',
    'await new Promise((resolve) => setTimeout(resolve, 1_050));',
    'expect(performance.now() - started).toBeLessThan(1000);',
    'while (!done) await sleep(20);',
    'for (;;) { await new Promise((resolve) => setTimeout(resolve, 5)); }',
    'await sleep(sessionTimeoutMs * 2);',
    'await sleep(60_000, signal);',
    'expect(performance.now() - started).toBeGreaterThan(1000);',
    'expect(rows).toBeLessThan(1000);',
  ].join('\n');
  expect(fixedWaits('x.test.ts', code)).toEqual(['x.test.ts:1', 'x.test.ts:2', 'x.test.ts:3']);
});

it('no test sleeps for a fixed time or asserts how long something took at most', () => {
  const tests = sourceFiles().filter((file) => file.endsWith('.test.ts') && file !== 'test/architecture/waits.test.ts');
  expect(tests.flatMap((file) => fixedWaits(file, read(file)))).toEqual([]);
});
