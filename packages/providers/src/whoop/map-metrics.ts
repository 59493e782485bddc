import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../kit/json-node.ts';
import type { MappedRecords } from '../kit/types.ts';
import { strap, type WhoopContext } from './whoop.ts';

/** Seconds between two values that are asked for. */
export const heartStepSeconds = 6;
export const stepsStepSeconds = 300;
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

/** Steps of each five minutes. */
export function mapSteps(body: unknown, offset: number | null, context: WhoopContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('steps', new JsonNode(body).at('values'), quarantined, (item): Sample => {
    const ts = readTime(item);
    return { ts, end: ts + stepsStepSeconds * 1000, value: item.at('data').amount(), timezoneOffset: offset };
  });
  return { records: context.samples('steps', strap, samples), quarantined };
}
