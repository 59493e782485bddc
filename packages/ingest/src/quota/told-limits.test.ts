import { expect, test } from 'vitest';
import type { QuotaRule } from '@pulsewire/providers';
import { matchTold } from './told-limits.ts';

const quarterMs = 900_000;
const rules: readonly QuotaRule[] = [
  { scope: 'app', requests: 100, perMs: quarterMs, window: 'aligned' },
  { scope: 'app', requests: 1000, perMs: 96 * quarterMs, window: 'aligned' },
];
const told = { scope: 'app', limit: 100, remaining: 40, resetAfterMs: 1000 } as const;

test('takes the lowest of each figure when several limits share a window', () => {
  const all = { ...told, perMs: quarterMs, limit: 200, remaining: 30 };
  expect(matchTold(rules, [all, { ...told, perMs: quarterMs }]).get(quarterMs)).toMatchObject({ limit: 100, remaining: 30 });
});

test('matches a limit without a window by its size, and ignores one that is not declared', () => {
  expect([...matchTold(rules, [told]).keys()]).toEqual([quarterMs]);
  expect(matchTold(rules, [{ ...told, limit: 5400 }]).size).toBe(0);
});

test("does not apply a user's limit to the application", () => {
  expect(matchTold(rules, [{ ...told, scope: 'user' }]).size).toBe(0);
});
