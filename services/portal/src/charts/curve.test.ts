import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { drawCurve, gapsOf, type Curve } from './curve.ts';
import { drawHypnogram, duration, stageSeconds } from './hypnogram.ts';
import { dayBounds } from './local-day.ts';

const bounds = dayBounds('2026-03-19', 'UTC');
const bucketMs = 300_000;
const at = (clock: string) => Date.parse(`2026-03-19T${clock}:00Z`);
const point = (clock: string, value: number) => ({ ms: at(clock), count: 5, min: value - 1, avg: value, max: value + 1, sum: value * 5 });
const curve: Curve = {
  name: 'heartrate, fitbit watch',
  unit: 'bpm',
  isAmount: false,
  isMasked: false,
  bucketMs,
  points: [point('00:00', 60), point('00:05', 61), point('00:10', 62), point('06:00', 90), point('23:55', 70)],
};
const draw = (one: Curve) => renderToString(drawCurve(one, bounds, 'UTC') as never);

describe('a curve', () => {
  it('is broken at gaps, which are hatched and named, and never joins what lies apart', () => {
    const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    expect(gapsOf(curve, bounds).map(([from, to]) => `${clock(from)}-${clock(to)}`)).toEqual(['00:15-06:00', '06:05-23:55']);
    const html = draw(curve);
    expect(html.match(/class="band"/g)).toHaveLength(3);
    expect(html.match(/class="line"/g)).toHaveLength(1);
    expect(html).toContain('No samples from 00:15 to 06:00');
  });

  it('says its range, and with masked values only how many samples there are', () => {
    expect(draw(curve)).toContain('59 to 91 bpm in 25 samples');
    const masked = draw({ ...curve, isMasked: true, points: curve.points.map(({ ms, count }) => ({ ms, count })) });
    expect(masked).toContain('25 samples, values masked');
    expect(masked).not.toMatch(/59|91|bpm/);
    expect(masked.match(/class="presence"/g)).toHaveLength(5);
  });

  it('of an amount has a bar for each bucket and the sum of all', () => {
    const html = draw({ ...curve, isAmount: true, unit: 'count' });
    expect(html.match(/class="amount"/g)).toHaveLength(5);
    expect(html).toContain(`${(60 + 61 + 62 + 90 + 70) * 5} in 25 samples`);
  });

  it('without a single sample is one gap over the whole day', () => {
    expect(gapsOf({ ...curve, points: [] }, bounds)).toEqual([[bounds.fromMs, bounds.toMs]]);
  });
});

describe('a hypnogram', () => {
  const spans = [
    { fromMs: at('00:00'), toMs: at('00:30'), stage: 2 },
    { fromMs: at('00:30'), toMs: at('01:30'), stage: 1 },
    { fromMs: at('02:00'), toMs: at('02:20'), stage: 3 },
    { fromMs: at('02:20'), toMs: at('02:25'), stage: -1 },
    { fromMs: at('02:25'), toMs: at('02:30'), stage: 4 },
  ];

  it('draws each stage once, joins only neighbours, and leaves unknown time empty', () => {
    const html = renderToString(drawHypnogram(spans, { fromMs: at('00:00'), toMs: at('02:30') }, 'UTC') as never);
    expect(html.match(/class="stage /g)).toHaveLength(4);
    expect(html.match(/class="step"/g)).toHaveLength(1);
    expect(html).toContain('Awake 5 min, REM 20 min, Light 30 min, Deep 1 h 00 min');
  });

  it('adds up the seconds of each stage', () => {
    expect([1, 2, 3, 4].map((stage) => stageSeconds(spans, stage))).toEqual([3600, 1800, 1200, 300]);
    expect([duration(59), duration(3599), duration(5400)]).toEqual(['1 min', '1 h 00 min', '1 h 30 min']);
  });
});
