import { h, type ComponentChildren } from 'preact';
import type { BucketsBody } from '@pulsewire/contract';
import { drawCurve, gapsOf, type Curve, type CurvePoint } from '../charts/curve.ts';
import { hourLabels } from '../charts/frame.ts';
import { clockTime, type DayBounds } from '../charts/local-day.ts';
import type { PageContext } from './context.ts';
import { empty, number, section, table } from './parts.ts';
import { revealForm } from './reveal.ts';

interface Extent {
  readonly oldest_data: string | null;
  readonly newest_data: string | null;
}

export interface UserDay {
  readonly userId: string;
  readonly zone: string;
  readonly bounds: DayBounds;
}

/** Series of a day in this order; others follow by name. */
const first = ['heartrate', 'steps', 'glucose', 'hrv', 'respiratory_rate', 'blood_oxygen', 'stress_level', 'calories_active', 'distance'];
const curvesMax = 8;
const bucketMs = 300_000;
const amounts = new Set([
  'steps',
  'distance',
  'calories_active',
  'calories_basal',
  'floors_climbed',
  'water',
  'caffeine',
  'carbohydrates',
  'mindfulness_minutes',
  'wheelchair_push',
  'workout_duration',
]);

/** Names of series that may have data of the day, from the extents of what is stored. */
async function seriesOf({ api }: PageContext, { userId, bounds }: UserDay, seriesNames: ReadonlySet<string>): Promise<readonly string[]> {
  const { data } = await api.get<{
    readonly data: readonly { readonly provider: Readonly<Record<string, Readonly<Record<string, Extent>>>> }[];
  }>('/v2/introspect/resources', { user_id: userId });
  const found = new Set<string>();
  for (const resources of Object.values(data[0]?.provider ?? {}))
    for (const [name, { oldest_data: oldest, newest_data: newest }] of Object.entries(resources))
      if (seriesNames.has(name) && oldest && newest && Date.parse(oldest) < bounds.toMs && Date.parse(newest) >= bounds.fromMs)
        found.add(name);
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...found].toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'));
}

/** The curves of one series: one for each source. Masked ones are read without their values. */
export async function readCurves(context: PageContext, day: UserDay, resource: string): Promise<readonly Curve[]> {
  const { userId, bounds } = day;
  const isMasked = !context.isRevealed(userId);
  const asked = {
    resource,
    bucket: '5m',
    start_date: new Date(bounds.fromMs).toISOString(),
    end_date: new Date(bounds.toMs - 1).toISOString(),
    ...(isMasked && { aggregate: 'count' }),
  };
  const body = await context.api.get<BucketsBody>(`/v2/timeseries/${userId}/buckets`, asked);
  return body.groups.map((group) => ({
    name: `${resource.replaceAll('_', ' ')}, ${group.provider} ${group.source_type}${group.type ? `, ${group.type}` : ''}`,
    unit: body.unit,
    isAmount: amounts.has(resource),
    isMasked,
    bucketMs,
    points: group.data.map(({ start, count = 0, ...values }): CurvePoint => ({ ms: Date.parse(start), count, ...values })),
  }));
}

const one = (value: number | null | undefined) => (value == null ? '–' : String(Math.round(value * 10) / 10));

/** The same numbers by the hour, for those who cannot see the drawing. */
function asTable(curve: Curve, zone: string) {
  const hours = Map.groupBy(curve.points, ({ ms }) => clockTime(ms, zone).slice(0, 2));
  return table(
    `${curve.name} by the hour`,
    ['Hour', 'Samples', ...(curve.isMasked ? [] : curve.isAmount ? ['Sum'] : ['Lowest', 'Highest'])],
    [...hours].map(([hour, points]) => [
      `${hour}:00`,
      number(points.reduce((sum, { count }) => sum + count, 0)),
      ...(curve.isMasked
        ? []
        : curve.isAmount
          ? [one(points.reduce((sum, point) => sum + (point.sum ?? 0), 0))]
          : [one(Math.min(...points.map(({ min }) => min ?? Infinity))), one(Math.max(...points.map(({ max }) => max ?? -Infinity)))]),
    ]),
  );
}

function gapList(curve: Curve, { bounds, zone }: UserDay, reason: string | null): ComponentChildren {
  const gaps = gapsOf(curve, bounds).filter(([from, to]) => to - from >= 3_600_000);
  if (gaps.length === 0) return null;
  const spans = gaps.map(([from, to]) => `${clockTime(from, zone)}–${to === bounds.toMs ? '24:00' : clockTime(to, zone)}`);
  return h('p', { class: 'soft small' }, `No samples of ${curve.name}: ${spans.join(', ')}.${reason === null ? '' : ` ${reason}`}`);
}

/** All series of the day on one axis of time. `reasonOf` says why a series has a gap, as far as it is known. */
export async function dayCurves(
  context: PageContext,
  day: UserDay,
  seriesNames: ReadonlySet<string>,
  reasonOf: (resource: string) => string | null,
) {
  const { userId, bounds, zone } = day;
  const names = await seriesOf(context, day, seriesNames);
  const shown = names.slice(0, curvesMax);
  const all = await Promise.all(shown.map((name) => readCurves(context, day, name)));
  const curves = all.flat().filter(({ points }) => points.length > 0);
  if (curves.length === 0) return section('The day', empty('No series has a sample on this day.'));
  return section(
    'The day',
    context.isRevealed(userId) ? null : revealForm(context, userId, 'Values are masked: the bars only show when there are samples.'),
    h(
      'div',
      { class: 'curves', 'data-from': bounds.fromMs, 'data-to': bounds.toMs, 'data-zone': zone, 'data-bucket': bucketMs / 1000 },
      ...curves.map((curve) => drawCurve(curve, bounds, zone)),
      hourLabels(bounds, zone, 3),
    ),
    ...shown.flatMap((name, index) => (all[index] ?? []).map((curve) => gapList(curve, day, reasonOf(name)))),
    names.length > curvesMax ? h('p', { class: 'soft small' }, `Not drawn: ${names.slice(curvesMax).join(', ')}.`) : null,
    h(
      'details',
      null,
      h('summary', null, 'As a table'),
      ...curves.map((curve) => h('div', null, h('h3', null, `${curve.name}, ${curve.unit}`), asTable(curve, zone))),
    ),
  );
}
