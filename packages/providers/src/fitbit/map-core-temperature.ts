import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../kit/json-node.ts';
import { parseWallClock } from '../kit/time.ts';
import { groupOf, type MapContext, type Mapped } from './map-context.ts';

/** `/1/user/-/temp/core/date/{start}/{end}.json`: °C that the user took and typed in; where, Fitbit does not ask. */
export function mapCoreTemperature(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const samples = readEach('body_temperature', new JsonNode(body).at('tempCore'), quarantined, (entry): Sample => {
    const wallMs = entry.at('dateTime').time(parseWallClock);
    const start = context.zoneOn(entry.at('dateTime').text().slice(0, 10)).toInstant(wallMs);
    const value = entry.at('value').amount();
    return { ts: start.ms, end: start.ms, value, timezoneOffset: start.offset, extra: { sensor_location: null } };
  });
  return { records: groupOf('body_temperature', 'app', samples), quarantined };
}
