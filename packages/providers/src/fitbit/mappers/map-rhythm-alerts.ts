import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { PullWindow } from '../../kit/types/connector.ts';
import type { LocalInstant } from '../../kit/time/zone.ts';
import { sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';
import { clockAt, readEntries } from '../context/read-entries.ts';

/**
 * A page of `/1/user/-/irn/alerts/list.json`: alerts of an irregular rhythm, at the time for which it was detected. Fitbit lists only
 * alerts that the user has viewed. The contract has no series for the beats behind an alert.
 */
export function mapRhythmAlerts(body: unknown, window: PullWindow, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('alerts');
  const clockOf = (alert: JsonNode) => clockAt(alert.at('detectedTime'));
  const read = (_alert: JsonNode, day: string, { ms, offset }: LocalInstant): Sample | undefined =>
    day < window.startDate || day > window.endDate ? undefined : { ts: ms, end: ms, value: 1, timezoneOffset: offset };
  const samples = readEntries({ resource: 'heart_rate_alert', list, clockOf, read }, context, quarantined);
  if (samples.length === 0) return { records: [], quarantined };
  const group = { kind: 'samples', resource: 'heart_rate_alert', subKind: 'irregular_rhythm', source: sourceOf('watch'), samples } as const;
  return { records: [group], quarantined };
}
