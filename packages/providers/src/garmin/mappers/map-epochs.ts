import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { amountOf, distanceOf, positiveOf, readSpan, watch, type GarminContext } from '../garmin.ts';

const series: readonly (readonly [resource: string, amountOf: (item: JsonNode) => number | null])[] = [
  ['steps', (item) => amountOf(item, 'steps')],
  ['distance', distanceOf],
  ['calories_active', (item) => amountOf(item, 'activeKilocalories')],
  // Watches that are not in wheelchair mode report zeros.
  ['wheelchair_push', (item) => positiveOf(item, 'pushes')],
];

/** `epochs`: one row per kind of activity in a quarter of an hour; the rows of a quarter hour are summed. */
export function mapEpochs(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const rows = readEach('steps', items, quarantined, (item) => ({
    span: readSpan(item, context),
    amounts: series.map(([, read]) => read(item)),
  }));
  const byStart = [...Map.groupBy(rows, ({ span }) => span.startMs)].toSorted(([a], [b]) => a - b);
  return series.flatMap(([resource], place) =>
    context.samples(
      resource,
      watch,
      byStart.flatMap(([ts, epochs]): Sample[] => {
        const amounts = epochs.flatMap(({ amounts: of }) => of[place] ?? []);
        if (amounts.length === 0) return [];
        const end = Math.max(...epochs.map(({ span }) => span.endMs));
        const value = roundTo(
          amounts.reduce((sum, amount) => sum + amount, 0),
          3,
        );
        return [{ ts, end, value, timezoneOffset: epochs[0]?.span.offset ?? null }];
      }),
    ),
  );
}
