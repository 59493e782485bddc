import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { sourceOfModel } from '../devices.ts';
import { byEpoch, measured, sources, type WithingsContext } from '../withings.ts';

export const intradayFields = 'steps,distance,elevation,calories,duration,heart_rate,spo2_auto,core_body_temperature';

/** By the key of an entry: the resource, and how long it lasts; `end` for points that show their end. */
const spans = { steps: 'steps', distance: 'distance', calories: 'calories_active', elevation: 'floors_climbed' } as const;
const points = { heart_rate: 'heartrate', spo2_auto: 'blood_oxygen' } as const;
const minuteMs = 60_000;

interface Entry {
  readonly resource: string;
  readonly sourceType: string;
  readonly sample: Sample;
}

function readEntry(ms: number, item: JsonNode, context: WithingsContext): Entry[] {
  const timezoneOffset = context.zoneFor(null, ms).offsetAt(ms);
  const sourceType = sourceOfModel(item.at('model_id')) ?? sources.watch;
  const lastsMs = Math.round((item.at('duration').optional((node) => node.amount()) ?? 0) * 1000) || minuteMs;
  const lasting = Object.entries(spans).flatMap(([key, resource]): Entry[] => {
    const value = item.at(key).optional((node) => node.amount());
    return value === null ? [] : [{ resource, sourceType, sample: { ts: ms, end: ms + lastsMs, value, timezoneOffset } }];
  });
  const momentary = Object.entries(points).flatMap(([key, resource]): Entry[] => {
    const value = measured(item.at(key));
    return value === null ? [] : [{ resource, sourceType, sample: { ts: ms, value, timezoneOffset } }];
  });
  const core = measured(item.at('core_body_temperature'));
  const extra = { sensor_location: 'body' };
  const sample = { ts: ms, end: ms, value: core, timezoneOffset, extra };
  const warmth = core === null ? [] : [{ resource: 'body_temperature', sourceType, sample }];
  return [...lasting, ...momentary, ...warmth];
}

/**
 * `getintradayactivity`: series of a watch, or of a phone that counts, within a day, by the epoch of each entry. Its `rmssd` is not taken: the details of nights
 * tell of the same readings, and one that comes by two ways would change with each of them.
 */
export function mapIntraday(body: unknown, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const series = new JsonNode(body).at('body').at('series');
  const listed = readWhole('steps', quarantined, () => {
    if (series.isMissing) throw series.fail('missing_field');
    return byEpoch(series);
  });
  const entries = (listed ?? []).flatMap(([ms, item]) => readWhole('steps', quarantined, () => readEntry(ms, item, context)) ?? []);
  const groups = Map.groupBy(entries, ({ resource, sourceType }) => `${resource} ${sourceType}`);
  const records = [...groups.values()].flatMap((group) => {
    const [{ resource, sourceType } = { resource: '', sourceType: '' }] = group;
    return context.samples(
      resource,
      sourceType,
      group.map(({ sample }) => sample),
    );
  });
  return { records, quarantined };
}
