import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { readEach, readWhole, type JsonNode } from '../../kit/values/json-node.ts';
import { positiveOf, readSpan, watch, type GarminContext, type Span } from '../garmin.ts';
import { onceEach, readSampleMap } from '../sample-map.ts';

interface SnapshotSeries {
  readonly type: string;
  readonly resource: string;
  /** Lower values were not measured. */
  readonly lowest: number;
  /**
   * Seconds between the readings of the series in the collection that covers the whole day. Its instants are left to it: it is pushed again
   * all day long, and a different value here would replace its own each time.
   */
  readonly dayGridSeconds: number | null;
}

/** `sdrr_hrv` has no resource: `hrv` is RMSSD. */
const series: readonly SnapshotSeries[] = [
  { type: 'heart_rate', resource: 'heartrate', lowest: 1, dayGridSeconds: 15 },
  { type: 'spo2', resource: 'blood_oxygen', lowest: 1, dayGridSeconds: 60 },
  { type: 'respiration', resource: 'respiratory_rate', lowest: 1, dayGridSeconds: 60 },
  { type: 'stress', resource: 'stress_level', lowest: 0, dayGridSeconds: 180 },
  { type: 'rmssd_hrv', resource: 'hrv', lowest: 1, dayGridSeconds: null },
];

/** The readings of one series; where only the average is stated, as always for RMSSD, that value at the end of the session. */
function readSeries(
  part: JsonNode,
  span: Span,
  { resource, lowest, dayGridSeconds }: SnapshotSeries,
  quarantined: Quarantined[],
): Sample[] {
  const readings = readSampleMap(resource, part.at('epochSummaries'), span, lowest, quarantined);
  if (readings.length > 0) return readings.filter(({ ts }) => dayGridSeconds === null || ts % (dayGridSeconds * 1000) !== 0);
  const average = positiveOf(part, 'avgValue');
  return average === null ? [] : [{ ts: span.endMs, value: average, timezoneOffset: span.offsetAt(span.endMs) }];
}

/** `healthSnapshot`: a session of about two minutes, with a reading of each series every second or every few seconds. */
export function mapSnapshots(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const found = readEach('heartrate', items, quarantined, (item) => {
    const span = readSpan(item, context);
    return item
      .at('summaries')
      .items()
      .flatMap((part) => {
        const known = series.find(({ type }) => type === part.at('summaryType').value);
        const samples = known && readWhole(known.resource, quarantined, () => readSeries(part, span, known, quarantined));
        return known && samples ? [{ resource: known.resource, samples }] : [];
      });
  }).flat();
  return series.flatMap(({ resource }) => {
    const samples = found.filter((part) => part.resource === resource).flatMap((part) => part.samples);
    return context.samples(resource, watch, onceEach(samples));
  });
}
