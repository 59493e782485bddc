import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../kit/json-node.ts';
import { parseWallClock } from '../kit/time.ts';
import type { PullWindow } from '../kit/types.ts';
import { sourceOf, type MapContext, type Mapped } from './map-context.ts';

/**
 * A page of `/1/user/-/irn/alerts/list.json`: alerts of an irregular rhythm, at the time for which it was detected. Fitbit
 * lists only those that the user has looked at. The beats behind an alert are no series of ours.
 */
export function mapRhythmAlerts(body: unknown, window: PullWindow, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const samples = readEach('heart_rate_alert', new JsonNode(body).at('alerts'), quarantined, (alert): Sample | undefined => {
    const detected = alert.at('detectedTime');
    const wallMs = detected.time(parseWallClock);
    const day = detected.text().slice(0, 10);
    if (day < window.startDate || day > window.endDate) return undefined;
    const start = context.zoneOn(day).toInstant(wallMs);
    return { ts: start.ms, end: start.ms, value: 1, timezoneOffset: start.offset };
  });
  if (samples.length === 0) return { records: [], quarantined };
  const group = { kind: 'samples', resource: 'heart_rate_alert', subKind: 'irregular_rhythm', source: sourceOf('watch'), samples } as const;
  return { records: [group], quarantined };
}
