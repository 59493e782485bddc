import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../kit/json-node.ts';
import { parseInstant } from '../kit/time.ts';
import type { MappedRecords, PullWindow } from '../kit/types.ts';
import { isWithin } from './collections.ts';
import type { DayOffsets } from './day-offsets.ts';
import { ringSamples, type OuraContext } from './oura.ts';

const dayMs = 86_400_000;

/** `daily_readiness`: °C from the user's own baseline. The parts of the score are points and no bpm or ms: they are not taken. */
export function mapReadiness(body: unknown, window: PullWindow | null, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('body_temperature_delta', new JsonNode(body).at('data'), quarantined, (item): Sample | undefined => {
    item.at('id').id();
    const { ms, offset } = item.at('timestamp').time(parseInstant);
    const value = item.at('temperature_deviation').optional((node) => node.number());
    if (value === null || !isWithin(item.at('day').day(), window)) return undefined;
    return { ts: ms, end: ms + dayMs, value, timezoneOffset: offset, extra: { sensor_location: 'finger' } };
  });
  return { records: ringSamples(context, 'body_temperature_delta', samples), quarantined };
}

/** `daily_spo2`: the night's average in percent. It carries a day alone; it stands where Oura's day begins, which lies in the night. */
export function mapSpo2(body: unknown, window: PullWindow | null, offsets: DayOffsets, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('blood_oxygen', new JsonNode(body).at('data'), quarantined, (item): Sample | undefined => {
    item.at('id').id();
    const day = item.at('day').day();
    const value = item.at('spo2_percentage').optional((node) => node.at('average').optional((average) => average.amount()));
    if (value === null || !isWithin(day, window)) return undefined;
    const start = offsets.startOf(day) ?? context.zoneOn(day).startOfDay(day);
    return { ts: start.ms, value, timezoneOffset: start.offset };
  });
  return { records: ringSamples(context, 'blood_oxygen', samples), quarantined };
}

/** `vO2_max`, mL/kg/min. */
export function mapVo2Max(body: unknown, window: PullWindow | null, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('vo2_max', new JsonNode(body).at('data'), quarantined, (item): Sample | undefined => {
    item.at('id').id();
    const { ms, offset } = item.at('timestamp').time(parseInstant);
    const value = item.at('vo2_max').optional((node) => node.amount());
    if (value === null || !isWithin(item.at('day').day(), window)) return undefined;
    return { ts: ms, end: ms, value, timezoneOffset: offset };
  });
  return { records: ringSamples(context, 'vo2_max', samples), quarantined };
}
