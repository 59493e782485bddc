import { dayMs } from '@pulsewire/kernel';
import type { OffsetOrigin, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import type { DayOffsets } from '../day-offsets.ts';
import { ringSamples, type OuraContext } from '../oura.ts';

/** When the day began: from `daily_activity`, else midnight in the user's zone. */
function startOf(
  day: string,
  offsets: DayOffsets,
  context: OuraContext,
): { readonly ms: number; readonly offset: number | null; readonly offsetFrom?: OffsetOrigin } {
  const reported = offsets.startOf(day);
  if (reported !== null) return { ms: reported.ms, offset: reported.offset };
  const zone = context.zoneOn(day);
  const { ms, offset } = zone.startOfDay(day);
  return { ms, offset, offsetFrom: zone.originAt(ms) };
}

/**
 * `daily_readiness`: °C from the user's own baseline. Its `timestamp` is midnight with `+00:00` in every zone, so only its day is
 * used. The contributors to the score are points, not bpm or ms, and are not mapped.
 */
export function mapReadiness(body: unknown, window: PullWindow, offsets: DayOffsets, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('body_temperature_delta', new JsonNode(body).at('data'), quarantined, (item): Sample | undefined => {
    item.at('id').id();
    const day = item.at('day').day();
    const value = item.at('temperature_deviation').optional((node) => node.number());
    if (value === null || !isWithin(day, window)) return undefined;
    const { ms, offset, ...origin } = startOf(day, offsets, context);
    return { ts: ms, end: ms + dayMs, value, timezoneOffset: offset, ...origin, extra: { sensor_location: 'finger' } };
  });
  return { records: ringSamples(context, 'body_temperature_delta', samples), quarantined };
}

/**
 * `daily_spo2`: the night's average in percent, of which 0 means that nothing was measured, and its disturbances of breathing per
 * hour. It contains only a day, so its samples begin with Oura's day, which falls in the night.
 */
export function mapSpo2(body: unknown, window: PullWindow, offsets: DayOffsets, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const nights = readEach('blood_oxygen', new JsonNode(body).at('data'), quarantined, (item) => {
    item.at('id').id();
    const day = item.at('day').day();
    const percent = item.at('spo2_percentage').optional((node) => node.at('average').optional((average) => average.amount())) || null;
    const disturbances = item.at('breathing_disturbance_index').optional((node) => node.amount());
    if (!isWithin(day, window)) return undefined;
    const { ms, offset, ...origin } = startOf(day, offsets, context);
    const sample = (value: number | null, more: Partial<Sample> = {}): Sample[] =>
      value === null ? [] : [{ ts: ms, ...more, value, timezoneOffset: offset, ...origin }];
    return { oxygen: sample(percent), disturbances: sample(disturbances, { end: ms + dayMs }) };
  });
  return {
    records: [
      ...ringSamples(
        context,
        'blood_oxygen',
        nights.flatMap(({ oxygen }) => oxygen),
      ),
      ...ringSamples(
        context,
        'sleep_breathing_disturbance',
        nights.flatMap(({ disturbances }) => disturbances),
      ),
    ],
    quarantined,
  };
}

/** `vO2_max`, mL/kg/min. A time with `+00:00` is used only if the user's offset was 0; otherwise the sample is at the day's start. */
export function mapVo2Max(body: unknown, window: PullWindow, offsets: DayOffsets, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('vo2_max', new JsonNode(body).at('data'), quarantined, (item): Sample | undefined => {
    item.at('id').id();
    const day = item.at('day').day();
    const stamp = item.at('timestamp').time(parseInstant);
    const value = item.at('vo2_max').optional((node) => node.amount());
    if (value === null || !isWithin(day, window)) return undefined;
    const start = startOf(day, offsets, context);
    const { ms, offset, ...origin } = stamp.offset === 0 && start.offset !== 0 ? start : stamp;
    return { ts: ms, end: ms, value, timezoneOffset: offset, ...origin };
  });
  return { records: ringSamples(context, 'vo2_max', samples), quarantined };
}
