import { expect, test } from 'vitest';
import type { QuotaRule } from '@pulsewire/providers';
import { matchReported } from './reported-limits.ts';

const quarterMs = 900_000;
const rules: readonly QuotaRule[] = [
  { scope: 'app', requests: 100, perMs: quarterMs, window: 'aligned' },
  { scope: 'app', requests: 1000, perMs: 96 * quarterMs, window: 'aligned' },
];
const reported = { scope: 'app', limit: 100, remaining: 40, resetAfterMs: 1000 } as const;

test('takes the lowest of each figure when several limits share a window', () => {
  const all = { ...reported, perMs: quarterMs, limit: 200, remaining: 30 };
  expect(matchReported(rules, [all, { ...reported, perMs: quarterMs }]).get(quarterMs)).toMatchObject({ limit: 100, remaining: 30 });
});

test('matches a limit without a window by its size, and ignores one that is not declared', () => {
  expect([...matchReported(rules, [reported]).keys()]).toEqual([quarterMs]);
  expect(matchReported(rules, [{ ...reported, limit: 5400 }]).size).toBe(0);
});

test("does not apply a user's limit to the application", () => {
  expect(matchReported(rules, [{ ...reported, scope: 'user' }]).size).toBe(0);
});
