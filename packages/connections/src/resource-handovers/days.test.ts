import { expect, it } from 'vitest';
import { closedAt, ever, openedAt } from './days.ts';

const start = (day: string) => ({ day, ms: Date.parse(`${day}T00:00:00Z`) });
const open = openedAt([], start('2026-03-10'));

it('opens the days of a successor again after those that were given back', () => {
  const { steps } = closedAt({ steps: open }, start('2026-03-13'));
  expect(openedAt(steps ?? [], start('2026-03-11')).at(-1)).toEqual({ from: start('2026-03-13'), to: null });
  expect(openedAt(steps ?? [], start('2026-03-20')).at(-1)).toEqual({ from: start('2026-03-20'), to: null });
});

it('gives back only days after the last that the successor read', () => {
  const closed = [{ from: start('2026-03-10'), to: start('2026-03-13') }];
  expect(closedAt({ steps: open, weight: null }, start('2026-03-13'))).toEqual({ steps: closed, weight: null });
  expect(closedAt({ steps: closed }, start('2026-03-20'))).toEqual({ steps: closed });
  expect(closedAt({ steps: open }, start('2026-03-10'))).toEqual({ steps: [] });
  expect(closedAt({ steps: open }, ever)).toEqual({ steps: [] });
});
