import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../kit/json-node.ts';
import type { MappedRecords } from '../kit/types.ts';
import { strap, type WhoopContext } from './whoop.ts';

/** Seconds between two values that are asked for; WHOOP takes 6, 60 and 600 and no others. */
export const heartStepSeconds = 6;
export const stepsStepSeconds = 600;
const dateMsMax = 8.64e15;

function readTime(item: JsonNode): number {
  const ms = item.at('time').amount();
  if (!Number.isSafeInteger(ms) || ms > dateMsMax) throw item.at('time').fail('bad_time');
  return ms;
}

/** Beats a minute; a zero is a strap that was not worn. */
export function mapHeartrate(body: unknown, offset: number | null, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('heartrate', new JsonNode(body).at('values'), quarantined, (item): Sample | undefined => {
    const [ts, value] = [readTime(item), item.at('data').amount()];
    return value === 0 ? undefined : { ts, value, timezoneOffset: offset };
  });
  return { records: context.samples('heartrate', strap, samples), quarantined };
}

/** Steps of each ten minutes; a value lasts until the next one where that comes earlier. */
export function mapSteps(body: unknown, offset: number | null, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const read = readEach('steps', new JsonNode(body).at('values'), quarantined, (item): Sample => {
    return { ts: readTime(item), value: item.at('data').amount(), timezoneOffset: offset };
  });
  const sorted = read.toSorted((a, b) => a.ts - b.ts);
  const samples = sorted.map((sample, index) => {
    const latestMs = sample.ts + stepsStepSeconds * 1000;
    return { ...sample, end: Math.min(latestMs, sorted[index + 1]?.ts ?? latestMs) };
  });
  return { records: context.samples('steps', strap, samples), quarantined };
}
