import { describe, expect, it } from 'vitest';
import { currentTrace, formatTraceparent, newTrace, parseTraceparent, runWithTrace } from './trace.ts';

const header = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('traceparent', () => {
  it('round-trips through parsing and formatting', () => {
    const trace = parseTraceparent(header);
    expect(trace && formatTraceparent(trace)).toBe(header);
  });

  it.each([
    ['nothing', undefined],
    ['an all-zero trace', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
    ['an all-zero span', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
    ['version ff', header.replace(/^00/, 'ff')],
    ['capitals', header.toUpperCase()],
    ['a fifth part in version 00', `${header}-more`],
    ['something long', 'x'.repeat(10_000)],
  ])('ignores a traceparent: %s', (_name, text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('reads a later version by its first four parts', () => {
    expect(parseTraceparent(`${header.replace(/^00/, '01')}-more`)?.isSampled).toBe(true);
  });
});

describe('the current trace', () => {
  it('is visible to everything that is awaited, and not to concurrent work', async () => {
    const [one, two] = [newTrace(), newTrace()];
    const seen = (trace: typeof one) => runWithTrace(trace, async () => (await Promise.resolve(), currentTrace()));
    expect(await Promise.all([seen(one), seen(two)])).toEqual([one, two]);
    expect(currentTrace()).toBeUndefined();
  });

  it('keeps its id in a nested step', () => {
    const parent = newTrace();
    const step = newTrace(parent);
    expect(step.traceId).toBe(parent.traceId);
    expect(step.spanId).not.toBe(parent.spanId);
    expect(step.traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});
