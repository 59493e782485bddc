import { utcMidnight } from '../kit/days.ts';
import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach, readWhole } from '../kit/json-node.ts';
import { listInstants } from '../kit/list-instants.ts';
import { parseClock } from '../kit/time.ts';
import type { MappedRecords } from '../kit/types.ts';
import type { LocalInstant } from '../kit/zone.ts';
import { readLocalDay } from './local-time.ts';
import { positive, watch, type PolarContext } from './polar.ts';

/** `continuous-heart-rate` of a day: bpm about every five minutes, by the clock of the watch. */
export function mapHeartrate(body: unknown, context: PolarContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  if (body === undefined) return { records: [], quarantined };
  const root = new JsonNode(body);
  const date = readWhole('heartrate', quarantined, () => readLocalDay(root.at('date')));
  if (date === undefined) return { records: [], quarantined };
  const readings = readEach('heartrate', root.at('heart_rate_samples'), quarantined, (item) => ({
    item,
    wallMs: utcMidnight(date) + item.at('sample_time').time(parseClock),
  }));
  const walls = readings.map(({ wallMs }) => wallMs);
  const instants = listInstants(context.clock, walls, context.clock.startOfDay(date).ms);
  // A reading without a usable value still tells the order of the others.
  const samples = readings.flatMap(({ item }, index): Sample[] => {
    const { ms, offset } = instants[index] as LocalInstant;
    const value = readWhole('heartrate', quarantined, () => positive(item.at('heart_rate')));
    return value === undefined || value === null ? [] : [{ ts: ms, value, timezoneOffset: offset }];
  });
  return { records: context.samples('heartrate', watch, samples), quarantined };
}
