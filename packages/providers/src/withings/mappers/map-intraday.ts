import { minuteMs } from '@pulsewire/kernel';
import type { Quarantined, Sample, SeenDevice } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { deviceOfRow, sourceOfModel } from '../devices.ts';
import { byEpoch, measured, sources, type WithingsContext } from '../withings.ts';

export const intradayFields = 'steps,distance,elevation,calories,duration,heart_rate,spo2_auto,core_body_temperature';

/** By the key of an entry: the resource, and how its duration is known; `end` for points at their end. */
const spans = { steps: 'steps', distance: 'distance', calories: 'calories_active', elevation: 'floors_climbed' } as const;
const points = { heart_rate: 'heartrate', spo2_auto: 'blood_oxygen' } as const;

interface Entry {
  readonly resource: string;
  readonly sourceType: string;
  readonly device: SeenDevice | null;
  readonly sample: Sample;
}

function readEntry(ms: number, item: JsonNode, context: WithingsContext): Entry[] {
  const zone = context.zoneFor(null, ms);
  const offset = { timezoneOffset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms) };
  const sourceType = sourceOfModel(item.at('model_id')) ?? sources.watch;
  const device = deviceOfRow(item, sourceType, context);
  const lastsMs = Math.round((item.at('duration').optional((node) => node.amount()) ?? 0) * 1000) || minuteMs;
  const lasting = Object.entries(spans).flatMap(([key, resource]): Entry[] => {
    const value = item.at(key).optional((node) => node.amount());
    return value === null ? [] : [{ resource, sourceType, device, sample: { ts: ms, end: ms + lastsMs, value, ...offset } }];
  });
  const momentary = Object.entries(points).flatMap(([key, resource]): Entry[] => {
    const value = measured(item.at(key));
    return value === null ? [] : [{ resource, sourceType, device, sample: { ts: ms, value, ...offset } }];
  });
  const core = measured(item.at('core_body_temperature'));
  const extra = { sensor_location: 'body' };
  const sample = { ts: ms, end: ms, value: core, ...offset, extra };
  const warmth = core === null ? [] : [{ resource: 'body_temperature', sourceType, device, sample }];
  return [...lasting, ...momentary, ...warmth];
}

/**
 * `getintradayactivity`: series of a watch, or of a phone that counts, within a day, by the epoch of each entry. Its `rmssd` is
 * not mapped: the details of nights contain the same readings, and one from two services would change with each of them.
 */
export function mapIntraday(body: unknown, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const series = new JsonNode(body).at('body').at('series');
  const listed = readWhole('steps', quarantined, () => {
    if (series.isMissing) throw series.fail('missing_field');
    return byEpoch(series);
  });
  const entries = (listed ?? []).flatMap(([ms, item]) => readWhole('steps', quarantined, () => readEntry(ms, item, context)) ?? []);
  const groups = Map.groupBy(entries, ({ resource, sourceType, device }) => `${resource} ${sourceType} ${device?.id}`);
  const records = [...groups.values()].flatMap((group) => {
    const [{ resource, sourceType, device } = { resource: '', sourceType: '', device: null }] = group;
    const samples = group.map(({ sample }) => sample);
    return recordedBy(device, context.samples(resource, sourceType, samples));
  });
  return { records, quarantined };
}
