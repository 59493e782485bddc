import { minuteMs } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { partition, within } from '../../time/partition.ts';
import { secondsByStage, type StageSpan } from '../sleep-records.ts';
import { resolveStages, type SleepClaim, type SleepDetail } from './stages.ts';

const kinds: readonly (readonly [detail: SleepDetail, code: number])[] = [
  ['wake', 4],
  ['stage', 1],
  ['stage', 2],
  ['stage', 3],
  ['stage', 4],
  ['outlived', 1],
  ['outlived', 2],
  ['asleep', 2],
  ['none', -1],
  ['in_bed', -1],
];

const claim = fc
  .tuple(
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: 0, max: 60 }),
    fc.constantFrom(...kinds),
    fc.option(fc.integer({ min: 1, max: 3 })),
  )
  .map(([start, length, [detail, code], writtenMs]): SleepClaim => ({
    startMs: start * minuteMs,
    endMs: (start + length) * minuteMs,
    code,
    detail,
    writtenMs,
  }));
const claims = fc.array(claim, { maxLength: 40 });

/** The minutes of spans, as a naive reading of each minute has them. */
const minutesOf = (spans: readonly Pick<StageSpan, 'startMs' | 'endMs'>[]) =>
  new Set(
    spans.flatMap(({ startMs, endMs }) =>
      Array.from({ length: (endMs - startMs) / minuteMs }, (_unused, index) => startMs / minuteMs + index),
    ),
  );
const millisecondsOf = (spans: readonly StageSpan[]) => spans.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs), 0);

const at = (clock: string, day = 0) => Date.parse(`2026-11-${String(19 + day)}T${clock}:00Z`);
const span = (code: number, from: number, to: number, detail: SleepDetail = 'stage'): SleepClaim => ({
  code,
  startMs: from,
  endMs: to,
  detail,
});
const [deep, light, rem, awake] = [1, 2, 3, 4] as const;

describe('resolveStages', () => {
  it('counts each moment that a stage covers exactly once, and no stage overlaps another', () => {
    fc.assert(
      fc.property(claims, (given) => {
        const stages = resolveStages(given);
        const measured = given.filter(({ detail }) => detail !== 'in_bed');
        expect(minutesOf(stages)).toEqual(new Set([...minutesOf(measured)].sort((a, b) => a - b)));
        expect(millisecondsOf(stages)).toBe(minutesOf(measured).size * minuteMs);
        for (const [index, stage] of stages.entries()) expect(stage.startMs).toBeGreaterThanOrEqual(stages[index - 1]?.endMs ?? 0);
      }),
    );
  });

  it('does not depend on the order of segments, nor on segments that are stated twice', () => {
    fc.assert(
      fc.property(
        claims.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray([...given, ...given], { minLength: given.length * 2 }))),
        ([given, shuffled]) => {
          expect(resolveStages(shuffled)).toEqual(resolveStages(given));
        },
      ),
    );
  });

  it('gives each minute to detail before none, and among stages to the shorter segment', () => {
    const order: readonly SleepDetail[] = ['wake', 'stage', 'outlived', 'asleep', 'none', 'in_bed'];
    fc.assert(
      fc.property(claims, (given) => {
        for (const stage of resolveStages(given)) {
          for (const minute of minutesOf([stage])) {
            const here = given.filter(({ startMs, endMs }) => startMs <= minute * minuteMs && endMs > minute * minuteMs);
            const best = Math.min(...here.map(({ detail }) => order.indexOf(detail)));
            const rivals = here.filter(({ detail }) => order.indexOf(detail) === best);
            const shortest = Math.min(...rivals.map(({ startMs, endMs }) => endMs - startMs));
            expect(rivals.filter(({ startMs, endMs }) => endMs - startMs === shortest).map(({ code }) => code)).toContain(stage.code);
          }
        }
      }),
    );
  });

  it.each([
    [
      'an awake span in sleep',
      [span(light, at('22:00'), at('06:00', 1), 'asleep'), span(awake, at('02:00', 1), at('02:10', 1))],
      [28_200, 0, 0, 600],
    ],
    [
      'deep and REM sleep in light sleep',
      [
        span(light, at('22:00'), at('06:00', 1)),
        span(deep, at('23:00'), at('23:45')),
        span(rem, at('02:00', 1), at('02:40', 1)),
        span(deep, at('04:00', 1), at('04:30', 1)),
      ],
      [21_900, 4500, 2400, 0],
    ],
    [
      'the same night with an earlier start',
      [span(light, at('23:00'), at('05:00', 1)), span(light, at('22:00'), at('06:00', 1))],
      [28_800, 0, 0, 0],
    ],
    [
      'sleep without detail after stages',
      [
        span(deep, at('22:00'), at('02:00', 1)),
        span(light, at('01:00', 1), at('05:00', 1), 'asleep'),
        span(rem, at('02:20', 1), at('02:40', 1)),
      ],
      [9600, 14_400, 1200, 0],
    ],
    [
      'an awake span with the start of the sleep',
      [span(awake, at('00:30', 1), at('00:40', 1)), span(light, at('00:30', 1), at('06:30', 1), 'asleep')],
      [21_000, 0, 0, 600],
    ],
    [
      'time in bed before and after sleep',
      [span(-1, at('22:00'), at('07:00', 1), 'in_bed'), span(light, at('23:00'), at('06:00', 1))],
      [25_200, 0, 0, 0],
    ],
  ] as const)('counts every second once: %s', (_name, given, [lightSeconds, deepSeconds, remSeconds, awakeSeconds]) => {
    for (const order of [given, given.toReversed()])
      expect(secondsByStage(resolveStages(order))).toEqual({
        light: lightSeconds,
        deep: deepSeconds,
        rem: remSeconds,
        awake: awakeSeconds,
      });
  });

  it('decides between stages of one span by the stage where nothing else differs, not by their order', () => {
    const given = [light, rem, deep, awake].map((code) => span(code, 0, minuteMs));
    for (const order of [given, given.toReversed()]) expect(resolveStages(order)).toEqual([{ code: awake, startMs: 0, endMs: minuteMs }]);
  });

  it('prefers, of two stages of the same span, the one that the source wrote later', () => {
    const [former, later] = [
      { ...span(deep, 0, minuteMs), writtenMs: 1 },
      { ...span(light, 0, minuteMs), writtenMs: 2 },
    ];
    expect(resolveStages([later, former])).toEqual([{ code: light, startMs: 0, endMs: minuteMs }]);
  });
});

it('divides a hundred thousand nested segments without comparing each with all others', () => {
  const count = 100_000;
  const nested = Array.from({ length: count }, (_unused, index) => ({ startMs: index, endMs: 2 * count - index }));
  let compared = 0;
  const pieces = partition(nested, (a, b) => {
    compared += 1;
    return a.endMs - a.startMs - (b.endMs - b.startMs);
  });
  expect(pieces).toHaveLength(2 * count - 1);
  expect(compared).toBeLessThan(count * 40);
});

it('cuts segments at the limits of a night and leaves out those beyond', () => {
  const parts = within([span(light, 0, 10), span(deep, 10, 20), span(rem, 25, 40), span(awake, 40, 50)], { startMs: 15, endMs: 30 });
  expect(parts.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [15, 20],
    [25, 30],
  ]);
});
