import { utcMidnight } from '../../kit/time/days.ts';
import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { readClocked } from '../../kit/values/read-clocked.ts';
import { parseClock } from '../../kit/time/time.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { readLocalDay } from '../time/parse-times.ts';
import { positive, watch, type PolarContext } from '../polar.ts';

/** `continuous-heart-rate` of a day: bpm about every five minutes, in the local time of the watch. */
export function mapHeartrate(body: unknown, context: PolarContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  if (body === undefined) return { records: [], quarantined };
  const root = new JsonNode(body);
  const date = readWhole('heartrate', quarantined, () => readLocalDay(root.at('date')));
  if (date === undefined) return { records: [], quarantined };
  const samples = readClocked(
    {
      resource: 'heartrate',
      list: root.at('heart_rate_samples'),
      zone: context.clock,
      startMs: context.clock.startOfDay(date).ms,
      wallOf: (item) => utcMidnight(date) + item.at('sample_time').time(parseClock),
      read(item, { ms, offset }): Sample | undefined {
        const value = positive(item.at('heart_rate'));
        return value === null ? undefined : { ts: ms, value, timezoneOffset: offset, offsetFrom: context.clock.originAt(ms) };
      },
    },
    quarantined,
  );
  return { records: context.samples('heartrate', watch, samples), quarantined };
}
