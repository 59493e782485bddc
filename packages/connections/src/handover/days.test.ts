import { expect, it } from 'vitest';
import { endedAt, ever, joined, openedAt, openedOn, without, type Span } from './days.ts';

const start = (day: number) => ({ day: `2026-03-${day}`, ms: Date.parse(`2026-03-${day}T00:00:00Z`) });
const span = (from: number, to: number | null): Span => ({ from: start(from), to: to === null ? null : start(to) });

it('keeps the days of a successor in order and without overlaps, whatever is added', () => {
  expect(joined([span(10, 11), span(13, 14)], [span(11, 12)])).toEqual([span(10, 12), span(13, 14)]);
  expect(joined([span(10, 13)], [span(11, 12)])).toEqual([span(10, 13)]);
  expect(joined([span(10, null)], [span(11, 12), span(20, null)])).toEqual([span(10, null)]);
  expect(openedAt([span(10, 13)], start(20))).toEqual([span(10, 13), span(20, null)]);
  expect(openedAt([span(10, 13)], start(11))).toEqual([span(10, null)]);
});

it('takes single days from a successor and leaves it the others', () => {
  const left = without([span(10, null)], [span(12, 13), span(14, 15)]);
  expect(left).toEqual([span(10, 12), span(13, 14), { ...span(15, null), opened: '2026-03-10' }]);
  expect([openedOn(left), openedOn([span(10, null)]), openedOn([span(10, 12)])]).toEqual(['2026-03-10', '2026-03-10', null]);
  expect(without([span(10, 12)], [span(10, 11), span(11, 12)])).toEqual([]);
  expect(without([span(10, 12)], [span(12, 14), span(14, 15)])).toEqual([span(10, 12)]);
});

it('gives back only days after the last that the successor delivered', () => {
  expect(endedAt([span(10, null)], start(13))).toEqual([span(10, 13)]);
  expect(endedAt([span(10, 13)], start(20))).toEqual([span(10, 13)]);
  expect(endedAt([span(10, 13), span(15, 16), span(17, null)], start(12))).toEqual([span(10, 12)]);
  expect(endedAt([span(10, null)], start(10))).toEqual([]);
  expect(endedAt([span(10, null)], ever)).toEqual([]);
});
