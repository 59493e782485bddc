import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../kit/records/left-out.ts';
import { sleepRecords } from '../kit/records/sleep-records.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { momentOf } from './clock.ts';
import { measured, type ListMapper } from './list-mapper.ts';
import type { PullWindow } from '../kit/types/connector.ts';

function readSleep(item: JsonNode, window: PullWindow, context: RecordMaker): CanonicalRecord[] {
  const [start, end] = [momentOf(item.at('StartTime'), item, context), momentOf(item.at('EndTime'), item, context)];
  if (end.ms < start.ms) throw item.at('EndTime').fail('bad_time');
  if (!isWithin(end.day, window)) return [];
  const duration = Math.round((end.ms - start.ms) / 1000);
  // In minutes, despite its name.
  const asleep = Math.min(duration, Math.round(item.at('HoursSlept').amount() * 60));
  const latency = measured(item.at('FallSleep'));
  return sleepRecords(context, {
    raw: item,
    externalId: item.at('DataID').id(),
    sourceType: 'unknown',
    day: end.day,
    startMs: start.ms,
    endMs: end.ms,
    offset: end.offset,
    offsetFrom: end.offsetFrom,
    stages: [],
    // Sleep without stages counts as light, because the total must add up.
    seconds: { light: asleep, deep: 0, rem: 0, awake: duration - asleep },
    data: { latency: latency === null ? null : Math.round(latency * 60) },
  });
}

/** Nights and naps, without stages. */
export const mapSleep: ListMapper = (body, window, context) => {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('SRDataList');
  return { records: readEach('sleep', list, quarantined, (item) => readSleep(item, window, context)).flat(), quarantined };
};
