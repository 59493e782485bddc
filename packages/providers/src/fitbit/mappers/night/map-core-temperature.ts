import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode } from '../../../kit/values/json-node.ts';
import type { LocalInstant } from '../../../kit/time/zone.ts';
import { groupOf, type MapContext, type Mapped } from '../../context/map-context.ts';
import { clockAt, readEntries } from '../../context/read-entries.ts';

/** `/1/user/-/temp/core/date/{start}/{end}.json`: manually entered °C. Fitbit does not record where on the body it was taken. */
export function mapCoreTemperature(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('tempCore');
  const clockOf = (entry: JsonNode) => clockAt(entry.at('dateTime'));
  const read = (entry: JsonNode, _day: string, { ms, offset }: LocalInstant): Sample => ({
    ts: ms,
    end: ms,
    value: entry.at('value').amount(),
    timezoneOffset: offset,
    extra: { sensor_location: null },
  });
  const samples = readEntries({ resource: 'body_temperature', list, clockOf, read }, context, quarantined);
  return { records: groupOf('body_temperature', 'app', samples), quarantined };
}
