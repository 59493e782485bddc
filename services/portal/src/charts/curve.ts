import { h, type ComponentChildren } from 'preact';
import { hourLines, width, xOf } from './frame.ts';
import { clockTime, type DayBounds } from './local-day.ts';

/** A bucket of a series with samples. Without values they are masked, and only their number is known. */
export interface CurvePoint {
  readonly ms: number;
  readonly count: number;
  readonly min?: number | null;
  readonly avg?: number | null;
  readonly max?: number | null;
  readonly sum?: number | null;
}

export interface Curve {
  readonly name: string;
  readonly unit: string;
  /** Drawn as bars of the sum of each bucket; otherwise as a line of averages within its range. */
  readonly isAmount: boolean;
  readonly isMasked: boolean;
  readonly points: readonly CurvePoint[];
  readonly bucketMs: number;
}

const height = 110;
/** A line is broken where more than this many buckets in a row have no sample. */
const bridged = 2;

const round = (value: number) => Math.round(value * 10) / 10;

/** Times without a sample that are longer than a broken line, as pairs of instants. */
export function gapsOf({ points, bucketMs }: Curve, { fromMs, toMs }: DayBounds): readonly (readonly [number, number])[] {
  const gaps: (readonly [number, number])[] = [];
  let end = fromMs;
  for (const { ms } of points) {
    if (ms - end > bridged * bucketMs) gaps.push([end, ms]);
    end = ms + bucketMs;
  }
  if (toMs - end > bridged * bucketMs) gaps.push([end, toMs]);
  return gaps;
}

function runsOf({ points, bucketMs }: Curve): readonly (readonly CurvePoint[])[] {
  const runs: CurvePoint[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && point.ms - last.ms <= (bridged + 1) * bucketMs) run.push(point);
    else runs.push([point]);
  }
  return runs;
}

interface Scale {
  readonly low: number;
  readonly high: number;
  y(value: number): number;
}

function scaleOf({ points, isAmount }: Curve): Scale {
  const values = points.flatMap((one) => (isAmount ? [one.sum ?? 0] : [one.min ?? one.avg ?? 0, one.max ?? one.avg ?? 0]));
  const high = values.reduce((a, b) => Math.max(a, b), isAmount ? 0 : -Infinity);
  const low = isAmount ? 0 : values.reduce((a, b) => Math.min(a, b), Infinity);
  const span = high - low || 1;
  return { low, high, y: (value) => round(height - 6 - ((value - low) / span) * (height - 12)) };
}

function drawn(curve: Curve, bounds: DayBounds): readonly ComponentChildren[] {
  const { points, bucketMs, isAmount, isMasked } = curve;
  const w = Math.max(1, xOf(bounds, bounds.fromMs + bucketMs) - 0.5);
  const bar = (point: CurvePoint, top: number, name: string) =>
    h('rect', { x: xOf(bounds, point.ms), y: top, width: w, height: round(height - top), class: name });
  if (isMasked) return points.map((point) => bar(point, height - 18, 'presence'));
  const { y } = scaleOf(curve);
  if (isAmount) return points.map((point) => bar(point, y(point.sum ?? 0), 'amount'));
  const middle = (point: CurvePoint) => xOf(bounds, point.ms + bucketMs / 2);
  return runsOf(curve).flatMap((run) => {
    const upper = run.map((one) => `${middle(one)},${y(one.max ?? one.avg ?? 0)}`);
    const lower = run.toReversed().map((one) => `${middle(one)},${y(one.min ?? one.avg ?? 0)}`);
    const line = run.map((one) => `${middle(one)},${y(one.avg ?? 0)}`);
    const [only] = run;
    return [
      h('polygon', { points: [...upper, ...lower].join(' '), class: 'band' }),
      run.length === 1 && only
        ? h('circle', { cx: middle(only), cy: y(only.avg ?? 0), r: 2, class: 'dot' })
        : h('polyline', { points: line.join(' '), class: 'line' }),
    ];
  });
}

/** What a screen reader says of the drawing. */
function described({ name, unit, points, isMasked, isAmount }: Curve): string {
  const count = points.reduce((sum, one) => sum + one.count, 0);
  const samples = `${count} ${count === 1 ? 'sample' : 'samples'}`;
  if (isMasked) return `${name}: ${samples}, values masked`;
  // A count of steps needs no unit.
  const of = unit === 'count' ? '' : ` ${unit}`;
  if (isAmount) return `${name}: ${round(points.reduce((sum, one) => sum + (one.sum ?? 0), 0))}${of} in ${samples}`;
  const lows = points.map((one) => one.min ?? Infinity);
  const highs = points.map((one) => one.max ?? -Infinity);
  return `${name}: ${round(Math.min(...lows))} to ${round(Math.max(...highs))}${of} in ${samples}`;
}

/** One series over a day: gaps are hatched and never drawn over. The script reads `data-points` for the crosshair. */
export function drawCurve(curve: Curve, bounds: DayBounds, zone: string) {
  const { name, points, isMasked, isAmount } = curve;
  const text = described(curve);
  const gaps = gapsOf(curve, bounds);
  const shown = points.map((one) => [
    Math.round((one.ms - bounds.fromMs) / 1000),
    one.count,
    ...(isMasked ? [] : [round((isAmount ? one.sum : one.avg) ?? 0)]),
  ]);
  return h(
    'figure',
    { class: 'curve', 'data-points': JSON.stringify(shown), 'data-unit': isMasked || curve.unit === 'count' ? '' : curve.unit },
    h(
      'figcaption',
      null,
      h('strong', null, name),
      ' ',
      h('span', { class: 'soft' }, text.slice(name.length + 2)),
      ' ',
      h('output', { class: 'at' }),
    ),
    h(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': text },
      h(
        'defs',
        null,
        h(
          'pattern',
          { id: `gap-${name.replaceAll(' ', '-')}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
          h('line', { x1: 0, x2: 0, y1: 0, y2: 6, class: 'hatch' }),
        ),
      ),
      ...hourLines(bounds, zone, height, 3),
      ...gaps.map(([from, to]) =>
        h(
          'rect',
          {
            x: xOf(bounds, from),
            y: 0,
            width: round(xOf(bounds, to) - xOf(bounds, from)),
            height,
            fill: `url(#gap-${name.replaceAll(' ', '-')})`,
            class: 'gap',
          },
          h('title', null, `No samples from ${clockTime(from, zone)} to ${clockTime(to, zone)}`),
        ),
      ),
      ...drawn(curve, bounds),
      h('line', { class: 'crosshair', x1: -9, x2: -9, y1: 0, y2: height }),
    ),
  );
}
